/** Bytes of others for `decode`: cut, changed, made up, announcing more than there is. Never anything but its own errors. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { assertNoPollution, changedBytes, type Pick, random, ROUNDS, SEED } from '../../fulmar/test/fuzz.ts';
import type { Given } from './binary-worker.ts';
import { DECLARATIONS } from './cases.ts';
import { TYPES } from './hostile-types.ts';
import { bodyOf, makeProject, run } from './support.ts';

interface Made {
  readonly validate: (value: unknown) => boolean;
  readonly encode: (value: unknown) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
  readonly sample: (seed: number) => unknown;
}

const ALL = {
  ...TYPES,
  unknown: 'unknown',
  numbers: 'number[]',
  integers: 'f.Int[]',
  nothing: '("a" | null | undefined)[]',
  literals: '"a"[]',
  empty: '{ kind: "a" }[]',
  nulls: 'Set<null> | Map<"a", undefined>',
  nested: 'number[][][][][][]',
  texts: 'Record<string, string[]>',
  tuple: '[number, "a"?, ...("b" | undefined)[]]',
  defaults: '{ a: number & f.Default<1>; b?: string & f.Default<"x"> }[]',
  floats: 'Float64Array | DataView | ArrayBuffer',
  even: 'Even',
} as const;
type Name = keyof typeof ALL;

const HEADER_BYTES = 5;
const LONG_BYTES = 200_000;
/** What the objects of so many bytes take, and a little: empty maps are the dearest. */
const HEAP_MB = 96;
const YOUNG_MB = 16;

const ownOfObject = Reflect.ownKeys(Object.prototype);
let folder = '';
let made: Readonly<Record<Name, Made>>;

