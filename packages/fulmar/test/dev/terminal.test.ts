/** What the terminal shows of an error. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readFailure } from '../../src/dev/failure.ts';
import { inProject, linesAround } from '../../src/dev/source.ts';
import { Terminal } from '../../src/dev/terminal.ts';
import { folderWith } from './support.ts';

const SOURCE = ['const a = 1;', 'function fail() {', '\tthrow new Error(text);', '}', 'fail();', ''].join('\n');

const errorAt = (message: string, ...places: readonly string[]): Error =>
  Object.assign(new Error(message), { stack: `Error: ${message}\n${places.map((place) => `    at fail (${place})`).join('\n')}` });

describe('the terminal', () => {
  it('shows the source around the first frame of the application, with a caret, and its frames', (t) => {
    const root = folderWith(t, { 'a.ts': SOURCE });
    let text = '';
    const file = join(root, 'a.ts');
    const error = Object.assign(errorAt('no', `${root}/node_modules/x/i.js:1:1`, `${file}:3:8`, `${file}:5:1`, 'node:net:1:1'), {
      code: 'E_NO',
    });
    new Terminal({ write: (piece) => void (text += piece) }, root).print('GET /a', readFailure(error));
    const expected = [
      '✗ GET /a',
      '  Error: no (E_NO)',
      '',
      '    1 | const a = 1;',
      '    2 | function fail() {',
      '  > 3 | \tthrow new Error(text);',
      '      | \t      ^',
      '    4 | }',
      '    5 | fail();',
      '',
      '  at fail (a.ts:3:8)',
      '  at fail (a.ts:5:1)',
      '  and 2 frames of packages, Fulmar and Node',
      '',
      '',
    ];
    assert.equal(text, expected.join('\n'));
  });

  it('cuts a line that is too long, and points at nothing behind it', (t) => {
    const root = folderWith(t, { 'a.js': `${'x'.repeat(100_000)}\n` });
    let text = '';
    new Terminal({ write: (piece) => void (text += piece) }, root).print('GET /', readFailure(errorAt('far', `${root}/a.js:1:50000`)));
    assert.ok(text.length < 1_000);
    assert.doesNotMatch(text, /\^/);
  });

  it('has colours on a terminal alone', (t) => {
    const environment = { ...process.env };
    t.after(() => void (process.env = environment));
    process.env = {};
    const texts = [true, false].map((isTTY) => {
      let text = '';
      new Terminal({ isTTY, write: (piece) => void (text += piece) }, '/').print('GET /', readFailure(new Error('x')));
      return text.includes('\u001B[');
    });
    assert.deepEqual(texts, [true, false]);
  });

  it('shows the same error in full once, and again when files have changed', () => {
    let text = '';
    const terminal = new Terminal({ write: (piece) => void (text += piece) }, '/');
    const error = errorAt('twice');
    for (let at = 0; at < 1_000; at++) terminal.print(`GET /${at}`, readFailure(error));
    assert.equal(text.match(/Error: twice/g)?.length, 1);
    assert.match(text, /✗ GET \/999 {2}Error as above\n$/);
    terminal.forget();
    terminal.print('GET /', readFailure(error));
    assert.equal(text.match(/Error: twice/g)?.length, 2);
  });

  it('goes on when nobody reads it', () => {
    const terminal = new Terminal({ write: () => assert.fail('EPIPE') }, '/');
    assert.doesNotThrow(() => terminal.print('GET /', readFailure(new Error('x'))));
  });
});

describe('sources', () => {
  it('are those of the project, and no others', (t) => {
    const outside = folderWith(t, { 'secret.ts': 'secret' });
    const root = folderWith(t, { 'a.ts': SOURCE, '.env': 'KEY=1' });
    symlinkSync(join(outside, 'secret.ts'), join(root, 'link.ts'));
    const of = (file: string): number => linesAround(root, { file, line: 1 }, 2).length;
    assert.equal(of(join(root, 'a.ts')), 3);
    for (const file of [
      '/etc/passwd',
      join(outside, 'secret.ts'),
      join(root, 'link.ts'),
      `${root}/../${outside.split('/').at(-1)}/secret.ts`,
      join(root, '.env'),
      root,
      'a.ts',
      join(root, 'missing.ts'),
      `${root}/a.ts\0`,
    ])
      assert.equal(of(file), 0, file);
    assert.equal(inProject(root, root), undefined);
  });

  it('have the lines there are', (t) => {
    const root = folderWith(t, { 'a.ts': SOURCE });
    const file = join(root, 'a.ts');
    assert.deepEqual(linesAround(root, { file, line: 99 }, 2), []);
    assert.equal(linesAround(root, { file, line: 6 }, 2).at(-1)?.isMeant, true);
  });
});
