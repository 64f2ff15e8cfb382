/**
 * Files that documents and comments name exist: a name is right where some file of the repository ends with
 * it; in ARCHITECTURE.md only where the page says, and one that begins with a dot only from where it is
 * written.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .trim()
  .split('\n');

/** Every end of every path, from a `/` on. */
const ends = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));

/** Of one of these kinds, with a folder before it or among back ticks. */
const named =
  /`(?:[\w-]+:)?((?:[\w@.-]+\/)*[\w.-]+\.(?:rs|ts|mts|cts|mjs))`|(?<![\w./@-])((?:crates|packages|tests|bench|scripts|src|docs)\/[\w./-]+\.(?:rs|ts|mts|cts|mjs|cjs|md|json))\b/g;

/** Names that stand for others' files, those of an application or of an example. */
const others =
  /^(?:app|server|http|main|index|get|users\.get|fulmar\.config|_middleware|_404|_error|src\/server|src\/main|src\/app|user|a|b|x|w|model|file|instrument|routes|test|hello|index\.d|model\.d\.py|com\.acme\.Model\.d|d)\.\w+$|node_modules|^(?:lib|dist|public|views|migrations|app|my|examples?)\//;

function commentsOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.md')) return text.replaceAll(/^```[^]*?^```/gm, '');
  return text
    .split('\n')
    .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
}

it('documents and comments name files that are there', () => {
  const looked = files.filter(
    (file) =>
      /\.(?:md|rs|ts|mjs|cjs)$/.test(file) &&
      !/^bench\/(?:results|reports|contestants)\/|^CHANGELOG|^docs\/guide\/|^docs\/migration\/|^tests\/(?:apps|published)\/|^fuzz\//.test(
        file,
      ),
  );
  assert.ok(looked.length > 500);
  const missing: string[] = [];
  for (const file of looked) {
    for (const [, quoted, plain] of commentsOf(file).matchAll(named)) {
      const name = quoted ?? plain ?? '';
      const isThere = /^\.\.?\//.test(name) ? files.includes(join(dirname(file), name)) : ends.has(name);
      if (!isThere && !others.test(name.replace(/^(?:\.{1,2}\/)+/, ''))) missing.push(`${file}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

/** What a path of ARCHITECTURE.md is written from, by its prefix. */
const roots: Readonly<Record<string, string>> = {
  '': 'packages/fulmar/src/',
  'cli:': 'packages/cli/src/',
  'quickjs-node:': 'packages/quickjs-node/src/',
};

const present = new Set(files.flatMap((file) => [file, ...file.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))]));

/**
 * Places that are meant by paths among back ticks in a row or line of the page, and the paths that mean none.
 */
function readRow(row: string): { found: string[]; missing: string[] } {
  const found: string[] = [];
  const missing: string[] = [];
  for (const [, prefix = '', path = ''] of row.matchAll(/`([a-z-]+:)?((?:[\w@*.-]+\/)*[\w.-]+)`/g)) {
    const isFile = /\.(?:rs|ts|mjs|cjs|json|md)$/.test(path);
    if (path.includes('*') || (!isFile && !path.includes('/'))) continue;
    // Rust's modules of one crate are beside one another, however deep.
    const folders = found.flatMap((file) => file.split('/').map((_, at, parts) => `${parts.slice(0, at).join('/')}/`));
    const places = prefix === '' ? ['', roots[''], ...folders] : [roots[prefix]];
    const place = places.map((folder) => `${folder}${path}`).find((candidate) => present.has(candidate));
    if (place !== undefined) found.push(place);
    else if (isFile || /^(?:crates|packages|tests|bench|docs|scripts)\//.test(path)) missing.push(prefix + path);
  }
  return { found, missing };
}

it('finds what a row of ARCHITECTURE.md means, and what it cannot mean', () => {
  const row = '| `crates/engine/src/read.rs`, `slab.rs` | `http/observer.ts` | `cli:run/run.ts`, `cli:http/observer.ts`, `nowhere.ts` |';
  assert.deepEqual(readRow(row), {
    found: [
      'crates/engine/src/read.rs',
      'crates/engine/src/slab.rs',
      'packages/fulmar/src/http/observer.ts',
      'packages/cli/src/run/run.ts',
    ],
    missing: ['cli:http/observer.ts', 'nowhere.ts'],
  });
});

it('each path of ARCHITECTURE.md is where the page says', () => {
  const rows = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n').map(readRow);
  assert.ok(rows.flatMap(({ found }) => found).length > 300, 'no paths found: the reader is broken');
  assert.deepEqual(
    rows.flatMap(({ missing }) => missing),
    [],
  );
});
