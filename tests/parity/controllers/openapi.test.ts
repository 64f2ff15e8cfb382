/**
 * `fulmar/controllers/openapi` beside `@nestjs/swagger`: the documents of one source, compared as they are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as swagger from '@nestjs/swagger';
import * as ours from 'fulmar/controllers';
import * as oursOpenapi from 'fulmar/controllers/openapi';

type Side = typeof nestCommon & typeof nestCore & typeof swagger;

interface DocumentCase {
  readonly name: string;
  readonly app: (n: Side) => unknown;
  readonly setup?: (app: nestCommon.INestApplication, n: Side) => void;
  readonly config?: (builder: swagger.DocumentBuilder) => swagger.DocumentBuilder;
  readonly options?: (n: Side) => swagger.SwaggerDocumentOptions;
}

const sides: Readonly<Record<'nest' | 'ours', Side>> = {
  nest: { ...nestCommon, ...nestCore, ...swagger },
  ours: { ...ours, ...oursOpenapi } as unknown as Side,
};

async function documentOf(n: Side, { app: define, setup, config, options }: DocumentCase): Promise<swagger.OpenAPIObject> {
  const app = await n.NestFactory.create(define(n) as never, { logger: false, abortOnError: false });
  setup?.(app, n);
  const builder = new n.DocumentBuilder().setTitle('Test');
  const document = n.SwaggerModule.createDocument(app, (config?.(builder) ?? builder).build(), options?.(n));
  await app.close();
  // As it is sent: what is undefined is not there.
  return JSON.parse(JSON.stringify(document)) as swagger.OpenAPIObject;
}

function only(n: Side, ...controllers: Function[]) {
  @n.Module({ controllers: controllers as never[] })
  class App {}
  return App;
}

function models(n: Side) {
  // As TypeScript makes enums.
  const Mood = { good: 'GOOD', bad: 'BAD' };
  const Level = { 0: 'low', 5: 'high', low: 0, high: 5 };
  class Owner {
    @n.ApiProperty()
    name!: string;
    @n.ApiProperty({ type: () => [Cat] })
    cats!: unknown[];
  }
  class Named {
    @n.ApiProperty({ description: 'What it is called', example: 'Tom', minLength: 2 })
    name!: string;
  }
  class Cat extends Named {
    @n.ApiProperty({ minimum: 0, maximum: 30, default: 1 })
    age!: number;
    @n.ApiPropertyOptional()
    isTame?: boolean;
    @n.ApiProperty()
    born!: Date;
    @n.ApiProperty({ type: [String] })
    tags!: string[];
    @n.ApiProperty({ type: Number, isArray: true, required: false, maximum: 9 })
    marks?: number[];
    @n.ApiProperty({ enum: Mood })
    mood!: string;
    @n.ApiProperty({ enum: Level, isArray: true })
    levels!: number[];
    @n.ApiProperty({ enum: Mood, enumName: 'Mood', description: 'named' })
    named!: string;
    @n.ApiProperty({ enum: ['a', 'b'], enumName: 'Letters', isArray: true })
    letters!: string[];
    @n.ApiProperty({ type: () => Owner })
    owner!: Owner;
    @n.ApiProperty({ type: () => Owner, nullable: true, description: 'before', required: false })
    former!: Owner | null;
    @n.ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
    words!: Record<string, string>;
    @n.ApiProperty({ oneOf: [{ type: 'string' }, { $ref: n.getSchemaPath(Owner) }] })
    either!: unknown;
    @n.ApiProperty({ name: 'renamed', type: 'integer', format: 'int64' })
    other!: number;
    @n.ApiProperty({ pattern: '^x' as never, readOnly: true, deprecated: true })
    code!: string;
  }
  return { Owner, Named, Cat, Mood, Level };
}

const cases: DocumentCase[] = [
  {
    name: 'routes without a word about documents: methods, paths, parameters by their types',
    app: (n) => {
      class Cats {
        list(_page: number, _all: boolean) {}
        one(_id: string, _other: number) {}
        add(_body: object) {}
        gone() {}
        any() {}
      }
      const types: [string, unknown[]][] = [
        ['list', [Number, Boolean]],
        ['one', [String, Number]],
        ['add', [Object]],
        ['gone', []],
        ['any', []],
      ];
      for (const [name, list] of types) Reflect.defineMetadata('design:paramtypes', list, Cats.prototype, name);
      const on = (name: string, ...decorators: MethodDecorator[]) => {
        const descriptor = Object.getOwnPropertyDescriptor(Cats.prototype, name) as PropertyDescriptor;
        for (const one of decorators) one(Cats.prototype, name, descriptor);
      };
      n.Query('page')(Cats.prototype, 'list', 0);
      n.Query('all')(Cats.prototype, 'list', 1);
      n.Param('id')(Cats.prototype, 'one', 0);
      n.Headers('x-other')(Cats.prototype, 'one', 1);
      n.Body()(Cats.prototype, 'add', 0);
      on('list', n.Get());
      on('one', n.Get([':id', 'by/:id']));
      on('add', n.Post());
      on('gone', n.Delete(':id'), n.HttpCode(204));
      on('any', n.All('any'));
      n.Controller('cats')(Cats);
      Object.defineProperty(Cats, 'name', { value: 'CatsController' });
      return only(n, Cats);
    },
  },
  {
    name: 'classes as content, as results and as queries',
    app: (n) => {
      const { Cat, Owner, Named } = models(n);
      class Page {
        @n.ApiProperty({ minimum: 1, default: 1, required: false })
        page!: number;
        @n.ApiProperty({ enum: ['asc', 'desc'] })
        order!: string;
        @n.ApiProperty({ type: [String] })
        fields!: string[];
      }
      class NewCat {
        @n.ApiProperty({ type: Named })
        named!: unknown;
        @n.ApiPropertyOptional({ type: [[Number]] as never })
        grid?: number[][];
      }
      @n.ApiTags('cats', 'animals')
      @n.ApiBearerAuth()
      @n.Controller('cats')
      class Cats {
        @n.Get()
        @n.ApiOperation({ summary: 'All of them', description: 'by page' })
        @n.ApiOkResponse({ type: [Cat], description: 'found' })
        @n.ApiDefaultResponse({ description: 'else' })
        list(@n.Query() _page: Page) {}
        @n.Post()
        @n.ApiCreatedResponse({ type: Cat })
        @n.ApiBadRequestResponse()
        @n.ApiSecurity('key', ['write'])
        add(@n.Body() _cat: NewCat) {}
        @n.Put(':id')
        @n.ApiBody({ type: Named, description: 'a name', required: false })
        @n.ApiParam({ name: 'id', type: 'integer', description: 'which' })
        @n.ApiResponse({ status: 200, type: Owner, nullable: true })
        @n.ApiResponse({ status: 404, description: 'one' })
        @n.ApiResponse({ status: 404, description: 'two' })
        @n.ApiTags('writes')
        set(@n.Param('id') _id: string, @n.Body() _body: object) {}
        @n.Get('text')
        @n.ApiOkResponse({ type: String })
        @n.ApiProduces('text/plain')
        text() {}
        @n.Get('numbers')
        @n.ApiOkResponse({ type: Number, isArray: true, example: [1] })
        numbers() {}
        @n.Get('schema')
        @n.ApiOkResponse({ schema: { type: 'object', properties: { a: { type: 'string' } } } })
        schema() {}
      }
      return only(n, Cats);
    },
  },
  {
    name: 'parameters that only decorators of documents name',
    app: (n) => {
      const Role = { admin: 'admin', user: 'user' };
      @n.ApiHeader({ name: 'x-tenant', required: true, description: 'whose' })
      @n.ApiExtraModels(models(n).Owner)
      @n.Controller()
      class Root {
        @n.Get('find/:kind')
        @n.ApiQuery({ name: 'role', enum: Role, required: false })
        @n.ApiQuery({ name: 'roles', enum: Role, isArray: true })
        @n.ApiQuery({ name: 'named', enum: Role, enumName: 'Role' })
        @n.ApiQuery({ name: 'ids', type: [Number] })
        @n.ApiQuery({ name: 'limit', type: Number, example: 10, description: 'most' })
        @n.ApiQuery({ name: 'since', type: Date, required: false })
        @n.ApiQuery({ name: 'raw', schema: { type: 'string', maxLength: 3 } })
        @n.ApiParam({ name: 'kind', enum: ['a', 'b'] })
        @n.ApiHeader({ name: 'x-one', example: 'e' })
        find(@n.Query('limit') _limit: string) {}
        @n.Post('upload')
        @n.ApiConsumes('multipart/form-data')
        @n.ApiBody({ schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } })
        upload() {}
        @n.Post('list')
        @n.ApiBody({ type: [models(n).Named] })
        addAll() {}
        @n.Post('words')
        @n.ApiBody({ type: String, isArray: true })
        words() {}
        @n.Get('deprecated')
        @n.ApiOperation({ deprecated: true, operationId: 'old', tags: ['own'] })
        old() {}
        @n.Get('untagged')
        @n.ApiOperation({ tags: [] })
        untagged() {}
        @n.Get('hidden')
        @n.ApiExcludeEndpoint()
        hidden() {}
      }
      @n.ApiExcludeController()
      @n.Controller('none')
      class None {
        @n.Get()
        none() {}
      }
      return only(n, Root, None);
    },
  },
  {
    name: 'a prefix, versions and extra models',
    app: (n) => {
      @n.Controller({ path: 'things', version: ['1', '2'] })
      class Things {
        @n.Get(':id')
        one() {}
        @n.Version('3')
        @n.Get()
        three() {}
      }
      @n.Controller('plain')
      class Plain {
        @n.Get()
        list() {}
      }
      return only(n, Things, Plain);
    },
    setup: (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: 0 } as never);
    },
    options: (n) => ({ extraModels: [models(n).Cat] }),
  },
  {
    name: 'classes made of others',
    app: (n) => {
      const { Cat, Named } = models(n) as unknown as Record<'Cat' | 'Named', new () => { name: string; age: number; tags: string[] }>;
      class Part extends n.PartialType(Cat) {}
      class Picked extends n.PickType(Cat, ['name', 'age'] as const) {}
      class Rest extends n.OmitType(Cat, ['tags'] as const) {}
      class Both extends n.IntersectionType(n.PickType(Cat, ['age'] as const), Named) {}
      class Nullable extends n.PartialType(n.OmitType(Cat, ['name'] as const), { skipNullProperties: false }) {
        @n.ApiProperty({ description: 'its own' })
        more!: number;
      }
      @n.Controller('cats')
      class Cats {
        @n.Post('part')
        part(@n.Body() _cat: Part) {}
        @n.Post('picked')
        picked(@n.Body() _cat: Picked) {}
        @n.Post('rest')
        rest(@n.Body() _cat: Rest) {}
        @n.Post('both')
        both(@n.Body() _cat: Both) {}
        @n.Post('nullable')
        @n.ApiHeaders([{ name: 'X-One' }, { name: 'X-Two', required: true }])
        @n.ApiPaymentRequiredResponse({ description: 'pay' })
        nullable(@n.Body() _cat: Nullable) {}
        @n.Get()
        @n.ApiOkResponse({ type: n.PartialType(Named) })
        @n.ApiPartialContentResponse()
        one() {}
      }
      return only(n, Cats);
    },
  },
  {
    name: 'options of a document',
    app: (n) => {
      @n.Controller('a')
      class A {
        @n.Get()
        list() {}
      }
      @n.Module({ controllers: [A] })
      class Inner {}
      @n.Controller('b')
      class B {
        @n.Get()
        list() {}
      }
      n.Module({ imports: [Inner], controllers: [B] })(App);
      return App;
    },
    setup: (app) => void app.setGlobalPrefix('api'),
    options: () => ({
      include: [App],
      ignoreGlobalPrefix: true,
      autoTagControllers: false,
      operationIdFactory: (one: string, other: string) => `${other}Of${one}`,
    }),
    config: (builder) =>
      builder
        .setDescription('d')
        .setVersion('2.0')
        .setTermsOfService('https://example.org/terms')
        .setContact('c', 'https://example.org', 'c@example.org')
        .setLicense('MIT', 'https://example.org/mit')
        .addServer('https://example.org', 'there')
        .setExternalDoc('more', 'https://example.org/more')
        .addTag('cats', 'of cats')
        .addBearerAuth()
        .addBasicAuth()
        .addApiKey({ type: 'apiKey', name: 'X-Key', in: 'header' }, 'key')
        .addCookieAuth('sid')
        .addOAuth2()
        .addExtension('x-own', { a: 1 })
        .addSecurityRequirements('bearer'),
  },
];
class App {}

for (const one of cases)
  test(one.name, async () => {
    const nest = await documentOf(sides.nest, one);
    if (process.env['SHOW_DOCUMENTS'] !== undefined) console.log(JSON.stringify(nest, null, 1));
    assert.deepEqual(await documentOf(sides.ours, one), nest);
    // A document without routes would compare nothing.
    assert.ok(Object.keys(nest.paths).length > 0);
  });
