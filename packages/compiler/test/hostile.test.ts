/** What others send: prototypes, depth, lengths, odd values; and mutations of it, checked by two ways against each other. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { inspect } from 'node:util';
import { compileShape } from '../../fulmar/src/shape/validate/compile.ts';
import type { ShapeDocument } from '../../fulmar/src/shape/shape.ts';
import type { Issue } from '../../fulmar/src/shape/validate/rule-types.ts';
import { assertNoPollution, random, ROUNDS, SEED } from '../../fulmar/test/fuzz.ts';
import { DECLARATIONS } from './cases.ts';
import { TYPES } from './hostile-types.ts';
import { makeProject, run } from './support.ts';

interface Made {
  readonly validate: (value: unknown) => boolean;
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
  readonly errors: (value: unknown) => readonly Issue[];
  readonly document: ShapeDocument;
  readonly sample: (seed: number) => unknown;
}

let folder = '';
let made: Readonly<Record<keyof typeof TYPES, Made>>;

before(() => {
  folder = makeProject();
  const parts = Object.entries(TYPES).map(([name, type]) => {
    return `${name}: { validate: validate<${type}>, parse: parse<${type}>, stringify: stringify<${type}>, errors: errors<${type}>, document: schemaOf<${type}>(), sample: sample<${type}> }`;
  });
  made = run(
    folder,
    `import { errors, parse, sample, schemaOf, stringify, validate } from 'fulmar/types';${DECLARATIONS}export default { ${parts.join(',\n')} };`,
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

it('lets no member reach a prototype', () => {
  const texts = ['{"__proto__":{"admin":true},"x":1,"y":2}', '{"constructor":{"prototype":{"admin":true}},"x":1,"y":2}'];
  for (const text of texts) {
    for (const name of ['point', 'kept'] as const) {
      const value = made[name].parse(text) as Record<string, unknown>;
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      assert.equal(value['admin'], undefined);
    }
  }
  const record = made.record.parse('{"__proto__":1,"a":2}') as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(record), Object.prototype);
  assert.deepEqual(Object.entries(record), [
    ['__proto__', 1],
    ['a', 2],
  ]);
  const odd = made.odd.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(odd), Object.prototype);
  assert.deepEqual(Object.keys(odd), ['__proto__']);
  assert.equal(({} as Record<string, unknown>)['admin'], undefined);
  assert.equal(made.record.stringify(record), '{"__proto__":1,"a":2}');
});

it('leaves members out that the type does not have', () => {
  assert.deepEqual(made.point.parse('{"x":1,"y":2,"secret":3}'), { x: 1, y: 2 });
  assert.equal(made.point.stringify({ x: 1, y: 2, secret: 3 }), '{"x":1,"y":2}');
  assert.deepEqual(made.kept.parse('{"x":1,"y":2,"more":[3]}'), { x: 1, y: 2, more: [3] });
  assert.equal(made.kept.stringify({ x: 1, y: 2, more: [3], no: undefined }), '{"x":1,"y":2,"more":[3]}');
});

it('refuses what is nested too deep, and says so', () => {
  for (const depth of [300, 100_000]) {
    const text = '['.repeat(depth) + ']'.repeat(depth);
    assert.throws(() => made.json.parse(text), { code: 'FULMAR_VALIDATION', message: /256 deep at most/ });
    const tail = `${'{"head":"a","tail":'.repeat(depth)}null${'}'.repeat(depth)}`;
    assert.throws(() => made.list.parse(tail), { code: 'FULMAR_VALIDATION' });
  }
  assert.doesNotThrow(() => made.json.parse('['.repeat(200) + ']'.repeat(200)));
});

it('does not try every member of a union at every level', () => {
  const declared =
    'interface Left { next: Left | Right | null; left: { s: 1 } }\ninterface Right { next: Left | Right | null; right: { s: 1 }; more: Right | null }\n';
  const check = run<(value: unknown) => boolean>(
    folder,
    `import { validate } from 'fulmar/types';\n${declared}export default validate<Left>;`,
  );
  const chain = (end: unknown, made: object): unknown => Array.from({ length: 200 }).reduce<unknown>((next) => ({ next, ...made }), end);
  assert.equal(check(chain(null, { left: { s: 1 } })), true);
  assert.equal(check(chain(1, { left: { s: 1 } })), false);
  assert.equal(check({ next: chain(1, { right: { s: 1 }, more: null }), left: { s: 1 } }), false);
});

it('does not try alternatives that contain themselves by a power of the depth', () => {
  const check = run<(value: unknown) => boolean>(
    folder,
    "import { validate } from 'fulmar/types';\ntype Both = { l: Both | null } | { l: Both | null; r: number };\nexport default validate<Both>;",
  );
  const nested = (end: unknown): unknown => Array.from({ length: 60 }).reduce<unknown>((l) => ({ l, r: 1 }), end);
  assert.equal(check(nested(null)), true);
  assert.equal(check(nested('x')), false);
});

it('hands on nothing unread where telling the members of unions takes too many steps', () => {
  const { read, judge } = run<{
    read: (text: string) => unknown;
    judge: { readonly '~standard': { readonly validate: (value: unknown) => { readonly issues?: readonly Issue[] } } };
  }>(
    folder,
    "import { parse, schema } from 'fulmar/types';\ntype Node = { v: Date; below: Node[] } | { w: Date; below: Node[] };\n" +
      'export default { read: parse<Node>, judge: schema<Node>() };',
  );
  const at = '"v":"2026-11-25","admin":true';
  const leaves = Array.from({ length: 15_000 }, () => `{${at},"below":[]}`).join(',');
  const text = `${`{${at},"below":[`.repeat(240)}${leaves}${']}'.repeat(240)}`;
  assert.throws(() => read(text), { code: 'FULMAR_VALIDATION', message: /2000000 steps/ });
  assert.match(judge['~standard'].validate(JSON.parse(text)).issues?.[0]?.message ?? 'none', /2000000 steps/);
  assert.deepEqual(read(`{${at},"below":[{${at},"below":[]}]}`), {
    v: new Date('2026-11-25'),
    below: [{ v: new Date('2026-11-25'), below: [] }],
  });
});

it('takes undefined for an item that may be missing, though it is a union', () => {
  const judge = run<{ readonly '~standard': { readonly validate: (value: unknown) => unknown } }>(
    folder,
    "import { schema } from 'fulmar/types';\nexport default schema<[number, ({ v: Date } | { w: string })?]>();",
  );
  assert.deepEqual(judge['~standard'].validate([1, undefined]), { value: [1, undefined] });
});

it('counts members of sets and maps as they are left', () => {
  const { set, map } = run<Readonly<Record<'set' | 'map', (text: string) => unknown>>>(
    folder,
    "import { parse, type MinLength } from 'fulmar/types';\n" +
      'export default { set: parse<Set<bigint> & MinLength<2>>, map: parse<Map<string, number> & MinLength<2>> };',
  );
  assert.throws(() => set('["1",1]'), { code: 'FULMAR_VALIDATION', message: /set/i });
  assert.throws(() => map('[["a",1],["a",2]]'), { code: 'FULMAR_VALIDATION', message: /map/i });
  assert.deepEqual(set('["1",2,2]'), new Set([1n, 2n]));
  assert.deepEqual(map('[["a",1],["b",2],["a",3]]'), new Map(Object.entries({ a: 3, b: 2 })));
});

it('answers for values that contain themselves', () => {
  const tree = { value: 1, children: [] as unknown[] };
  tree.children.push(tree);
  assert.equal(made.tree.validate(tree), false);
  assert.notDeepEqual(made.tree.errors(tree), []);
  assert.throws(() => made.tree.stringify(tree), { name: 'TypeError', message: /contains itself/ });
});

it('reads forms on the wire strictly', () => {
  const base = { at: '2026-11-25T10:00:00Z', b: null, m: [], s: [] };
  const parse = (change: object): unknown => made.wire.parse(JSON.stringify({ ...base, ...change }));
  for (const change of [
    { at: '2026-02-30T10:00:00Z' },
    { at: '25 Nov 2026' },
    { at: 0 },
    { at: '' },
    { n: '1.5' },
    { n: '0x10' },
    { n: '' },
    { n: ' 1' },
    { n: 2 ** 60 },
    { n: '9'.repeat(1001) },
    { b: 'AA' },
    { b: 'AA=A' },
    { b: '*AA=' },
    { m: [['a']] },
    { m: [['a', '2026-11-25', 1]] },
    { m: {} },
    { s: [1.5] },
    { s: {} },
    { u: '/relative' },
    { u: 1 },
  ]) {
    assert.throws(() => parse(change), { code: 'FULMAR_VALIDATION' }, JSON.stringify(change));
  }
  const value = parse({ at: '2026-11-25', n: '-5', b: 'AQI=', m: [['a', '2026-11-25']], s: ['1', 2], u: 'https://é.example' }) as {
    n: bigint;
    b: Uint8Array;
    s: Set<bigint>;
  };
  assert.deepEqual([value.n, [...value.b], [...value.s]], [-5n, [1, 2], [1n, 2n]]);
  assert.throws(() => made.wire.parse('{"at":'), SyntaxError);
});

it('writes no JSON of values that break their type', () => {
  const row = { id: '1,"admin":true' as unknown as number, name: 'a', tags: [] };
  assert.throws(() => made.mixed.stringify(row), { name: 'TypeError', message: /a number is expected by the type, and this is string/ });
  assert.throws(() => made.shape.stringify({ kind: 'none' }), { message: /one of the members of its union/ });
  assert.equal(made.record.stringify({ a: NaN, b: Infinity, c: -0, 'é"\n': 1e21 }), '{"a":null,"b":null,"c":0,"é\\"\\n":1e+21}');
});

it('tells at most a hundred issues, without what came', () => {
  const issues = made.record.errors(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 'secret'])));
  assert.equal(issues.length, 100);
  assert.doesNotMatch(JSON.stringify(issues), /secret/);
});

const ODD = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  NaN,
  1n,
  '',
  'a',
  'text that is longer',
  [],
  {},
  [1],
  { x: 1, y: 2 },
  new Date(0),
  new Date(NaN),
  new Map(),
  new Set([1]),
  Symbol.iterator,
];

/** The value with one thing in it changed, wherever that is. */
function mutated(value: unknown, pick: (below: number) => number): unknown {
  if (pick(4) === 0 || typeof value !== 'object' || value === null) return ODD[pick(ODD.length)];
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as unknown[])];
    if (copy.length === 0 || pick(4) === 0) copy.push(ODD[pick(ODD.length)]);
    else copy[pick(copy.length)] = mutated(copy[pick(copy.length)], pick);
    return copy;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return ODD[pick(ODD.length)];
  const copy: Record<string, unknown> = { ...value };
  const keys = Object.keys(copy);
  const key = keys[pick(keys.length)];
  if (key === undefined) return { extra: 1 };
  if (pick(3) === 0) delete copy[key];
  else copy[key] = mutated(copy[key], pick);
  return copy;
}

