/**
 * From the name of a file to the reply: odd texts (encodings, dots, case, Unicode in both forms, words that mean something
 * elsewhere) in every place of a name, asked for in every way of writing them.
 */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { App } from '../../src/app/index.ts';
import { appOf, ask, echo } from './support.ts';

const TEXTS: readonly string[] = [
  'plain',
  'UPPER',
  'upper',
  'with space',
  ' leading',
  'trailing ',
  '100%',
  '%',
  '%25',
  '%2e%2e',
  '%2F',
  '%zz',
  '%00',
  'a+b',
  'a&b=c',
  'a;b,c',
  "it's",
  'say "hi"',
  'a!b~c',
  'a@b',
  'a#b',
  'a^b`c',
  '{a}',
  'a|b',
  '<a>',
  'a:b',
  ':a',
  'a*b',
  '*',
  'a?b',
  '(a',
  'a)',
  'a.b',
  'a..b',
  'a...',
  'robots.txt',
  'sitemap.xml',
  'a.json',
  'con',
  'nul',
  '__proto__'.slice(1),
  'constructor',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  '0',
  '-1',
  '$',
  '$1',
  'a$b',
  'price$',
  'é'.normalize('NFC'),
  'é'.normalize('NFD'),
  'Å',
  'ß',
  'ẞ',
  'größe',
  '日本語',
  'العربية',
  '😀',
  '👩‍👩‍👧',
  'a\u00a0b',
  'a\u200bb',
  '\ufeffbom',
  'tab\there',
  'line\nbreak',
  'x'.repeat(80),
  'é'.repeat(60),
  'index2',
  'indexes',
  'gets',
  'get-',
];

/** Other files of routes that begin so mean something else. */
const isFree = (text: string): boolean => !/^[._]/.test(text) && !/^\$[A-Za-z_]/.test(text);
const texts = TEXTS.filter(isFree);

interface Form {
  readonly name: string;
  readonly file: (text: string) => string;
  readonly path: (written: string) => string;
  readonly params: (text: string) => object;
}

const FORMS: readonly Form[] = [
  { name: 'a file', file: (text) => `a/${text}.mjs`, path: (written) => `/a/${written}`, params: () => ({}) },
  { name: 'the index of a folder', file: (text) => `b/${text}/index.mjs`, path: (written) => `/b/${written}`, params: () => ({}) },
  { name: 'a folder', file: (text) => `c/${text}/[id].mjs`, path: (written) => `/c/${written}/7`, params: () => ({ id: '7' }) },
  { name: 'a file of a method', file: (text) => `d/${text}.get.mjs`, path: (written) => `/d/${written}`, params: () => ({}) },
  {
    name: 'a folder before the rest',
    file: (text) => `e/${text}/[...rest].mjs`,
    path: (written) => `/e/${written}/x/y%20z`,
    params: () => ({ rest: ['x', 'y z'], '*': ['x', 'y z'] }),
  },
];
const VALUE_FILE = 'value/[id].mjs';
const REST_FILE = 'rest/[...all].mjs';

const bytesOf = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const WAYS: readonly (readonly [string, (text: string) => string])[] = [
  ['as browsers write it', encodeURIComponent],
  ['all in bytes', bytesOf],
  ['all in bytes, upper case', (text) => bytesOf(text).toUpperCase()],
];

for (const lazy of [false, true])
  test(lazy ? 'an odd text in files that are loaded late' : 'an odd text', async (t) => {
    const names = FORMS.flatMap(({ file }) => texts.map(file));
    assert.ok(names.length > 300);
    const app = await appOf(t, Object.fromEntries([...names, VALUE_FILE, REST_FILE].map((name) => [name, echo(name)])), { lazy });
    for (const text of texts)
      await t.test(`${JSON.stringify(text)} is found by every way of writing it, as itself`, async () => {
        for (const [way, written] of WAYS) await isFound(app, { text, way, written: written(text) });
      });
  });

