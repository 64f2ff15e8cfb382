/**
 * The official JSON Schema Test Suite, which is in no npm package. `FULMAR_JSON_SCHEMA_SUITE` is its folder
 * `tests`; the source of Python's `jsonschema` has it (`pip download --no-binary :all: jsonschema`).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fromJsonSchema } from '../../src/shape/from-json-schema.ts';
import { compileShape, type Validator } from '../../src/shape/validate/compile.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const folder = process.env['FULMAR_JSON_SCHEMA_SUITE'];
/** Where formats and encodings are said to be annotations. */
const ANNOTATIONS = new Set(['format.json', 'optional/content.json']);
/** What is refused where routes are registered: nothing is fetched, no dialects of somebody's, no default that does not fit. */
const REFUSALS =
  /is not in this schema|the dialects are|does not fit|has no keyword|is not known; write|\$dynamic|depends on the value|\$vocabulary|\$recursive/;

function compile(schema: unknown, draft: string): Validator | RegExp {
  const isOld = draft === 'draft7' && typeof schema === 'object';
  try {
    return compileShape(fromJsonSchema(isOld ? { $schema: 'http://json-schema.org/draft-07/schema#', ...schema } : schema));
  } catch (error) {
    assert.match((error as Error).message, REFUSALS);
    return REFUSALS;
  }
}

describe('the JSON Schema Test Suite', { skip: folder === undefined ? 'FULMAR_JSON_SCHEMA_SUITE is not set' : false }, () => {
  for (const draft of ['draft2020-12', 'draft7']) {
    it(draft, () => {
      let count = 0;
      for (const part of ['', 'optional', 'optional/format']) {
        for (const file of readdirSync(join(folder ?? '', draft, part)).filter(
          (name) => name.endsWith('.json') && !ANNOTATIONS.has(join(part, name)),
        )) {
          for (const { description, schema, tests } of JSON.parse(readFileSync(join(folder ?? '', draft, part, file), 'utf8')) as Group[]) {
            const validator = compile(schema, draft);
            if (validator instanceof RegExp) continue;
            for (const { description: what, data, valid } of tests) {
              assert.equal(validator.check(data), valid, `${part}/${file}: ${description}: ${what}`);
              count += 1;
            }
          }
        }
      }
      assert.ok(count > 1000, `${count} tests`);
    });
  }
});
