// Files for the static, sendFile, download and view cases, made in a temporary folder that is removed on exit.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PUBLIC_FILES: Record<string, string | Buffer> = {
  'hello.txt': 'hello, world\n',
  'empty.txt': '',
  'page.html': '<p>page</p>\n',
  'data.json': '{"a":1}\n',
  noext: 'no extension',
  'unknown.zzz': 'unknown type',
  'image.png': Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
  'script.js': 'export {};\n',
  'style.css': 'p {}\n',
  'name with space.txt': 'spaced',
  'ünï.txt': 'unicode name',
  '100%.txt': 'percent',
  'big.bin': Buffer.alloc(300_000, 'fulmar'),
  '.hidden': 'hidden',
  '.well-known/info.txt': 'well known',
  'sub/index.html': '<p>sub index</p>\n',
  'sub/inner.txt': 'inner',
  'sub/.secret/file.txt': 'secret',
  'other/index.txt': 'text index',
  'both.html': '<p>both</p>\n',
  'both/index.html': '<p>both index</p>\n',
};

const VIEWS: Record<string, string> = {
  'plain.tpl': 'Hello {{name}} from {{place}}',
  'locals.tpl': '{{a}}|{{b}}|{{c}}',
  'folder/index.tpl': 'folder index {{name}}',
  'broken.tpl': 'BROKEN',
  'throws.tpl': 'THROWS',
  'page.ejs': '<h1><%= title %></h1><% for (const item of items) { %><li><%= item %></li><% } %>',
  'bad.ejs': '<h1><%= missing.value %></h1>',
  'partial.ejs': '<%- include("page", { title: "in", items: [] }) %>!',
  'page.pug': 'h1= title\nul\n  each item in items\n    li= item\n',
  'more/only.tpl': 'never found by name alone',
};

const SECOND_VIEWS: Record<string, string> = { 'second.tpl': 'second folder {{name}}', 'plain.tpl': 'second plain' };

/** A fixed time, so that Last-Modified and ETag are the same on every run. */
const MODIFIED = new Date('2024-05-06T07:08:09Z');

const root = mkdtempSync(join(tmpdir(), 'fulmar-parity-'));
export const publicFolder = join(root, 'public');
export const views = join(root, 'views');
export const secondViews = join(root, 'views2');

function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, MODIFIED, MODIFIED);
  }
}

write(publicFolder, PUBLIC_FILES);
write(views, VIEWS);
write(secondViews, SECOND_VIEWS);
write(root, { 'outside.txt': 'outside the root' });
symlinkSync(join(root, 'outside.txt'), join(publicFolder, 'link.txt'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
