/** The binary form of types: what is refused and how, what its bytes depend on, and values that are hard to write. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { DECLARATIONS } from './cases.ts';
import { makeProject, run } from './support.ts';

interface Codec {
  readonly encode: (value: unknown) => Uint8Array<ArrayBuffer>;
  readonly decode: (bytes: unknown) => unknown;
}

let folder = '';
before(() => {
  folder = makeProject();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const codec = (type: string, declared = ''): Codec =>
  run(
    folder,
    `import { decode, encode } from 'fulmar/types';${DECLARATIONS}${declared}\nexport default { encode: encode<${type}>, decode: decode<${type}> };`,
  );
const again = ({ encode, decode }: Codec, value: unknown): unknown => decode(encode(value));

it('writes what the type does not know, and no more', () => {
  const { encode } = codec('{ kind: "point"; x: number; y: number; name?: string }');
  // Version, fingerprint, a bit for the name, two small integers.
  const plain = encode({ kind: 'point', x: 1, y: -1 });
  assert.equal(plain[0], 1);
  assert.deepEqual([...plain.subarray(5)], [0, 33, 31]);
  assert.deepEqual([...encode({ kind: 'point', x: 1, y: -1, name: 'a' }).subarray(5)], [1, 2, 97, 33, 31]);
});

it('packs lists of numbers by the largest of them', () => {
  const { encode, decode } = codec('number[]');
  for (const [list, each] of [
    [[1, -128, 127], 1],
    [[1, 128], 2],
    [[1, -32_769], 4],
    [[1.5, -0], 4],
    [[1, 2 ** 31], 4],
    [[0.1, 2], 8],
    [[2 ** 53 - 1, 1], 8],
  ] as const) {
    const bytes = encode(list);
    assert.equal(bytes.length, 5 + 2 + list.length * each, String(list));
    assert.deepEqual(decode(bytes), list);
  }
  assert.deepEqual(decode(encode([])), []);
  assert.throws(() => encode([1, NaN]), { name: 'TypeError', message: /a finite number is expected by the type, and this is NaN/ });
  assert.throws(() => encode([0.1, '2']), { name: 'TypeError', message: /this is string/ });
});

it('brings numbers, texts and bigints back to the last bit', () => {
  const { encode, decode } = codec('(number | string | bigint)[]');
  const numbers = [
    0,
    -0,
    191,
    192,
    -32,
    -33,
    32_767,
    32_768,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    0.5,
    0.1,
    5e-324,
    Number.MAX_VALUE,
  ];
  const texts = [
    '',
    'a'.repeat(48),
    'a'.repeat(49),
    'é'.repeat(40),
    '🐦'.repeat(30_000),
    '\ufeffa',
    '\ud800',
    'a\udc00'.repeat(5000),
    '\0',
  ];
  const bigints = [0n, -1n, 255n, 256n, 2n ** 53n, -(2n ** 64n), 10n ** 999n, -(10n ** 999n)];
  const values = [...numbers, ...texts, ...bigints];
  const back = decode(encode(values)) as unknown[];
  assert.equal(back.length, values.length);
  for (const [at, value] of values.entries()) assert.ok(Object.is(back[at], value), String(value));
  assert.throws(() => encode([10n ** 1100n]), { name: 'TypeError', message: /send it as bytes/ });
});

it('hands bytes out that nobody else writes to', () => {
  const { encode, decode } = codec('Uint8Array');
  const given = new Uint8Array([1, 2, 3]);
  const bytes = encode(given);
  const [one, other] = [decode(bytes) as Uint8Array, encode(new Uint8Array([4, 5, 6]))];
  bytes.fill(0);
  given.fill(0);
  assert.deepEqual([...one], [1, 2, 3]);
  assert.deepEqual([...other.subarray(-3)], [4, 5, 6]);
  // Of Node's shared memory, at an odd place.
  const { decode: floats, encode: encodeFloats } = codec('Float64Array');
  assert.deepEqual(floats(Buffer.concat([Buffer.from('x'), encodeFloats(new Float64Array([0.5]))]).subarray(1)), new Float64Array([0.5]));
});

it('is written anew by a getter that encodes as well', () => {
  const { encode, decode } = codec('{ a: string; b: string }');
  const inner = encode({ a: 'inner', b: '' });
  const value = {
    a: 'outer',
    get b() {
      assert.deepEqual(encode({ a: 'inner', b: '' }), inner);
      return 'end';
    },
  };
  assert.deepEqual(decode(encode(value)), { a: 'outer', b: 'end' });
});

it('leaves out what the type does not have', () => {
  const point = codec('Point');
  assert.deepEqual(again(point, { x: 1, y: 2, secret: 3 }), { x: 1, y: 2 });
  const kept = codec('Point & f.UnknownKeys<"keep">');
  const value = { x: 1, y: 2, more: [new Date(0), 1n, new Map([['a', new Float32Array([0.5])]])], no: null };
  assert.deepEqual(again(kept, { ...value, left: undefined }), value);
  const record = codec('Record<string, number>');
  const odd = JSON.parse('{"__proto__":1,"a":2}') as object;
  assert.deepEqual(Object.entries(again(record, odd) as object), Object.entries(odd));
  assert.throws(() => again(kept, JSON.parse('{"x":1,"y":2,"more":{"__proto__":{"admin":true}}}')), { message: /a member __proto__/ });
});

it('refuses bytes of another type, another version and no bytes, and says so', () => {
  const point = codec('Point');
  const bytes = point.encode({ x: 1, y: 2 });
  assert.throws(() => codec('{ x: number; z: number }').decode(bytes), {
    name: 'DecodeError',
    code: 'FULMAR_DECODE',
    at: 1,
    message:
      /^the bytes cannot be decoded: at byte 1, a value of the type with the fingerprint [\da-f]{8} is expected, and there is one of [\da-f]{8}$/,
  });
  assert.throws(() => point.decode(Uint8Array.from([2, ...bytes.subarray(1)])), {
    message: /version 1 of the binary form .* version 2/,
    at: 0,
  });
  for (const what of ['{"x":1}', null, undefined, 7, [1, 2], new ArrayBuffer(8)])
    assert.throws(() => point.decode(what), { code: 'FULMAR_DECODE', message: /a Uint8Array is expected/ });
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(() => point.decode(bytes.subarray(0, length)), { code: 'FULMAR_DECODE', message: /the end in \d/ });
  assert.throws(() => point.decode(Uint8Array.from([...bytes, 0])), { message: /the end is expected, and there is 1 bytes more/ });
});

it('checks formats, ranges and lengths as parse does', () => {
  const loose = codec('{ id: number; name: string; tags: string[]; at?: string }');
  const strict = codec('{ id: f.Int & f.Min<1>; name: string & f.MaxLength<5>; tags: string[] & f.MinLength<1>; at?: f.Email }');
  const issuesOf = (value: unknown): unknown => {
    try {
      return strict.decode(loose.encode(value));
    } catch (error) {
      const { code, issues, message } = error as { code: string; issues?: { path: unknown[] }[]; message: string };
      return issues === undefined ? message : [code, ...issues.map(({ path }) => path.join('.'))];
    }
  };
  const good = { id: 1, name: 'abc', tags: ['a'], at: 'a@b.example' };
  assert.deepEqual(issuesOf(good), good);
  assert.deepEqual(issuesOf({ ...good, id: 0 }), ['FULMAR_VALIDATION', 'id']);
  assert.deepEqual(issuesOf({ id: -1, name: 'abcdef', tags: [], at: 'nobody' }), ['FULMAR_VALIDATION', 'id', 'name', 'tags', 'at']);
  assert.match(issuesOf({ ...good, id: 1.5 }) as string, /an integer is expected/);
});

it('does not depend on the order in which a program comes to know types', () => {
  const types = [
    '"b" | "a" | 3',
    '{ k: "one"; a: number } | { k: "two"; b: string } | { k: "three"; c: Date }',
    'string[] | Date | Point | null',
  ];
  const values = [
    ['a', 'b', 3],
    [
      { k: 'one', a: 1 },
      { k: 'two', b: 'x' },
      { k: 'three', c: new Date(0) },
    ],
    [['x'], new Date(0), { x: 1, y: 2 }, null],
  ];
  for (const [at, type] of types.entries()) {
    const turned = type.split(' | ').toReversed().join(' | ');
    const [one, other] = [codec(type), codec(type, `\ntype First = ${turned}; const first: First | undefined = undefined; void first;`)];
    const named = codec('Named2', `\ntype Named2 = Inner; type Inner = ${turned};`);
    for (const value of values[at] as unknown[]) {
      assert.deepEqual(other.encode(value), one.encode(value));
      assert.deepEqual(named.decode(one.encode(value)), value);
    }
  }
  assert.deepEqual(codec('{ b: string; a: number }').decode(codec('{ a: number; b: string }').encode({ a: 1, b: 'x' })), { a: 1, b: 'x' });
});

it('refuses values of another type where they are written', () => {
  const point = codec('Point');
  for (const value of [null, undefined, 1, {}, { x: 1 }, { x: 1, y: '2' }, { x: 1, y: Infinity }])
    assert.throws(() => point.encode(value), { name: 'TypeError', message: /is expected by the type, and this is/ });
  for (const [type, wrong] of [
    ['Shape', { kind: 'none' }],
    ['"a" | "b"', 'c'],
    ['Map<string, number>', new Set()],
    ['Set<string>', []],
    ['number[][]', [1]],
    ['Date', new Date(NaN)],
    ['URL', 'https://birds.example'],
    ['Uint8Array', [1]],
    ['bigint', 1],
    ['boolean', 1],
    ['[string, number?]', 'ab'],
  ] as const)
    assert.throws(() => codec(type).encode(wrong), { name: 'TypeError', message: /is expected by the type/ }, type);
});

it('has an end for types that contain themselves', () => {
  const list = codec('List<string>');
  const chain = (length: number): unknown => Array.from({ length }).reduce<unknown>((tail) => ({ head: 'a', tail }), null);
  assert.deepEqual(again(list, chain(200)), chain(200));
  assert.throws(() => list.encode(chain(300)), { name: 'TypeError', message: /nested deeper than 256 levels/ });
  const tree = { value: 1, children: [] as unknown[] };
  tree.children.push(tree);
  assert.throws(() => codec('Tree').encode(tree), { name: 'TypeError', message: /contains itself/ });
});

it('counts the steps of each value alone', () => {
  const { encode, stringify } = run<{ encode: (value: unknown) => Uint8Array; stringify: (value: unknown) => string }>(
    folder,
    `import { encode, stringify } from 'fulmar/types';${DECLARATIONS}export default { encode: encode<Amb>, stringify: stringify<Amb> };`,
  );
  const value = Array.from({ length: 100 }).reduce<unknown>((l) => ({ l, r: 1 }), null);
  // Together far more than the steps of one value.
  for (let round = 0; round < 600; round += 1) {
    assert.ok(stringify(value).length > 500);
    assert.ok(encode(value).length > 100);
  }
});

it('does not look into a value to tell it from null', () => {
  const { encode, stringify } = run<Record<'encode' | 'stringify', (value: unknown) => unknown>>(
    folder,
    `import { encode, stringify } from 'fulmar/types';${DECLARATIONS}export default { encode: encode<List<string>>, stringify: stringify<List<string>> };`,
  );
  let reads = 0;
  const last = {
    get head() {
      reads += 1;
      return 'a';
    },
    tail: null,
  };
  const chain = Array.from({ length: 100 }).reduce<unknown>((tail) => ({ head: 'a', tail }), last);
  encode(chain);
  stringify(chain);
  assert.equal(reads, 2);
});

it('writes in the place of an instance what its codec gives, and reads it again where that fits', () => {
  const made: { encode: Codec['encode']; decode: Codec['decode']; Even: new (value: number) => object; raw: Codec['encode'] } = run(
    folder,
    `import { codec, decode, encode } from 'fulmar/types';
    class Even { constructor(readonly value: number) { if (value % 2 !== 0) throw new Error('odd'); } }
    codec('Even', Even, { encode: (even) => even.value, decode: (value: number) => new Even(value) });
    type Held = { one: Even; list: (Even | null)[]; by: Map<string, Even> };
    export default { encode: encode<Held>, decode: decode<Held>, Even };`,
  );
  const { Even } = made;
  const held = { one: new Even(2), list: [new Even(4), null], by: new Map([['a', new Even(6)]]) };
  const bytes = made.encode(held);
  const back = made.decode(bytes) as typeof held;
  assert.deepEqual(back, held);
  assert.ok(back.one instanceof Even && back.list[0] instanceof Even && back.by.get('a') instanceof Even);
  assert.throws(() => made.encode({ ...held, one: { value: 2 } }), TypeError);
  // A small integer is its head, 6 here.
  const odd = bytes.slice();
  const at = odd.lastIndexOf(38);
  assert.ok(at > 0);
  odd[at] = 37;
  assert.throws(
    () => made.decode(odd),
    (error: Error) => error.name === 'DecodeError' && /what Even is made of/.test(error.message),
  );
});

it(
  'writes values of Temporal as their texts, where the host has it',
  { skip: !('Temporal' in globalThis) && 'this Node has no Temporal' },
  () => {
    const { encode, decode } = codec('{ day: Temporal.PlainDate; at?: Temporal.Instant }');
    const { Temporal } = globalThis as unknown as { Temporal: Record<string, { from: (text: string) => unknown }> };
    const value = { day: Temporal['PlainDate']?.from('2026-11-26'), at: Temporal['Instant']?.from('1970-01-01T00:00:00Z') };
    const back = decode(encode(value)) as typeof value;
    assert.deepEqual([String(back.day), String(back.at)], ['2026-11-26', '1970-01-01T00:00:00Z']);
    const bytes = encode({ day: value.day });
    // The last digits of the day.
    bytes[bytes.length - 2] = 57;
    assert.throws(
      () => decode(bytes),
      (error: Error) => error.name === 'DecodeError' && /what Temporal\.PlainDate is made of/.test(error.message),
    );
  },
);
