/**
 * Random tables of routes and random paths: the table finds what the definition of naive.ts finds, in
 * whatever order the routes were added.
 *   ROUTES_RANDOM=100000        so many tables instead of those of every run
 *   ROUTES_RANDOM_SEED=5        others than those of every run
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { it } from 'node:test';
import { RouteError } from '../../../src/app/router/route-error.ts';
import { RouteTable } from '../../../src/app/router/route-table.ts';
import { findNaively, keysOf, type NaiveRoute, type Part } from './naive.ts';

const TABLES = Number(process.env['ROUTES_RANDOM'] ?? 2_000);
const FIRST_SEED = Number(process.env['ROUTES_RANDOM_SEED'] ?? 1);
const ROUTES_MAX = 14;
const PATHS = 24;

/** Few and alike, so that routes share them, and paths fit them. */
const TEXTS = ['a', 'ab', 'abc', 'b', 'a-b', 'a.b', 'é', 'éa', 'a b', 'a/b', '%', '25', '2F', ':x', '*', '?', '\\', '日本', 'A'];
const BETWEEN = ['-', '.', '--', '.a', 'é', '-b', ':', '2', 'F', '%', '5/'];
const NAMES = ['x', 'y', 'z', '__proto__', 'id', 'a1', '$'];
const METHODS = ['GET', 'GET', 'GET', 'POST', '*'];

class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.map(() => left.splice(this.below(left.length), 1)[0] as Item);
  }
}

/** The texts of one table: the fewer, the more routes compete. */
interface Pool {
  readonly texts: readonly string[];
  readonly between: readonly string[];
  /** Of ten segments, those with text and parameters. */
  readonly mixed: number;
}

function randomPool(random: Random): Pool {
  const some = <Item>(items: readonly Item[]): readonly Item[] => random.shuffled(items).slice(0, 2 + random.below(items.length - 1));
  return { texts: some(TEXTS), between: some(BETWEEN), mixed: random.below(10) };
}

function randomParts(random: Random, pool: Pool): readonly Part[] {
  const names = random.shuffled(NAMES);
  const parts: Part[] = [];
  for (let count = random.below(4); count > 0; count--) {
    if (random.below(10) < pool.mixed) parts.push(randomMixed(random, pool, names));
    else if (random.below(2) === 0) parts.push({ kind: 'text', text: random.pick(pool.texts) });
    else parts.push({ kind: 'parameter', name: names.pop() as string, isOptional: false });
  }
  const end = random.below(8);
  if (end < 2 && names.length > 1) {
    for (let count = 1 + random.below(2); count > 0; count--)
      parts.push({ kind: 'parameter', name: names.pop() as string, isOptional: true });
  }
  if (end === 1 || end === 2) parts.push({ kind: 'rest', name: random.pick(['rest', '*']) });
  else if (parts.length === 0 || end === 3) parts.push({ kind: 'text', text: '' });
  return parts;
}

function randomMixed(random: Random, pool: Pool, names: string[]): Part {
  const texts = [random.below(2) === 0 ? '' : random.pick(pool.texts)];
  const own = [names.pop() as string];
  if (random.below(2) === 0) {
    texts.push(random.pick(pool.between));
    own.push(names.pop() as string);
  }
  texts.push(random.below(2) === 0 ? '' : random.pick(pool.between));
  if (own.length === 1 && texts.join('') === '') texts[0] = 'a';
  return { kind: 'mixed', texts, names: own };
}

/** Text behind a name, which it must not make longer. */
function writeBehind(random: Random, text: string): string {
  const first = /^[\w$]/.test(text)
    ? `%${text.charCodeAt(0).toString(16)}`
    : /^[^\0-\x7f]/.test(text)
      ? encodeURIComponent(text.charAt(0))
      : '';
  return first + writeText(random, first === '' ? text : text.slice(1));
}

/** Text in one of the ways in which a pattern may have it. */
function writeText(random: Random, text: string): string {
  const escape = (character: string): string => `\\${character}`;
  if (random.below(3) === 0) return encodeURIComponent(text).replace(/[*]/g, escape);
  return text.replace(/[%/]/g, encodeURIComponent).replace(/[:*?\\]/g, escape);
}

function write(random: Random, parts: readonly Part[]): string {
  let path = '';
  for (const part of parts) {
    path += '/';
    if (part.kind === 'text') path += writeText(random, part.text);
    else if (part.kind === 'parameter') path += `:${part.name}${part.isOptional ? '?' : ''}`;
    else if (part.kind === 'rest') path += part.name === '*' ? '*' : `*${part.name}`;
    else {
      const [first = '', ...behind] = part.texts;
      path += writeText(random, first);
      for (const [i, text] of behind.entries()) path += `:${part.names[i]}${writeBehind(random, text)}`;
    }
  }
  return path;
}

