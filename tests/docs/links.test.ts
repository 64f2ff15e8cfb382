/**
 * Every link within the repository leads somewhere: each relative link of each Markdown file, and the heading
 * that its anchor names.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Folders whose texts are others' or made anew. */
const skipped = new Set(['node_modules', 'target', 'dist', '.git', 'fixtures', 'results']);

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/**
 * A text without what only looks like links: fenced code and code in lines, whose place is kept by spaces.
 */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1 *$/gm, '')
    .replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, (code) => ' '.repeat(code.length));
}

/** Targets of `[text](target)` and `[text]: target`, in order. */
function linksOf(text: string): string[] {
  const plain = withoutCode(text);
  const found = [...plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g), ...plain.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  return found.map(([, target = '']) => target);
}

/** The anchors of a text's headings, as GitHub makes them: a heading that occurs again gets a number. */
function anchorsOf(text: string): Set<string> {
  const plain = text.replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1 *$/gm, '');
  const seen = new Map<string, number>();
  const anchors = new Set<string>([...plain.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
  for (const [, title = ''] of plain.matchAll(/^#{1,6} +(.+?)(?: +#+)? *$/gm)) {
    const slug = slugOf(title);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

function slugOf(title: string): string {
  const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
}

/** What is wrong with a link of `file`, or `undefined`. */
function problemOf(file: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const meant = path === '' ? file : resolve(dirname(file), decodeURIComponent(path));
  if (!existsSync(meant)) return 'no such file';
  if (anchor === undefined || statSync(meant).isDirectory() || !meant.endsWith('.md')) return undefined;
  return anchorsOf(readFileSync(meant, 'utf8')).has(anchor) ? undefined : 'no such heading';
}

test('every relative link of every Markdown file leads to a file, and its anchor to a heading', () => {
  const files = markdownFiles(root);
  const links = files.flatMap((file) => linksOf(readFileSync(file, 'utf8')).map((target) => ({ file, target })));
  const broken = links.map(({ file, target }) => ({ file: relative(root, file), target, problem: problemOf(file, target) }));
  assert.ok(files.length > 20 && links.length > 100, 'few files or links were found: the reader is broken');
  assert.deepEqual(
    broken.filter(({ problem }) => problem !== undefined),
    [],
  );
});

test('a link to a missing file or heading is found, one in code is none', () => {
  const readme = join(root, 'README.md');
  const text =
    'See [a](missing.md), [b](README.md#no-such-heading), [c](#fulmar), `[d](gone.md)`.\n\n```\n[e](gone.md)\n```\n\n[f]: gone/too.md\n';
  assert.deepEqual(
    linksOf(text).map((target) => [target, problemOf(readme, target)]),
    [
      ['missing.md', 'no such file'],
      ['README.md#no-such-heading', 'no such heading'],
      ['#fulmar', undefined],
      ['gone/too.md', 'no such file'],
    ],
  );
});

test('anchors are those of GitHub', () => {
  const text = '## The server (`fulmar/http`)\n### `run --native`, a [link](x.md)\n## Twice\n## Twice\n```\n# not this\n```\n';
  assert.deepEqual([...anchorsOf(text)], ['the-server-fulmarhttp', 'run---native-a-link', 'twice', 'twice-1']);
});
