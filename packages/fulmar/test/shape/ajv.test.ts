/** What takes a value and what refuses one, against ajv, on random schemas and values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fromJsonSchema } from '../../src/shape/from-json-schema.ts';
import { toJsonSchema } from '../../src/shape/to-json-schema.ts';
import { compileShape } from '../../src/shape/validate/compile.ts';
import { likelyValue, randomOf, randomSchema, randomValue } from './random-schema.ts';

const SCHEMAS = 800;
const VALUES = 6;
const addFormats = formats as unknown as (ajv: Ajv2020) => void;

describe('random schemas and values', () => {
  it('are judged as ajv judges them, also after a way to JSON Schema and back', () => {
    const random = randomOf(20201209);
    let [taken, refused] = [0, 0];
    for (let count = 0; count < SCHEMAS; count += 1) {
      const schema = randomSchema(random) as object;
      const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
      addFormats(ajv);
      const theirs = ajv.compile(schema);
      const document = fromJsonSchema(schema);
      const { check, parse } = compileShape(document);
      const reply = compileShape(document, 'reply');
      const again = compileShape(fromJsonSchema(JSON.parse(JSON.stringify(toJsonSchema(document)))));
      for (let which = 0; which < VALUES; which += 1) {
        const value = which === 0 ? randomValue(random) : likelyValue(random, schema);
        const about = `${JSON.stringify(schema)} of ${JSON.stringify(value)}`;
        const isRight = theirs(value);
        assert.equal(check(value), isRight, about);
        assert.equal(again.check(value), isRight, `again: ${about}`);
        const { issues } = parse(value);
        assert.equal(issues === undefined, isRight, about);
        if (issues !== undefined) assert.ok(issues.length > 0, about);
        // A reply that fits is sent as it is.
        if (isRight) assert.equal(JSON.stringify((reply.parse(value) as { value: unknown }).value), JSON.stringify(value), about);
        if (isRight) taken += 1;
        else refused += 1;
      }
    }
    assert.ok(taken + refused >= 4000 && taken > 1000 && refused > 1000, `${taken} taken, ${refused} refused`);
  });
});