async function isFound(app: App, { text, way, written }: { text: string; way: string; written: string }): Promise<void> {
  for (const { name, file, path, params } of FORMS) {
    const { status, text: reply } = await ask(app, 'GET', path(written));
    assert.equal(status, 200, `${name}, ${way}: ${reply}`);
    assert.deepEqual(JSON.parse(reply), { file: file(text), params: params(text) }, `${name}, ${way}`);
  }
  const value = await ask(app, 'GET', `/value/${written}`);
  assert.deepEqual(JSON.parse(value.text), { file: VALUE_FILE, params: { id: text } }, way);
  const rest = await ask(app, 'GET', `/rest/a/${written}`);
  assert.deepEqual(JSON.parse(rest.text), { file: REST_FILE, params: { all: ['a', text], '*': ['a', text] } }, way);
}

test('a path that leads upwards is the text of a segment, never another folder', async (t) => {
  const app = await appOf(t, { 'a/index.mjs': echo('a'), 'secret.mjs': echo('secret'), '[...rest].mjs': echo('rest') });
  for (const path of [
    '/a/../secret',
    '/a/%2e%2e/secret',
    '/a/..%2fsecret',
    '/a/%2e%2e%2fsecret',
    '/a/..%5csecret',
    '/./secret',
    '/%2e/secret',
  ]) {
    const { status, text } = await ask(app, 'GET', path);
    if (status !== 200) assert.ok(status === 400 || status === 404, `${path}: ${status}`);
    else assert.notEqual((JSON.parse(text) as { file: string }).file, 'secret', path);
  }
});

test('a name with a backslash, which Node imports no module of, is told', async (t) => {
  await assert.rejects(appOf(t, { 'a\\b.mjs': echo('a') }), /a\\b\.mjs: could not be loaded: Invalid module/);
});

test('folders are up to 64 levels deep', async (t) => {
  const deep = (levels: number): string => `${'d/'.repeat(levels)}end.mjs`;
  const app = await appOf(t, { [deep(64)]: echo('deep') });
  assert.equal((await ask(app, 'GET', `/${'d/'.repeat(64)}end`)).status, 200);
  await assert.rejects(appOf(t, { [deep(65)]: echo('deep') }), /folders are up to 64 levels deep/);
});

describe('two files of one path are an error that names both', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['a.mjs', 'a.cjs'],
    ['a.mjs', 'a/index.mjs'],
    ['a.mjs', '(group)/a.mjs'],
    ['(one)/a.mjs', '(two)/a.mjs'],
    ['a/(one)/b.mjs', 'a/b.mjs'],
    ['[a].mjs', '[b].mjs'],
    ['[a].mjs', '$b.mjs'],
    ['x/[a]/y.mjs', 'x/[b]/y.mjs'],
    ['[...a].mjs', '[...b].mjs'],
    ['x-[a].mjs', 'x-[b].mjs'],
    ['[a]-[b].mjs', '[c]-[d].mjs'],
    ['a.get.mjs', 'a.GET.mjs'],
    ['a.get.mjs', 'a/index.get.mjs'],
    ['a.html', 'a/index.html'],
    ['index.mjs', '(home)/index.mjs'],
    ['_middleware.mjs', '_middleware.cjs'],
    ['x/_404.mjs', 'x/_404.cjs'],
    ['_error.mjs', '_error.cjs'],
  ];
  for (const [one, other] of pairs)
    it(`${one} and ${other}`, async (t) => {
      const text = (name: string): string => (name.endsWith('.cjs') ? 'exports.GET = () => 1;' : 'export const GET = () => 1;');
      const error: Error = await appOf(t, { [one]: text(one), [other]: text(other) }).then(
        () => assert.fail('they were taken'),
        (found: Error) => found,
      );
      assert.ok(error.message.includes(one) && error.message.includes(other), error.message);
    });
});
