/**
 * The same types as zod and TypeBox have them, on the values of the tables and values near them. Where verdicts differ
 * the reason stands here and in `docs/internals/compiler.md`; a difference that is gone fails as well.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Type as T, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { z } from 'zod';
import { CASES as KINDS, DECLARATIONS } from './cases.ts';
import { EDGE_CASES, EDGE_DECLARATIONS, FILES } from './edge-cases.ts';
import { changed, randomOf } from './random-values.ts';
import { makeProject, run } from './support.ts';

interface Pair {
  readonly zod?: z.ZodType;
  readonly typebox?: TSchema;
  /** By library: why some verdicts differ. */
  readonly differs?: Readonly<Partial<Record<'zod' | 'typebox', string>>>;
}

const VALUES = 40;

interface Tree {
  value: number;
  children: Tree[];
}
const tree: z.ZodType<Tree> = z.object({ value: z.number(), children: z.array(z.lazy(() => tree)) });
const point = z.object({ x: z.number(), y: z.number() });
const pointBox = T.Object({ x: T.Number(), y: T.Number() });

const PAIRS: Readonly<Record<string, Pair>> = {
  string: { zod: z.string(), typebox: T.String() },
  number: { zod: z.number(), typebox: T.Number() },
  boolean: { zod: z.boolean(), typebox: T.Boolean() },
  bigint: { zod: z.bigint(), typebox: T.BigInt() },
  null: { zod: z.null(), typebox: T.Null() },
  undefined: { zod: z.undefined(), typebox: T.Undefined() },
  unknown: { zod: z.unknown(), typebox: T.Unknown() },
  never: { zod: z.never(), typebox: T.Never() },
  '"a"': { zod: z.literal('a'), typebox: T.Literal('a') },
  '42': { zod: z.literal(42), typebox: T.Literal(42) },
  true: { zod: z.literal(true), typebox: T.Literal(true) },
  '"a" | "b" | 3': { zod: z.literal(['a', 'b', 3]), typebox: T.Union([T.Literal('a'), T.Literal('b'), T.Literal(3)]) },
  Colour: { zod: z.enum({ Red: 0, Green: 5, Blue: 'blue' }), typebox: T.Enum([0, 5, 'blue']) },
  'string | number': { zod: z.union([z.string(), z.number()]), typebox: T.Union([T.String(), T.Number()]) },
  'string | null': { zod: z.string().nullable(), typebox: T.Union([T.String(), T.Null()]) },
  'string[]': { zod: z.array(z.string()), typebox: T.Array(T.String()), differs: { typebox: 'passes over holes' } },
  'number[][]': { zod: z.array(z.array(z.number())), typebox: T.Array(T.Array(T.Number())) },
  '[string, number]': { zod: z.tuple([z.string(), z.number()]), typebox: T.Tuple([T.String(), T.Number()]) },
  '[string, ...number[]]': { zod: z.tuple([z.string()], z.number()) },
  '[string, number?]': { zod: z.tuple([z.string(), z.number().optional()]) },
  '[]': { zod: z.tuple([]), typebox: T.Tuple([]) },
  Point: { zod: point, typebox: pointBox },
  Named: {
    zod: z.object({ name: z.string(), nick: z.string().optional() }),
    typebox: T.Object({ name: T.String(), nick: T.Optional(T.String()) }),
  },
  '{ a?: string }': { zod: z.object({ a: z.string().optional() }), typebox: T.Object({ a: T.Optional(T.String()) }) },
  'Record<string, number>': {
    zod: z.record(z.string(), z.number()),
    typebox: T.Record(T.String(), T.Number()),
    differs: { zod: 'passes over a member called __proto__' },
  },
  'Record<"a" | "b", boolean>': { zod: z.record(z.enum(['a', 'b']), z.boolean()), differs: { zod: 'refuses other members' } },
  'Partial<Point>': { zod: point.partial(), typebox: T.Partial(pointBox) },
  'Pick<Point, "x">': { zod: point.pick({ x: true }), typebox: T.Pick(pointBox, ['x']) },
  'Point & Named': {
    zod: z.intersection(point, z.object({ name: z.string(), nick: z.string().optional() })),
    typebox: T.Intersect([pointBox, T.Object({ name: T.String(), nick: T.Optional(T.String()) })]),
  },
  'Result<Point>': {
    zod: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), value: point }),
      z.object({ ok: z.literal(false), error: z.string() }),
    ]),
    typebox: T.Union([T.Object({ ok: T.Literal(true), value: pointBox }), T.Object({ ok: T.Literal(false), error: T.String() })]),
  },
  Tree: { zod: tree, typebox: T.Cyclic({ Tree: T.Object({ value: T.Number(), children: T.Array(T.Ref('Tree')) }) }, 'Tree') },
  JsonValue: { zod: z.json() },
  Date: { zod: z.date() },
  'Map<string, number>': { zod: z.map(z.string(), z.number()) },
  'Set<"a" | "b">': { zod: z.set(z.enum(['a', 'b'])) },
  '`/users/${number}`': { zod: z.templateLiteral(['/users/', z.number()]) },
  '`${string}-${"a" | "b"}`': { zod: z.templateLiteral([z.string(), '-', z.enum(['a', 'b'])]) },
  'f.Email': { zod: z.email(), differs: { zod: 'asks for a dot in the domain' } },
  'f.UUID': { zod: z.guid() },
  'f.UUIDv7': { zod: z.uuidv7() },
  'f.IsoDate': { zod: z.iso.date() },
  'f.IsoDateTime': { zod: z.iso.datetime({ offset: true }) },
  'f.IPv4': { zod: z.ipv4() },
  'f.Int': { zod: z.int(), typebox: T.Integer(), differs: { zod: 'takes safe integers alone' } },
  'f.UInt8': { zod: z.int().min(0).max(255), typebox: T.Integer({ minimum: 0, maximum: 255 }) },
  'f.Int64': { zod: z.int64() },
  'number & f.Min<1> & f.Max<3>': { zod: z.number().min(1).max(3), typebox: T.Number({ minimum: 1, maximum: 3 }) },
  'string & f.MinLength<2> & f.MaxLength<3>': {
    zod: z.string().min(2).max(3),
    typebox: T.String({ minLength: 2, maxLength: 3 }),
  },
  'number[] & f.NonEmpty & f.MaxLength<2>': {
    zod: z.array(z.number()).min(1).max(2),
    typebox: T.Array(T.Number(), { minItems: 1, maxItems: 2 }),
  },
  'string[] & f.Unique': { typebox: T.Array(T.String(), { uniqueItems: true }) },
  'Point & f.UnknownKeys<"reject">': {
    zod: z.strictObject({ x: z.number(), y: z.number() }),
    typebox: T.Object({ x: T.Number(), y: T.Number() }, { additionalProperties: false }),
  },
  Merged: {
    zod: z.object({ a: z.number(), b: z.string(), c: z.boolean().optional() }),
    typebox: T.Object({ a: T.Number(), b: T.String(), c: T.Optional(T.Boolean()) }),
  },
};
const TYPES = Object.keys(PAIRS).filter((type) => Object.keys(PAIRS[type] ?? {}).length > 0);

