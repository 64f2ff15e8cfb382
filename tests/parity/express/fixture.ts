/**
 * Files for the static, sendFile, download and view cases, made in a temporary folder that is removed on
 * exit.
 */
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedFolder } from '../harness/shared-state.ts';

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

function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, MODIFIED, MODIFIED);
  }
}

const root = sharedFolder('parity', (folder) => {
  write(join(folder, 'public'), PUBLIC_FILES);
  write(join(folder, 'views'), VIEWS);
  write(join(folder, 'views2'), SECOND_VIEWS);
  write(folder, { 'outside.txt': 'outside the root' });
  symlinkSync(join(folder, 'outside.txt'), join(folder, 'public', 'link.txt'));
});
export const publicFolder: string = join(root, 'public');
export const views: string = join(root, 'views');
export const secondViews: string = join(root, 'views2');