before(() => {
  folder = makeProject();
  const parts = Object.entries(ALL).map(
    ([name, type]) => `${name}: { validate: validate<${type}>, encode: encode<${type}>, decode: decode<${type}>, sample: sample<${type}> }`,
  );
  made = run(
    folder,
    `import { decode, encode, sample, validate } from 'fulmar/types';${DECLARATIONS}export default { ${parts.join(',\n')} };`,
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What came, if anything did. */
function attempt(name: Name, bytes: Uint8Array): unknown {
  try {
    const value = made[name].decode(bytes);
    assert.ok(made[name].validate(value), `what was decoded fits: ${Buffer.from(bytes).toString('hex')}`);
    return value;
  } catch (error) {
    const { code } = error as { code?: string };
    assert.ok(code === 'FULMAR_DECODE' || code === 'FULMAR_VALIDATION', `${Buffer.from(bytes).toString('hex')}\n${(error as Error).stack}`);
    return undefined;
  }
}

const headerOf = (name: Name): Uint8Array => made[name].encode(sampleOf(name, 1)).subarray(0, HEADER_BYTES);
const sampleOf = (name: Name, seed: number): unknown => (name === 'unknown' ? anything(random(seed), 3) : made[name].sample(seed));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

function anything(pick: Pick, depth: number): unknown {
  const inner = (): unknown => anything(pick, depth - 1);
  const kinds: (() => unknown)[] = [
    () => pick(1000) - 500,
    () => pick(1000) / 7,
    () => 'text é'.repeat(pick(4)),
    () => null,
    () => BigInt(pick(1000)) ** 9n,
    () => new Date(pick(1000)),
    () => new URL('https://birds.example'),
    () => new Uint8Array([1, 2]),
    () => [inner(), inner()],
    () => [1, 2.5],
    () => ({ a: inner(), b: inner() }),
    () => [{ a: inner() }, { a: inner() }],
    () => new Map([[inner(), inner()]]),
    () => new Set([inner()]),
  ];
  return kinds[pick(depth === 0 ? 8 : kinds.length)]?.();
}

for (const name of Object.keys(ALL) as Name[]) {
  it(`decodes ${ALL[name]} of changed bytes, or says what is wrong, from seed ${SEED} on`, () => {
    const pick = random(SEED);
    let decoded = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = changedBytes(made[name].encode(sampleOf(name, pick(1000))), pick, pick(50) === 0 ? 0 : HEADER_BYTES);
      if (attempt(name, bytes) !== undefined) decoded += 1;
    }
    assert.ok(decoded < ROUNDS);
    assertNoPollution(ownOfObject);
  });

  it(`decodes ${ALL[name]} of made up bytes, or says what is wrong, from seed ${SEED} on`, () => {
    const pick = random(SEED + 1);
    const header = headerOf(name);
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = Uint8Array.from({ length: pick(40) }, () => (pick(2) === 0 ? pick(4) : pick(256)));
      attempt(name, joined(header, bytes));
    }
    assertNoPollution(ownOfObject);
  });
}

it('makes no more of bytes than they are for, in a heap that is small', async () => {
  const patterns = [0, 1, 2, 0x7f, 0x80, 0xed, 0xef, 0xf0, 0xf2, 0xff].flatMap((byte) => [[byte], [byte, 1], [byte, 0xff, 0xff, 0x03]]);
  const cases = (Object.keys(ALL) as Name[]).flatMap((name) =>
    patterns.map((pattern) => [name, headerOf(name), Uint8Array.from(pattern)] as const),
  );
  // And what is as dear as it can be, without a lie.
  const good = [
    ['unknown', made.unknown.encode(Array.from({ length: LONG_BYTES / 2 }, () => new Map()))],
    ['defaults', made.defaults.encode(Array.from({ length: LONG_BYTES / 2 }, () => ({})))],
    ['literals', made.literals.encode(Array.from({ length: LONG_BYTES }, () => 'a'))],
  ] as const;
  const parts = Object.entries(ALL).map(([name, type]) => `${name}: decode<${type}>`);
  const body = bodyOf(folder, `import { decode } from 'fulmar/types';${DECLARATIONS}export default { ${parts.join(',\n')} };`);
  const given: Given = { body, cases, good, length: LONG_BYTES };
  const worker = new Worker(new URL('./binary-worker.ts', import.meta.url), {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const [decoded] = (await once(worker, 'message')) as [[number, number]];
  await worker.terminate();
  assert.deepEqual(decoded, [0, good.length]);
});

it('holds a count against the bytes that are there before anything is made', () => {
  const count = Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x0f]);
  for (const name of ['numbers', 'integers', 'literals', 'empty', 'nested', 'unknown', 'defaults'] as const) {
    for (const bytes of [count, joined(Uint8Array.of(0xed), count), joined(Uint8Array.of(0xee), count)])
      assert.throws(() => made[name].decode(joined(headerOf(name), bytes)), { code: 'FULMAR_DECODE' }, name);
  }
  assert.throws(() => made.literals.decode(joined(headerOf('literals'), count)), {
    message: /a count that the bytes behind it have room for is expected, and there is 4294967295 with 0 bytes behind it/,
  });
  // Lists within lists may not announce the same bytes again.
  const all = Uint8Array.from({ length: 6 * 3 }, (_, at) => [0xe0, 0xd4, 0x03][at % 3] as number);
  assert.throws(() => made.nested.decode(joined(headerOf('nested'), all, new Uint8Array(60_000))), { code: 'FULMAR_DECODE' });
});

it('refuses bytes that are nested too deep', () => {
  for (const [name, level] of [
    ['unknown', [0xed, 1]],
    ['unknown', [0xef, 1, 0]],
    ['unknown', [0xf3 - 1, 1, 2, 97, 1]],
    ['json', [0, 1]],
    ['tree', [33, 1]],
  ] as const) {
    const bytes = Array.from({ length: 50_000 }, () => level).flat();
    assert.throws(() => made[name].decode(joined(headerOf(name), Uint8Array.from(bytes))), { code: 'FULMAR_DECODE' }, name);
  }
});

it('keeps names of members that objects have of their own from prototypes', () => {
  const proto = joined(headerOf('texts'), Uint8Array.of(1, 18), Buffer.from('__proto__'), Uint8Array.of(1, 2, 97, 0));
  const value = made.texts.decode(proto) as object;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.entries(value), [['__proto__', ['a']]]);
  const untold = joined(headerOf('unknown'), Uint8Array.of(0xef, 1, 18), Buffer.from('__proto__'), Uint8Array.of(0xef, 0));
  assert.throws(() => made.unknown.decode(untold), { code: 'FULMAR_DECODE', message: /__proto__/ });
  // A member that has a place of its own may not come a second time, by its name.
  const twice = joined(made.kept.encode({ x: 1, y: 2 }).subarray(0, -1), Uint8Array.of(1, 2), Buffer.from('x'), Uint8Array.of(0xe8, 0, 0));
  assert.throws(() => made.kept.decode(twice), { code: 'FULMAR_DECODE', message: /no place of its own/ });
  assertNoPollution(ownOfObject);
});