function send(random: Random, segment: string): string {
  if (random.below(3) === 0) return encodeURIComponent(segment);
  const spelled = segment.replace(/[%/]/g, encodeURIComponent);
  return random.below(3) === 0 ? spelled.replace(/[a-c.-]/, (character) => `%${character.charCodeAt(0).toString(16)}`) : spelled;
}

function randomValue(random: Random, { texts, between }: Pool): string {
  let value = random.pick(texts);
  for (let count = random.below(3); count > 0; count--) value += random.pick(between) + random.pick(texts);
  return value;
}

/** A path that fits a route, most of the time. */
function randomPath(random: Random, pool: Pool, routes: readonly NaiveRoute[]): string {
  const segments: string[] = [];
  for (const part of random.pick(routes).parts) {
    const kind = random.below(12) === 0 ? 'other' : part.kind;
    if (kind === 'rest') for (let count = random.below(3); count > 0; count--) segments.push(randomValue(random, pool));
    else if (part.kind === 'parameter' && part.isOptional && random.below(2) === 0) continue;
    else if (part.kind === 'text' && kind === 'text') segments.push(part.text);
    else if (part.kind === 'mixed' && kind === 'mixed')
      segments.push(part.texts.map((text, i) => text + (i < part.names.length ? randomValue(random, pool) : '')).join(''));
    else segments.push(random.below(8) === 0 ? '' : randomValue(random, pool));
  }
  if (segments.length === 0 || random.below(8) === 0) segments.push('');
  return segments.map((segment) => `/${send(random, segment)}`).join('');
}

interface Written {
  readonly route: NaiveRoute;
  readonly path: string;
}

function randomRoutes(
  random: Random,
  pool: Pool,
  strict: boolean,
  context: string,
): { readonly table: RouteTable<number>; readonly written: readonly Written[] } {
  const table = new RouteTable<number>({ strict });
  const written: Written[] = [];
  const keys = new Set<string>();
  for (let count = 1 + random.below(ROUTES_MAX); count > 0; count--) {
    const route: NaiveRoute = { method: random.pick(METHODS), parts: randomParts(random, pool), value: count };
    const path = write(random, route.parts);
    const own = keysOf(route, strict);
    if (own.some((key) => keys.has(key))) {
      assert.throws(() => table.add(route.method, path, count), RouteError, `${context}: ${route.method} ${path} is alike another one`);
      continue;
    }
    table.add(route.method, path, count);
    written.push({ route, path });
    for (const key of own) keys.add(key);
  }
  return { table, written };
}

it(`finds what the definition finds, in ${TABLES} tables`, () => {
  let finds = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + TABLES; seed++) {
    const random = new Random(seed);
    const strict = random.below(3) > 0;
    const pool = randomPool(random);
    const { table, written } = randomRoutes(random, pool, strict, `seed ${seed}`);
    const shuffled = new RouteTable<number>({ strict });
    for (const { route, path } of random.shuffled(written)) shuffled.add(route.method, path, route.value);
    const routes = written.map(({ route }) => route);
    for (let i = 0; i < PATHS; i++) {
      const path = randomPath(random, pool, routes);
      const method = random.pick(['GET', 'GET', 'POST', 'PUT']);
      const found = table.find(method, path);
      const among = written.map((one) => `${one.route.method} ${one.path}`).join('  ');
      const context = `seed ${seed}${strict ? '' : ', not strict'}: ${method} ${path} among ${among}`;
      assert.deepEqual(shuffled.find(method, path), found, `${context}, in another order`);
      const expected = findNaively(routes, method, path, strict);
      assert.ok(expected.length <= 1, `${context}: the definition does not tell ${expected.length} routes apart`);
      const own = found === null ? [] : [{ value: found.value, params: Object.entries(found.params).sort() }];
      assert.deepEqual(
        own,
        expected.map(({ value, params }) => ({ value, params: params.toSorted() })),
        context,
      );
      const methods = ['*', 'GET', 'POST'].filter(
        (one) =>
          findNaively(
            routes.filter((route) => route.method === one),
            one,
            path,
            strict,
          ).length > 0,
      );
      assert.deepEqual(table.methods(path), methods, context);
      finds += expected.length > 0 ? 1 : 0;
    }
  }
  assert.ok(finds > TABLES * PATHS * 0.5, `only ${finds} of ${TABLES * PATHS} paths have a route: the generator tests little`);
});
