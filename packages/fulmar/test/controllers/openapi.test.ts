/**
 * Documents of controllers as an application serves them, and what is told of what cannot be said. What is in them is
 * compared with Nest's in `tests/parity/controllers/openapi.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Body, Controller, createApplication, Get, Module, NestFactory, Post, Query } from '../../src/controllers/index.ts';
import { ApiHeader, ApiOkResponse, ApiProperty, DocumentBuilder, SwaggerModule } from '../../src/controllers/openapi/index.ts';

class Cat {
  @ApiProperty({ description: 'what it is called' })
  name!: string;
}

@Controller('cats')
class Cats {
  @Get()
  @ApiOkResponse({ type: [Cat] })
  list(): Cat[] {
    return [{ name: 'Tom' }];
  }
}

@Module({ controllers: [Cats] })
class App {}

const config = () => new DocumentBuilder().setTitle('Cats <1>').addServer('https://cats.example').build();

test('an application serves its document as JSON, as YAML and on a page', async () => {
  const app = await NestFactory.create(App);
  SwaggerModule.setup('docs', app, SwaggerModule.createDocument(app, config()));
  const json = await app.inject('/docs-json');
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8');
  const document = (await json.json()) as { paths: Record<string, unknown>; components: { schemas: Record<string, unknown> } };
  assert.deepEqual(Object.keys(document.paths), ['/cats']);
  assert.deepEqual(document.components.schemas['Cat'], {
    type: 'object',
    properties: { name: { type: 'string', description: 'what it is called' } },
    required: ['name'],
  });
  assert.match((await app.inject('/docs-yaml')).text, /^openapi: ['"]?3\.0\.0/m);
  const page = await app.inject('/docs');
  assert.match(page.text, /<title>Cats &lt;1&gt;<\/title>/);
  assert.match(String(page.headers['content-security-policy']), /connect-src 'self' https:\/\/cats\.example/);
  assert.equal((await app.inject('/docs/swagger-ui.css')).status, 200);
  assert.deepEqual(await (await app.inject('/cats')).json(), [{ name: 'Tom' }]);
  await app.close();
});

test('the page is where Nest has it, too: behind a slash, as index.html, at the root', async () => {
  const cases: [at: string, url: string, files: string][] = [
    ['docs', '/docs/', '../docs/'],
    ['docs', '/docs/index.html', '../docs/'],
    ['', '/', './'],
    ['/', '/index.html', './'],
  ];
  for (const [at, url, files] of cases) {
    const app = await NestFactory.create(App);
    SwaggerModule.setup(at, app, SwaggerModule.createDocument(app, config()));
    const page = await app.inject(url);
    assert.equal(page.status, 200, url);
    const toPath = (file: string): string => new URL(file, `http://a${url}`).pathname;
    const [, style = '', document = ''] = /href="([^"]+\.css)"[^]*data-document="([^"]+)"/.exec(page.text) ?? [];
    assert.equal(style, `${files}swagger-ui.css`);
    assert.equal((await app.inject(toPath(style))).status, 200);
    assert.match((await app.inject(toPath(document))).text, /"title":"Cats <1>"/);
    await app.close();
  }
});

test('a document given as a function is made once, with the first request for it', async () => {
  const app = await NestFactory.create(App);
  app.setGlobalPrefix('api');
  let made = 0;
  const document = () => ((made += 1), SwaggerModule.createDocument(app, config()));
  SwaggerModule.setup('docs', app, document, { useGlobalPrefix: true, jsonDocumentUrl: 'cats.json' });
  assert.equal(made, 0);
  const first = (await (await app.inject('/api/cats.json')).json()) as { paths: Record<string, unknown> };
  await app.inject('/api/docs');
  assert.deepEqual([Object.keys(first.paths), made], [['/api/cats'], 1]);
  await app.close();
});

test('classes that hold each other stand once each', async () => {
  class Node_ {
    @ApiProperty({ type: () => Node_ })
    next!: unknown;
    @ApiProperty({ type: () => [Node_] })
    all!: unknown[];
  }
  const document = SwaggerModule.createDocument(await NestFactory.create(App), config(), { extraModels: [Node_] });
  assert.deepEqual((document.components['schemas'] as Record<string, unknown>)['Node_'], {
    type: 'object',
    properties: {
      next: { $ref: '#/components/schemas/Node_' },
      all: { type: 'array', items: { $ref: '#/components/schemas/Node_' } },
    },
    required: ['next', 'all'],
  });
});

test('what cannot be said is told with its class and member', async () => {
  class Unknown {
    thing: unknown;
  }
  // As of a compiler that leaves types out.
  ApiProperty()(Unknown.prototype, 'thing');
  const app = await NestFactory.create(App);
  assert.throws(
    () => SwaggerModule.createDocument(app, config(), { extraModels: [Unknown] }),
    /type of Unknown\.thing is nothing.*type: \(\) => Class/,
  );
  assert.throws(() => SwaggerModule.createDocument(app, config(), { deep: true } as never), /createDocument.*deep/);
  assert.throws(() => SwaggerModule.setup('docs', app, {} as never, { explorer: true } as never), /setup.*explorer/);
  assert.throws(() => new DocumentBuilder().setOpenAPIVersion('2.0'), /3\.0\.x/);
  assert.throws(() => new DocumentBuilder().addExtension('own', 1), /begins with x-/);
  assert.throws(() => ApiHeader({} as never), /name of a field/);
  assert.throws(() => ApiProperty(null as never), /@ApiProperty\(\) takes an object/);
});

test('schemas of routes and of parameters stand in the document', async () => {
  const node = {
    $defs: { Leaf: { type: 'string' } },
    type: 'object',
    properties: { leaf: { $ref: '#/$defs/Leaf' } },
    required: ['leaf'],
  } as const;
  @Controller('trees')
  class Trees {
    @Get({ path: ':id', params: { type: 'object', properties: { id: { type: 'integer' } } }, summary: 'One tree', response: node })
    one(@Query('limit', { type: 'integer', default: 5 }) limit: number, @Query('q', { type: 'string' }) q: string): object {
      return { limit, q, leaf: 'a' };
    }
    @Post({ body: node, response: { 201: node, 202: { type: 'string' } }, tags: ['more'] })
    add(): object {
      return { leaf: 'b' };
    }
    @Get({ path: 'secret', hidden: true })
    secret(): string {
      return '';
    }
  }
  const app = await createApplication({ controllers: [Trees] });
  const { paths, components } = SwaggerModule.createDocument(app, config());
  const reference = { $ref: '#/components/schemas/Leaf' };
  const written = { type: 'object', properties: { leaf: reference }, required: ['leaf'] };
  assert.deepEqual(components['schemas'], { Leaf: { type: 'string' } });
  assert.deepEqual(Object.keys(paths), ['/trees/{id}', '/trees']);
  const { parameters, responses, summary } = (paths['/trees/{id}'] ?? {})['get'] as Record<string, unknown>;
  assert.equal(summary, 'One tree');
  assert.deepEqual(parameters, [
    { in: 'path', name: 'id', required: true, schema: { type: 'integer' } },
    { in: 'query', name: 'limit', required: false, schema: { type: 'integer', default: 5 } },
    { in: 'query', name: 'q', required: true, schema: { type: 'string' } },
  ]);
  assert.deepEqual(responses, { 200: { description: '', content: { 'application/json': { schema: written } } } });
  const post = paths['/trees']?.['post'] as Record<string, unknown>;
  assert.deepEqual(post['requestBody'], { required: true, content: { 'application/json': { schema: written } } });
  assert.deepEqual(Object.keys(post['responses'] as object), ['201', '202']);
  assert.deepEqual(post['tags'], ['more']);
});

/** What a document says of the content of a route with this schema. */
async function contentOf(schema: object) {
  @Controller('c')
  class Only {
    @Post({ body: schema as never })
    add(): void {}
  }
  const { paths, components } = SwaggerModule.createDocument(await createApplication({ controllers: [Only] }), config());
  const post = paths['/c']?.['post'] as { requestBody: { content: { 'application/json': { schema: unknown } } } };
  return { schema: post.requestBody.content['application/json'].schema, components: components['schemas'] };
}

