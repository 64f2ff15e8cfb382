/**
 * Every type of the tables against values that are made for it, and values near those: the emitted check, the closures of
 * the same shape, issues, the way through JSON, and ajv with the JSON Schema that documents are given. A sample of them;
 * `FULMAR_TEST_VALUES=10000` says how many for each type.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { partsOf, type Shape, type ShapeDocument } from '../../fulmar/src/shape/shape.ts';
import { compileShape } from '../../fulmar/src/shape/validate/compile.ts';
import type { Issue } from '../../fulmar/src/shape/validate/rule-types.ts';
import { CASES as KINDS, DECLARATIONS } from './cases.ts';
import { EDGE_CASES, EDGE_DECLARATIONS, FILES } from './edge-cases.ts';
import { changed, randomOf } from './random-values.ts';
import { makeProject, run } from './support.ts';

const VALUES = Number(process.env['FULMAR_TEST_VALUES'] ?? 60);
const addFormats = formats as unknown as (ajv: Ajv2020) => void;

interface Made {
  readonly schema: {
    readonly '~standard': {
      validate(value: unknown): { readonly value?: unknown; readonly issues?: readonly Issue[] };
      readonly jsonSchema: { input(options: { target: string }): object };
    };
  };
  readonly validate: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly Issue[];
  readonly stringify: (value: unknown) => string;
  readonly document: ShapeDocument;
  readonly sample: (seed: number) => unknown;
}

/** Without those that are not read, and those whose texts nobody makes up. */
const CASES = [...KINDS, ...EDGE_CASES].filter(
  ({ type, lossy }) =>
    lossy !== 'is not read' && !/never>|^never$|Pattern|Docs|^Uppercase<string>|^Capitalize|^undefined$|^void$|NoNever/.test(type),
);
let folder = '';
let made: readonly Made[] = [];

before(() => {
  folder = makeProject(FILES);
  const parts = CASES.map(
    ({ type }) =>
      `{ schema: schema<${type}>(), validate: validate<${type}>, errors: errors<${type}>, stringify: stringify<${type}>, document: schemaOf<${type}>(), sample: sample<${type}> }`,
  );
  const text = `import { errors, sample, schema, schemaOf, stringify, validate } from 'fulmar/types';${DECLARATIONS}${EDGE_DECLARATIONS}`;
  made = run<Made[]>(folder, `${text}export default [\n${parts.join(',\n')}];`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What is read in more forms than the one that is written, and that documents tell of: a value of ours may be none of ajv's. */
const readsMore = (shape: Shape): boolean =>
  ['date', 'bigint', 'url', 'set'].includes(shape.kind) ||
  (shape.kind === 'literal' ? [shape.value] : shape.kind === 'enum' ? shape.values : []).some((one) => typeof one === 'bigint');

/** What JSON Schema has no words for, or none that others may be given: sizes of bytes and maps, bounds of bigints, what is a URL, items from the end, texts between texts. */
const saysLess = (shape: Shape): boolean =>
  ['bytes', 'map', 'url'].includes(shape.kind) ||
  (shape.kind === 'bigint' && (shape.minimum !== undefined || shape.maximum !== undefined)) ||
  (shape.kind === 'tuple' && shape.last !== undefined) ||
  (shape.kind === 'template' && shape.parts.filter((part) => typeof part !== 'string' && part.kind !== 'enum').length > 1);

/** Where ajv is another opinion, and why. */
const AJV: Readonly<Record<string, string>> = {
  '{ "a-b": 1; 0: 2; "": 3; "é": 4 }': 'ajv passes over the empty name in `required`',
  '{ ["__proto__"]: number }': 'ajv passes over `__proto__`',
  'f.Email': 'ajv-formats asks for a dot in the domain',
  'f.Email | null': 'ajv-formats asks for a dot in the domain',
  'f.Url': 'ajv-formats asks for a dot in the host',
  'string[] & f.Unique': 'ajv takes two of `__proto__` for different ones',
  'number & f.MultipleOf<0.01>': 'ajv takes the first digit of 1e+21 for the quotient',
};

function shapesOf({ root, definitions }: ShapeDocument): readonly Shape[] {
  const found: Shape[] = [];
  const waiting = [root, ...Object.values(definitions)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(...partsOf(next));
  }
  return found;
}

for (const [at, { type, lossy }] of CASES.entries()) {
  describe(type, () => {
    it('judges values as closures do, tells why not, and gives them back from JSON', () => {
      const { document, errors, sample, stringify, validate, schema } = made[at] as Made;
      const closures = compileShape(document);
      for (let seed = 1; seed <= VALUES; seed += 1) {
        const value = sample(seed);
        assert.equal(validate(value), true, inspect(value));
        const json = JSON.parse(stringify(value)) as unknown;
        const { value: back, issues } = schema['~standard'].validate(json);
        assert.equal(issues, undefined, inspect(value));
        if (lossy === undefined) assert.deepEqual(back, value);
        // What came back is written as it was.
        assert.equal(JSON.stringify(JSON.parse(stringify(back))), JSON.stringify(lossy === undefined ? json : JSON.parse(stringify(back))));
        const other = changed(json, randomOf(seed));
        const isRight = validate(other);
        assert.equal(closures.check(other), isRight, inspect(other));
        assert.equal(errors(other).length === 0, isRight, inspect(other));
      }
    });

    it('agrees with ajv about what its JSON Schema takes', { skip: AJV[type] ?? false }, () => {
      const { document, sample, stringify, schema } = made[at] as Made;
      const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
      addFormats(ajv);
      const theirs = ajv.compile(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }));
      const shapes = shapesOf(document);
      const [more, less] = [shapes.some(readsMore), shapes.some(saysLess)];
      for (let seed = 1; seed <= VALUES; seed += 1) {
        const json = JSON.parse(stringify(sample(seed))) as unknown;
        const value = seed % 4 === 0 ? json : changed(json, randomOf(seed));
        const isRight = schema['~standard'].validate(value).issues === undefined;
        const isTheirs = theirs(value);
        if ((isRight && more) || (isTheirs && less)) continue;
        assert.equal(isRight, isTheirs, `${inspect(value, { depth: 9 })}: ajv says ${isTheirs}`);
      }
    });
  });
}