for (const name of Object.keys(TYPES) as (keyof typeof TYPES)[]) {
  it(`agrees with the validators of the app on mutations of ${TYPES[name]}`, () => {
    const one = made[name];
    const oracle = compileShape(one.document);
    const pick = random(7);
    let fitting = 0;
    for (let round = 0; round < 2000; round += 1) {
      let value = one.sample(pick(1000));
      for (let times = pick(3); times > 0; times -= 1) value = mutated(value, pick);
      const expected = oracle.check(value);
      assert.equal(one.validate(value), expected, inspect(value, { depth: 9 }));
      assert.equal(one.errors(value).length === 0, expected);
      if (!expected) continue;
      fitting += 1;
      const back = one.parse(one.stringify(value));
      assert.ok(one.validate(back), inspect(back, { depth: 9 }));
      assert.equal(one.stringify(back), one.stringify(value));
    }
    assert.ok(fitting > 200 && fitting < 2000, `${fitting} of 2000 fit`);
  });

  it(`throws nothing but what it says for cut and changed JSON of ${TYPES[name]}, from seed ${SEED} on`, () => {
    const pick = random(SEED);
    const before = Reflect.ownKeys(Object.prototype);
    for (let round = 0; round < ROUNDS * 2; round += 1) {
      const text = made[name].stringify(made[name].sample(pick(1000)));
      const at = pick(text.length + 1);
      const piece = ['', '"', '{', '}', '[', ']', 'null', '0', '-', 'e9', '\\u0000', '"__proto__":1,'][pick(12)] ?? '';
      const changed = text.slice(0, at) + piece + text.slice(at + pick(3));
      try {
        const value = made[name].parse(changed);
        assert.ok(made[name].validate(value), changed);
      } catch (error) {
        assert.ok(
          error instanceof SyntaxError || (error as { code?: string }).code === 'FULMAR_VALIDATION',
          `${changed}\n${String(error)}`,
        );
      }
    }
    assertNoPollution(before);
  });
}