test('schemas are written in the words of OpenAPI 3.0', async () => {
  const cases: [given: object, written: object][] = [
    [
      { type: ['string', 'null'], minLength: 1 },
      { type: 'string', minLength: 1, nullable: true },
    ],
    [{ type: ['string', 'array'] }, { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] }],
    [{ const: 'a' }, { enum: ['a'] }],
    [{ enum: ['a', null] }, { enum: ['a', null], nullable: true }],
    [{ type: 'null' }, { enum: [null], nullable: true }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }], nullable: true }],
    [
      { type: 'number', exclusiveMinimum: 0, maximum: 5, exclusiveMaximum: 9 },
      { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 5 },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, minItems: 2, maxItems: 2 },
    ],
    [
      { type: 'object', patternProperties: { '^a': { type: 'integer' } }, additionalProperties: false },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      { type: 'object', properties: { type: { type: ['integer', 'null'] } }, additionalProperties: false },
      { type: 'object', properties: { type: { type: 'integer', nullable: true } }, additionalProperties: false },
    ],
    [
      { type: 'object', examples: ['e'], default: { type: ['null'] } },
      { type: 'object', example: 'e', default: { type: ['null'] } },
    ],
  ];
  for (const [given, written] of cases) assert.deepEqual((await contentOf(given)).schema, written);
});

test('a schema that stands in itself has a name, which no class takes away', async () => {
  const Branch = z.object({
    name: z.string(),
    get branches() {
      return z.array(Branch);
    },
  });
  const reference = { $ref: '#/components/schemas/Only_add_body' };
  const { schema, components } = await contentOf(Branch);
  assert.deepEqual(schema, reference);
  const properties = { name: { type: 'string' }, branches: { type: 'array', items: reference } };
  assert.deepEqual(components, { Only_add_body: { type: 'object', properties, required: ['name', 'branches'] } });
  @Controller()
  class Both {
    @Post({ body: z.object({ cat: z.object({ legs: z.number() }).meta({ id: 'Cat' }) }) })
    @ApiOkResponse({ type: Cat })
    add(@Body() body: object): object {
      return body;
    }
  }
  const app = await createApplication({ controllers: [Both] });
  assert.throws(() => SwaggerModule.createDocument(app, config()), /Two schemas have the name Cat.*@ApiSchema/);
});