interface Made {
  readonly validate: (value: unknown) => boolean;
  readonly sample: ((seed: number) => unknown) | null;
  readonly values: readonly unknown[];
}

let folder = '';
let made: readonly Made[] = [];
before(() => {
  folder = makeProject(FILES);
  const table = new Map([...KINDS, ...EDGE_CASES].map((one) => [one.type, one]));
  const parts = TYPES.map((type) => {
    const known = table.get(type);
    if (known === undefined) throw new Error(`${type} is in no table of cases`);
    const isMade = known.fits.length > 0 && !['undefined', 'bigint'].includes(type);
    return `{ validate: validate<${type}>, sample: ${isMade ? `sample<${type}>` : 'null'}, values: [${[...known.fits, ...known.not].join(', ')}] }`;
  });
  const head = `import { sample, validate } from 'fulmar/types';${DECLARATIONS}${EDGE_DECLARATIONS}`;
  made = run<Made[]>(folder, `${head}export default [\n${parts.join(',\n')}];`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Those of the table, values that fit, and values near them. */
function valuesOf({ values, sample }: Made): unknown[] {
  const more: unknown[] = [];
  for (let seed = 1; sample !== null && seed <= VALUES; seed += 1) {
    const value = sample(seed);
    more.push(value);
    if (typeof value !== 'bigint') more.push(changed(JSON.parse(JSON.stringify(value)), randomOf(seed)));
  }
  return [...values, ...more];
}

function differences(at: number, theirs: (value: unknown) => boolean): string[] {
  const one = made[at] as Made;
  return valuesOf(one)
    .filter((value) => one.validate(value) !== theirs(value))
    .map((value) => `${inspect(value)}: ${one.validate(value) ? 'they refuse' : 'they take'}`);
}

for (const [library, check] of [
  ['zod', ({ zod }: Pair) => (zod === undefined ? undefined : (value: unknown) => zod.safeParse(value).success)],
  ['typebox', ({ typebox }: Pair) => (typebox === undefined ? undefined : (value: unknown) => Value.Check(typebox, value))],
] as const) {
  describe(`beside ${library}`, () => {
    for (const [at, type] of TYPES.entries()) {
      const pair = PAIRS[type] ?? {};
      const theirs = check(pair);
      if (theirs === undefined) continue;
      const reason = pair.differs?.[library];
      it(reason === undefined ? `${type} takes the same` : `${type} differs: it ${reason}`, () => {
        const found = differences(at, theirs);
        if (reason === undefined) assert.deepEqual(found.slice(0, 8), []);
        else assert.ok(found.length > 0, 'there is no difference any more: take it out of the tables');
      });
    }
  });
}
