/** Files that documents and comments name exist: a name is right where some file of the repository ends with it. */
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
  /`((?:[\w@.-]+\/)*[\w.-]+\.(?:rs|ts|mts|cts|mjs))`|(?<![\w./@-])((?:crates|packages|tests|bench|scripts|src|docs)\/[\w./-]+\.(?:rs|ts|mts|cts|mjs|cjs|md|json))\b/g;

/** Names that stand for others' files, those of an application or of an example. */
const others =
  /^(?:app|server|http|main|index|src\/server|src\/main|src\/app|user|a|b|x|w|model|file|instrument|routes|test|hello|index\.d|d)\.\w+$|node_modules|^(?:lib|dist|public|views|migrations|app|my|examples?)\//;

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
      const name = (quoted ?? plain ?? '').replace(/^(?:\.{1,2}\/)+/, '');
      if (!ends.has(name) && !others.test(name)) missing.push(`${file}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});
