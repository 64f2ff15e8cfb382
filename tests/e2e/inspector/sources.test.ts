/** Frames lead to what was written: TypeScript of every kind, JSX, modules and CommonJS, at the terminal and on the page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProject } from './project.ts';

const LISTENING = "console.log('listening on http://localhost:' + server.address().port)";
const MARK = 'BROKEN';

/** Each has types, or a tag, before the line that throws, so that compiled lines or columns are others. */
const typed = `interface Bird {
  readonly name: string;
}

type Named<T> = { [Key in keyof T]: T[Key] };

export function find(bird: Named<Bird>): never {
  const told: string = \`no \${bird.name}\` as string; throw new RangeError(told); // ${MARK}
}
`;
const tagged = `/** @jsxRuntime classic */
/** @jsx make */
const make = (name, attributes) => ({ name, attributes });

export function find(bird) {
  const page = (
    <main
      title={lose(bird)} // ${MARK}
    />
  );
  return page;
}
function lose(bird) { throw new RangeError('no ' + bird.name); }
`;

const moduleMain = (file: string): string => `import { createServer } from 'node:http';
import { find } from './${file}';
const server = createServer((req, res) => res.end(find({ name: 'auk' }))).listen(0, () => ${LISTENING});
`;
const commonMain = (file: string): string => `const { createServer } = require('node:http');
const { find } = require('./${file}');
const server = createServer((req, res) => res.end(find({ name: 'auk' }))).listen(0, () => ${LISTENING});
`;

const common = typed.replace('export function', 'exports.find = find;\nfunction');

const cases: [file: string, source: string, main: string, mainSource: (file: string) => string][] = [
  ['bird.ts', typed, 'main.mts', moduleMain],
  ['bird.mts', typed, 'main.mts', moduleMain],
  ['bird.cts', common, 'main.cts', commonMain],
  [
    'bird.tsx',
    tagged
      .replace('find(bird)', 'find(bird: { readonly name: string })')
      .replaceAll('(name, attributes)', '(name: any, attributes: any)')
      .replace('lose(bird) {', 'lose(bird: any): never {'),
    'main.mts',
    moduleMain,
  ],
  ['bird.jsx', tagged, 'main.mts', moduleMain],
  [
    'bird.mjs',
    typed
      .replace(/^[^]*export/, 'export')
      .replace(': Named<Bird>): never', ')')
      .replace(': string', '')
      .replace(' as string', ''),
    'main.mjs',
    moduleMain,
  ],
];

for (const [file, source, main, mainSource] of cases) {
  test(`an error in ${file} is shown where it was written`, async (t) => {
    const { url, running } = await startProject(t, main, {
      [file]: source,
      [main]: mainSource(file),
      'package.json': file.endsWith('.jsx') ? '{ "type": "module" }' : '{}',
    });
    const reply = await fetch(url, { headers: { Accept: 'text/html' } });
    const text = await reply.text();
    assert.equal(reply.status, 500);
    const line = source.split('\n').findIndex((one) => one.includes(MARK)) + 1;
    // Of what threw: with JSX the frame behind the first.
    assert.match(text, new RegExp(`${file.replace('.', '\\.')}:${line}:\\d+`));
    assert.match(text, new RegExp(`class="line meant">[^\\n]*${MARK}`));
    const printed = running.lines.join('\n');
    assert.match(printed, /✗ GET \/\n {2}RangeError: no auk\n/);
    assert.match(printed, new RegExp(`at find \\(${file.replace('.', '\\.')}:${line}:\\d+\\)`));
  });
}
