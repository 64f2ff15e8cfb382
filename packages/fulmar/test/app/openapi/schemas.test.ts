/** Schemas of each library in a document: their sides, their names, their references. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { createApp } from '../../../src/app/index.ts';
import { SchemaComponents } from '../../../src/app/openapi/components.ts';
import { openapi, type OpenApiDocument, type Side } from '../../../src/app/openapi/index.ts';
import { documentOf, info, operationIn } from './documents.ts';

const nothing = (): never => undefined as never;

const schemasOf = ({ components }: OpenApiDocument): any => components?.schemas ?? {};

async function sidesOf(schema: any): Promise<Record<Side, any>> {
  const document = await documentOf((app) => void app.put('/', { body: schema, response: schema }, nothing));
  const { requestBody, responses } = operationIn(document);
  const of = (content: unknown): unknown => (content as any).content['application/json'].schema;
  return { input: of(requestBody), output: of(responses['200']) };
}

describe('schemas of', () => {
  it('zod have two sides', async () => {
    const { input, output } = await sidesOf(z.object({ id: z.string().transform(Number).pipe(z.number()), n: z.string().default('x') }));
    assert.deepEqual([input.properties.id, input.required], [{ type: 'string' }, ['id']]);
    assert.deepEqual([output.properties.id, output.required], [{ type: 'number' }, ['id', 'n']]);
  });

  it('valibot have two sides', async () => {
    const { input, output } = await sidesOf(
      v.object({ id: v.pipe(v.string(), v.transform(Number), v.number()), n: v.optional(v.string(), 'x') }),
    );
    assert.deepEqual([input.properties.id, input.required], [{ type: 'string' }, ['id']]);
    assert.deepEqual(output.properties.id, { type: 'number' });
  });

  it('arktype have two sides, and dates are text', async () => {
    const { input, output } = await sidesOf(type({ id: 'string.numeric.parse', 'tags?': 'string[]', at: 'Date' }));
    assert.equal(input.properties.id.type, 'string');
    assert.equal(output.properties.id.type, 'number');
    assert.deepEqual(output.properties.at, { type: 'string', format: 'date-time' });
  });

  it('zod that JSON cannot say are said as far as they can', async () => {
    const { output } = await sidesOf(z.object({ a: z.bigint(), b: z.any(), c: z.map(z.string(), z.string()), d: z.date() }));
    assert.deepEqual(Object.keys(output.properties), ['a', 'b', 'c', 'd']);
  });

  it('whoever has Standard JSON Schema are asked for it', async () => {
    const asked: string[] = [];
    const give =
      (side: string) =>
      ({ target }: { target: string }): object => {
        asked.push(`${side} ${target}`);
        return { type: 'object', properties: { [side]: { type: 'string' } } };
      };
    const standard = {
      version: 1,
      vendor: 'mine',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: give('input'), output: give('output') },
    };
    const { input, output } = await sidesOf({ '~standard': standard });
    assert.deepEqual([Object.keys(input.properties), Object.keys(output.properties)], [['input'], ['output']]);
    assert.deepEqual(asked, ['input draft-2020-12', 'output draft-2020-12']);
  });

  it('the app itself are the JSON Schema that was given, with its name', async () => {
    const given = { $id: 'Bird', type: 'object', properties: { id: { type: 'number', description: 'd' } }, [Symbol('kind')]: 'Object' };
    const jsonSchema = { input: () => ({}), output: () => ({}) };
    const standard = { version: 1, vendor: 'fulmar', validate: (value: unknown) => ({ value }), jsonSchema };
    const { input, output } = await sidesOf({ isOwn: true, given, '~standard': standard });
    assert.deepEqual([input, output], [{ $ref: '#/components/schemas/Bird' }, { $ref: '#/components/schemas/Bird' }]);
  });

  it('libraries that nobody knows are an error with the way out, which works', () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'mine', validate: (value: unknown) => ({ value }) } };
    const app = createApp();
    app.post('/x', { body: schema }, nothing);
    assert.throws(
      () => openapi(app, { info }),
      /The schema of body of POST \/x \(.*schemas\.test\.ts:\d+\) is one of mine, .* toJsonSchema\(schema, side\)/,
    );
    const sides: Side[] = [];
    const document = openapi(app, {
      info,
      toJsonSchema(given, side) {
        sides.push(side);
        return given === schema ? { type: 'array' } : undefined;
      },
    });
    assert.deepEqual(operationIn(document).requestBody?.content, { 'application/json': { schema: { type: 'array' } } });
    assert.deepEqual(sides, ['input']);
  });

  it('a library whose way fails are an error that names the route', () => {
    const fails = (): never => {
      throw new Error('no way');
    };
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'mine',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: fails, output: fails },
      },
    };
    const app = createApp();
    app.get('/x', { query: schema }, nothing);
    assert.throws(() => openapi(app, { info }), /The schema of query of GET \/x \(.*\) becomes no JSON Schema: no way/);
  });

  it('valibot without its package are an error that says what to install', () => {
    const { argv } = process;
    const here = process.cwd();
    const empty = mkdtempSync(join(tmpdir(), 'fulmar-openapi-'));
    try {
      process.argv = [argv[0] as string, join(empty, 'app.js')];
      process.chdir(empty);
      const app = createApp();
      app.get('/x', { query: v.object({}) }, nothing);
      assert.throws(
        () => openapi(app, { info }),
        /Schemas of valibot become JSON Schema by it, and @valibot\/to-json-schema is not installed .*npm install @valibot\/to-json-schema/,
      );
    } finally {
      process.chdir(here);
      process.argv = argv;
      rmSync(empty, { recursive: true });
    }
  });
});

describe('schemas with a name', () => {
  const egg = z.object({ size: z.number() }).meta({ id: 'Egg' });
  const bird = z.object({ name: z.string(), eggs: z.array(egg) }).meta({ id: 'Bird' });

  it('stand once, wherever they are used', async () => {
    const document = await documentOf((app) => {
      app.get('/', { response: z.array(bird) }, nothing);
      app.post('/', { body: bird, response: { 201: bird } }, nothing);
      app.get('/eggs', { response: egg }, nothing);
    });
    assert.deepEqual(Object.keys(document.components?.schemas ?? {}), ['Bird', 'Egg', 'Problem']);
    assert.deepEqual(schemasOf(document)['Bird'].properties.eggs.items, { $ref: '#/components/schemas/Egg' });
  });

  it('stand twice where input and output differ, with references that fit', async () => {
    const nest = z.object({ eggs: z.array(z.object({ n: z.number().default(1) }).meta({ id: 'Laid' })) }).meta({ id: 'Nest' });
    const document = await documentOf((app) => void app.put('/', { body: nest, response: nest }, nothing));
    const schemas = document.components?.schemas as any;
    assert.deepEqual(Object.keys(schemas), ['Laid', 'LaidOutput', 'Nest', 'NestOutput', 'Problem']);
    assert.deepEqual(schemas.Nest.properties.eggs.items, { $ref: '#/components/schemas/Laid' });
    assert.deepEqual(schemas.NestOutput.properties.eggs.items, { $ref: '#/components/schemas/LaidOutput' });
    assert.deepEqual([schemas.Laid.required, schemas.LaidOutput.required], [undefined, ['n']]);
  });

  it('of different content do not take one another’s place', async () => {
    const one = z.object({ a: z.string() });
    const document = await documentOf((app) => {
      app.get('/problem', { response: z.object({ mine: z.boolean() }).meta({ id: 'Problem' }) }, nothing);
      app.get('/a', { response: one.meta({ id: 'Of/A B' }) }, nothing);
    });
    assert.deepEqual(Object.keys(document.components?.schemas ?? {}), ['Of_A_B', 'Problem', 'ProblemOutput']);
    assert.ok('mine' in schemasOf(document)['ProblemOutput'].properties);
  });

  it('that refer to themselves do so in the document', async () => {
    const node: z.ZodType = z.object({
      name: z.string(),
      get kids() {
        return z.array(node);
      },
    });
    const document = await documentOf((app) => {
      app.get('/tree', { response: node }, nothing);
      app.get('/trees', { response: z.object({ one: node, other: node }) }, nothing);
    });
    const { GetTreeReply: tree } = schemasOf(document);
    assert.deepEqual(tree.properties.kids.items, { $ref: '#/components/schemas/GetTreeReply' });
  });
});

describe('JSON Schemas', () => {
  const add = (schema: object): { schema: any; all: any } => {
    const components = new SchemaComponents();
    return { schema: components.add(schema as never, 'base', 'Input'), all: components.toJSON() };
  };

  it('keep what they say, without what is a file’s', () => {
    const given = {
      $schema: 'x',
      type: 'object',
      properties: { $schema: { type: 'string' }, $id: { const: 1 } },
      default: { $ref: '#/x' },
      enum: [{ $id: 'a' }],
    };
    const before = JSON.stringify(given);
    const { $schema: _, ...rest } = given;
    assert.deepEqual(add(given), { schema: rest, all: {} });
    assert.equal(JSON.stringify(given), before, 'nothing of it is changed');
  });

  it('with an $id stand under its last part, those within them too', () => {
    const { schema, all } = add({
      $id: 'https://birds.example/schemas/bird.json',
      type: 'object',
      properties: {
        egg: { $id: 'Egg', type: 'number' },
        again: { $ref: 'Egg' },
        same: { $ref: 'https://birds.example/schemas/bird.json' },
      },
    });
    assert.deepEqual(schema, { $ref: '#/components/schemas/bird' });
    assert.deepEqual(all.bird.properties, {
      egg: { $ref: '#/components/schemas/Egg' },
      again: { $ref: '#/components/schemas/Egg' },
      same: { $ref: '#/components/schemas/bird' },
    });
  });

  it('have their definitions among the components, of either keyword and with any name', () => {
    const { schema, all } = add({
      properties: {
        a: { $ref: '#/$defs/a~1b' },
        b: { $ref: '#/definitions/old' },
        c: { $ref: '#/$defs/a~1b/properties/x' },
        d: { $ref: '#/properties/a' },
      },
      $defs: { 'a/b': { properties: { x: { type: 'string' } } } },
      definitions: { old: { $ref: '#/$defs/a~1b' } },
    });
    assert.deepEqual(schema, { $ref: '#/components/schemas/base' });
    assert.deepEqual(all, {
      a_b: { properties: { x: { type: 'string' } } },
      old: { $ref: '#/components/schemas/a_b' },
      base: {
        properties: {
          a: { $ref: '#/components/schemas/a_b' },
          b: { $ref: '#/components/schemas/old' },
          c: { $ref: '#/components/schemas/a_b/properties/x' },
          d: { $ref: '#/components/schemas/base/properties/a' },
        },
      },
    });
  });

  it('cannot reach a prototype', () => {
    const { schema } = add(JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}') as object);
    assert.deepEqual(Object.keys(schema.properties), ['__proto__', 'constructor']);
    assert.equal(({} as { type?: unknown }).type, undefined);
  });

  it('of a depth that nobody writes are refused', () => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 300; depth++) schema = { items: schema };
    assert.throws(() => add(schema), /nested deeper than 200/);
  });
});
