/**
 * Which file answers which request: what is static before parameters before the rest, encodings, case, dots; random trees
 * of files beside a matcher that is as plain as can be.
 */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { fileRouteOf, type PathPart } from '../../src/routes/files/file-route.ts';
import { appOf, ask, echo, type Files } from './support.ts';

const NAMES = [
  'index.mjs',
  'users/index.mjs',
  'users/me.mjs',
  'users/[id].mjs',
  'users/[id]/posts.mjs',
  'users/[id]/[post].mjs',
  'users/[id]/[...rest].mjs',
  'opt/[[tab]].mjs',
  'opt/static.mjs',
  'files/[...path].mjs',
  'files/index.mjs',
  'files/readme.md.mjs',
  'über/größe.mjs',
  'with space/100%.mjs',
  'post-[id].mjs',
  'post-new.mjs',
  '[name].json.mjs',
  'Case/Sensitive.mjs',
  'sitemap.xml.mjs',
  '(group)/grouped.mjs',
  'deep/(a)/(b)/er.mjs',
  'a.b.c.mjs',
];
const FILES: Files = Object.fromEntries(NAMES.map((name) => [name, echo(name)]));

type Row = readonly [url: string, file: string | number, params?: object];
const ROWS: readonly Row[] = [
  ['/', 'index.mjs'],
  ['/?a=1', 'index.mjs'],
  ['/index', 404],
  ['/users', 'users/index.mjs'],
  ['/users/', 404],
  ['/users/me', 'users/me.mjs'],
  ['/users/%6De', 'users/me.mjs'],
  ['/users/ME', 'users/[id].mjs', { id: 'ME' }],
  ['/users/7', 'users/[id].mjs', { id: '7' }],
  ['/users/a%20b', 'users/[id].mjs', { id: 'a b' }],
  ['/users/a+b', 'users/[id].mjs', { id: 'a+b' }],
  ['/users/a%2Fb', 'users/[id].mjs', { id: 'a/b' }],
  ['/users/a%252Fb', 'users/[id].mjs', { id: 'a%2Fb' }],
  ['/users/%C3%BC', 'users/[id].mjs', { id: 'ü' }],
  ['/users/ü', 'users/[id].mjs', { id: 'ü' }],
  ['/users/%F0%9F%98%80', 'users/[id].mjs', { id: '😀' }],
  ['/users/..%2f..%2fetc', 'users/[id].mjs', { id: '../../etc' }],
  ['/users/.hidden', 'users/[id].mjs', { id: '.hidden' }],
  ['/users/a.b', 'users/[id].mjs', { id: 'a.b' }],
  ['/users/__proto__', 'users/[id].mjs', { id: '__proto__' }],
  ['/users/constructor', 'users/[id].mjs', { id: 'constructor' }],
  ['/users/%', 400],
  ['/users/%zz', 400],
  ['/users/%ff', 400],
  ['/users/7/posts', 'users/[id]/posts.mjs', { id: '7' }],
  ['/users/7/8', 'users/[id]/[post].mjs', { id: '7', post: '8' }],
  ['/users/7/8/9', 'users/[id]/[...rest].mjs', { id: '7', rest: ['8', '9'], '*': ['8', '9'] }],
  ['/users/7/8/9%2F10/%C3%BC', 'users/[id]/[...rest].mjs', { id: '7', rest: ['8', '9/10', 'ü'], '*': ['8', '9/10', 'ü'] }],
  ['/opt', 'opt/[[tab]].mjs', {}],
  ['/opt/one', 'opt/[[tab]].mjs', { tab: 'one' }],
  ['/opt/static', 'opt/static.mjs'],
  ['/opt/one/two', 404],
  ['/files', 'files/index.mjs'],
  ['/files/a', 'files/[...path].mjs', { path: ['a'], '*': ['a'] }],
  ['/files/a/b/c', 'files/[...path].mjs', { path: ['a', 'b', 'c'], '*': ['a', 'b', 'c'] }],
  ['/files/a%2Fb/c', 'files/[...path].mjs', { path: ['a/b', 'c'], '*': ['a/b', 'c'] }],
  ['/files/..%2f..', 'files/[...path].mjs', { path: ['../..'], '*': ['../..'] }],
  ['/files/readme.md', 'files/readme.md.mjs'],
  ['/files/readme.md/x', 'files/[...path].mjs', { path: ['readme.md', 'x'], '*': ['readme.md', 'x'] }],
  ['/%C3%BCber/gr%C3%B6%C3%9Fe', 'über/größe.mjs'],
  ['/über/größe', 'über/größe.mjs'],
  ['/%C3%9Cber/gr%C3%B6%C3%9Fe', 404],
  ['/with%20space/100%25', 'with space/100%.mjs'],
  ['/post-7', 'post-[id].mjs', { id: '7' }],
  ['/post-new', 'post-new.mjs'],
  ['/post-', 404],
  ['/data.json', '[name].json.mjs', { name: 'data' }],
  ['/a.b.json', '[name].json.mjs', { name: 'a.b' }],
  ['/.json', 404],
  ['/Case/Sensitive', 'Case/Sensitive.mjs'],
  ['/case/sensitive', 404],
  ['/sitemap.xml', 'sitemap.xml.mjs'],
  ['/sitemap%2Exml', 'sitemap.xml.mjs'],
  ['/grouped', '(group)/grouped.mjs'],
  ['/(group)/grouped', 404],
  ['/deep/er', 'deep/(a)/(b)/er.mjs'],
  ['/a.b.c', 'a.b.c.mjs'],
  ['/nothing', 404],
  ['/users//posts', 404],
  ['//users', 404],
];

