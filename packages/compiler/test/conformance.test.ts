/**
 * Every type of `cases.ts` and `edge-cases.ts`: what fits and what does not, what is told of it, what comes back from JSON and bytes; and
 * each verdict once more by the validators that the app makes of the same shape at run time.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { compileShape } from '../../fulmar/src/shape/validate/compile.ts';
import type { ShapeDocument } from '../../fulmar/src/shape/shape.ts';
import type { Issue } from '../../fulmar/src/shape/validate/rule-types.ts';
import { CASES as KINDS, DECLARATIONS } from './cases.ts';
import { EDGE_CASES, EDGE_DECLARATIONS, FILES } from './edge-cases.ts';
import { makeProject, run } from './support.ts';

interface Made {
  readonly validate: (value: unknown) => boolean;
  readonly assert: (value: unknown) => unknown;
  readonly errors: (value: unknown) => readonly Issue[];
  readonly stringify: (value: unknown) => string;
  readonly encode: ((value: unknown) => Uint8Array) | null;
  readonly decode: ((bytes: Uint8Array) => unknown) | null;
  readonly parse: ((text: string) => unknown) | null;
  readonly schema: { readonly '~standard': { validate(value: unknown): { value?: unknown; issues?: readonly Issue[] } } } | null;
  readonly document: ShapeDocument;
  readonly sample: (seed: number) => unknown;
  readonly fits: readonly unknown[];
  readonly not: readonly unknown[];
}

const CASES = [...KINDS, ...EDGE_CASES];
let folder = '';
let made: readonly Made[] = [];

before(() => {
  folder = makeProject(FILES);
  const parts = CASES.map(({ type, fits, not, lossy }) => {
    const reads =
      lossy === 'is not read'
        ? 'parse: null, encode: null, decode: null, schema: null'
        : `parse: parse<${type}>, encode: encode<${type}>, decode: decode<${type}>, schema: schema<${type}>()`;
    return `{ validate: validate<${type}>, assert: assert<${type}>, errors: errors<${type}>, stringify: stringify<${type}>, ${reads}, document: schemaOf<${type}>(), sample: sample<${type}>, fits: [${fits.join(', ')}], not: [${not.join(', ')}] }`;
  });
  const text = `import { assert, decode, encode, errors, parse, sample, schema, schemaOf, stringify, validate } from 'fulmar/types';${DECLARATIONS}${EDGE_DECLARATIONS}export default [\n${parts.join(',\n')}];`;
  made = run<Made[]>(folder, text);
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [at, { type, fits, not, lossy }] of CASES.entries()) {
  describe(type, () => {
    const one = (): Made => made[at] as Made;

    for (const [index, text] of fits.entries()) {
      it(`takes ${text}`, () => {
        const value = one().fits[index];
        assert.equal(one().validate(value), true);
        assert.deepEqual(one().errors(value), []);
        assert.equal(one().assert(value), value);
        assert.equal(compileShape(one().document).check(value), true, 'by closures');
        if (lossy !== undefined) return;
        const json = one().stringify(value);
        assert.doesNotThrow(() => JSON.parse(json));
        assert.deepEqual(one().parse?.(json), value);
        assert.deepEqual(one().schema?.['~standard'].validate(JSON.parse(json)), { value });
        assert.deepEqual(one().schema?.['~standard'].validate(value), { value });
        assert.deepEqual(one().decode?.(one().encode?.(value) ?? new Uint8Array()), value, 'in bytes');
      });
    }

    for (const [index, text] of not.entries()) {
      it(`refuses ${text}`, () => {
        const value = one().not[index];
        assert.equal(one().validate(value), false);
        assert.notDeepEqual(one().errors(value), []);
        assert.throws(() => one().assert(value), { code: 'FULMAR_VALIDATION' });
        assert.equal(compileShape(one().document).check(value), false, 'by closures');
      });
    }

    it(
      'makes samples that fit and come back from JSON',
      { skip: /never|Pattern|Docs|Uppercase<string>|Capitalize/.test(type) ? 'texts of patterns are not made up' : false },
      () => {
        for (let seed = 1; seed <= 20; seed += 1) {
          const value = one().sample(seed);
          assert.equal(one().validate(value), true, inspect(value));
          assert.deepEqual(one().sample(seed), value);
          if (lossy !== undefined) continue;
          assert.deepEqual(one().parse?.(one().stringify(value)), value);
          assert.deepEqual(one().decode?.(one().encode?.(value) ?? new Uint8Array()), value);
        }
      },
    );
  });
}
