/**
 * A compiled type in documents: as Standard JSON Schema, and in a document of OpenAPI.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { openapi } from '../../src/app/openapi/index.ts';
import type { ShapeDocument } from '../../src/shape/shape.ts';
import { toSchema } from '../../src/typed/schema.ts';

const schemaOf = (shape: ShapeDocument): ReturnType<typeof toSchema> =>
  toSchema({
    shape,
    fits: () => true,
    decode: (value) => value,
    issues: () => [],
    reply: { errors: () => [], stringify: (value) => JSON.stringify(value) },
  });

const bird = schemaOf({
  root: {
    kind: 'object',
    unknown: 'keep',
    properties: [
      { name: 'name', presence: 'required', shape: { kind: 'string', minLength: 2, notes: { description: 'As it is told.' } } },
      { name: 'seen', presence: 'optional', shape: { kind: 'date' } },
      { name: 'parents', presence: 'optional', shape: { kind: 'array', items: { kind: 'reference', name: 'Bird' } } },
    ],
  },
  definitions: { Bird: { kind: 'object', unknown: 'keep', properties: [{ name: 'id', presence: 'required', shape: { kind: 'number' } }] } },
});

describe('a compiled type', () => {
  it('becomes JSON Schema, with its constraints and what its comment says', () => {
    const { properties, required } = bird['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    assert.deepEqual(required, ['name']);
    assert.deepEqual(properties, {
      name: { type: 'string', minLength: 2, description: 'As it is told.' },
      seen: { type: 'string', format: 'date-time' },
      parents: { type: 'array', items: { $ref: '#/$defs/Bird' } },
    });
  });

  it('is an object where anything or nothing fits', () => {
    const written = (kind: 'any' | 'never'): object =>
      schemaOf({ root: { kind }, definitions: {} })['~standard'].jsonSchema.output({ target: 'draft-2020-12' });
    assert.deepEqual([written('any'), written('never')], [{}, { not: {} }]);
  });

  it('refuses a target that it does not write', () => {
    assert.throws(() => bird['~standard'].jsonSchema.input({ target: 'draft-07' }), /of draft-2020-12, and draft-07 is asked for/);
  });

  it('stands in a document of OpenAPI', async () => {
    const app = createApp();
    app.post('/birds', { body: bird, response: bird }, () => ({ name: 'fulmar' }));
    const document = await openapi(app, { info: { title: 'Birds', version: '1' } });
    const text = JSON.stringify(document.paths);
    assert.match(text, /"minLength":2/);
    assert.match(text, /"\$ref":"#\/components\/schemas\/Bird"/);
    assert.deepEqual(Object.keys(document.components?.schemas ?? {}).includes('Bird'), true);
  });
});