describe('a request', () => {
  for (const [url, file, params = {}] of ROWS)
    it(`${url} is answered by ${file}`, async (t) => {
      const app = await appOf(t, FILES);
      const { status, text } = await ask(app, 'GET', url);
      if (typeof file === 'number') return assert.equal(status, file, text);
      assert.equal(status, 200, text);
      assert.deepEqual(JSON.parse(text), { file, params });
      assert.deepEqual(await ask(await appOf(t, FILES, { lazy: true }), 'GET', url), await ask(app, 'GET', url));
    });
});

/** How particular a path is at one place. */
const RANK: Readonly<Record<PathPart['kind'], number>> = { text: 0, mixed: 1, parameter: 2, rest: 3 };

function naive(files: readonly string[], segments: readonly string[]): string | null {
  const fitting = files
    .map((file) => ({ file, parts: fileRouteOf(file)?.parts ?? [] }))
    .filter(({ parts }) => {
      const isRest = parts.at(-1)?.kind === 'rest';
      if (isRest ? segments.length < parts.length : segments.length !== parts.length) return false;
      return parts.every((part, at) => part.kind !== 'text' || part.text === segments[at]);
    });
  const better = (one: readonly PathPart[], other: readonly PathPart[]): number => {
    for (const [at, part] of one.entries()) {
      const difference = RANK[part.kind] - RANK[other[at]?.kind ?? 'rest'];
      if (difference !== 0) return difference;
    }
    return one.length - other.length;
  };
  return fitting.toSorted((one, other) => better(one.parts, other.parts))[0]?.file ?? null;
}

/** Numbers from a seed: the same trees each time. */
function randoms(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TEXTS = ['a', 'b', 'c'];

function randomTree(random: (below: number) => number): string[] {
  const found = new Map<string, string>();
  for (let count = 3 + random(12); count > 0; count -= 1) {
    const depth = 1 + random(4);
    const parts: string[] = [];
    for (let at = 0; at < depth; at += 1) {
      const kind = random(6);
      if (kind < 3) parts.push(TEXTS[random(TEXTS.length)] as string);
      else if (kind < 5) parts.push(`[p${at}]`);
      else {
        parts.push(`[...p${at}]`);
        break;
      }
    }
    found.set(parts.map((part) => (part.startsWith('[...') ? '*' : part.startsWith('[') ? ':' : part)).join('/'), `${parts.join('/')}.mjs`);
  }
  return [...found.values()];
}

test('random trees of files answer as the most particular path says', async (t) => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randoms(seed);
    const files = randomTree(random);
    const app = await appOf(t, Object.fromEntries(files.map((file) => [file, echo(file)])), { lazy: seed % 2 === 0 });
    for (let asked = 0; asked < 40; asked += 1) {
      const segments = Array.from({ length: 1 + random(4) }, () => [...TEXTS, 'd'][random(4)] as string);
      const { status, text } = await ask(app, 'GET', `/${segments.join('/')}`);
      const file = status === 404 ? null : (JSON.parse(text) as { file: string }).file;
      assert.equal(file, naive(files, segments), `seed ${seed}: /${segments.join('/')} among ${files.join(' ')}`);
    }
  }
});

for (const lazy of [false, true])
  test(`a thousand files are found each by its own path, ${lazy ? 'loaded when they are asked for' : 'all loaded before'}`, async (t) => {
    const names = Array.from({ length: 1000 }, (_, at) => `part${at % 10}/page${at}.mjs`);
    const app = await appOf(t, Object.fromEntries(names.map((name) => [name, echo(name)])), { lazy });
    for (const at of [0, 1, 10, 500, 998, 999]) {
      const { text } = await ask(app, 'GET', `/part${at % 10}/page${at}`);
      assert.equal((JSON.parse(text) as { file: string }).file, names[at]);
    }
    assert.equal((await ask(app, 'GET', '/part1/page0')).status, 404);
  });
