/**
 * `@typed()`: classes of controllers whose types of parameters are the schema, as compiled and run on `fulmar/controllers`.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import * as controllers from '../../fulmar/src/controllers/index.ts';
import fulmarTypes from '../../fulmar/src/typed/index.ts';
import { CompileError } from '../src/analyze/problem.ts';
import { compiled, makeProject } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2023","experimentalDecorators":true,"emitDecoratorMetadata":true},"include":["*.ts"]}',
    'dto.ts':
      "import 'reflect-metadata';\nexport const IsName = (): PropertyDecorator => () => undefined;\nexport class Dto { @IsName() name!: string }",
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = `import { Body, Controller, Cookies, Get, Headers, Param, ParseIntPipe, Post, Put, Query, Req } from 'fulmar/controllers';
import { schema, typed, type Email, type Int, type Max, type Min, type NonEmpty } from 'fulmar/types';
interface Cat { name: string & NonEmpty; age: number & Int & Min<0>; born?: Date }
`;

const transpiled = (text: string): string =>
  ts.transpileModule(compiled(folder, `${HEAD}${text}`), {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  }).outputText;

/** The class that the source exports, in an application. */
async function appOf(text: string): Promise<controllers.NestApplication> {
  const modules: Record<string, unknown> = { 'fulmar/types': fulmarTypes, 'fulmar/controllers': controllers };
  const exported: Record<string, controllers.Type> = {};
  const body = runInThisContext(`(function (exports, require) { ${transpiled(text)} })`) as (
    exports: object,
    require: (name: string) => unknown,
  ) => void;
  body(exported, (name) => modules[name]);
  return (await controllers.createApplication({ controllers: [exported['Cats'] as controllers.Type] })).init();
}

async function ask(app: controllers.NestApplication, url: string, body?: object, headers = {}): Promise<[number, any]> {
  const reply = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers,
    ...(body !== undefined && { body }),
  } as never);
  return [reply.status, JSON.parse(reply.text)];
}

const SOURCE = `
@typed()
@Controller('cats')
export class Cats {
  @Post() add(@Body() cat: Cat) { return { ...cat, isDate: cat.born instanceof Date }; }
  @Get('list') list(@Query() query: { page?: number; tags?: string[] }, @Query('limit') limit?: number & Max<50>) { return { query, limit }; }
  @Get(':id') one(@Param('id') id: number, @Headers('x-flag') flag?: boolean, @Cookies('theme') theme?: 'dark' | 'light') { return { id, flag, theme }; }
  @Get('piped/:id') piped(@Param('id', ParseIntPipe) id: number, @Req() req: unknown) { return { id, has: req !== undefined }; }
  @Get('with/default') withDefault(@Query('n') n: number & Min<1> = 10) { return { n }; }
  @Post('many') many(@Body() cats: Cat[]) { return cats.length; }
  @Post('of') of(@Body(schema<{ a: string }>()) given: { a: string }) { return given; }
}`;

describe('types of parameters', () => {
  it('are what bodies, queries, parameters, fields and cookies are checked against and made of', async () => {
    const app = await appOf(SOURCE);
    assert.deepEqual(await ask(app, '/cats', { name: 'Tom', age: 3, born: '2026-11-26T00:00:00.000Z' }), [
      201,
      { name: 'Tom', age: 3, born: '2026-11-26T00:00:00.000Z', isDate: true },
    ]);
    assert.deepEqual(await ask(app, '/cats/list?page=2&tags=a&tags=b&limit=10'), [
      200,
      { query: { page: 2, tags: ['a', 'b'] }, limit: 10 },
    ]);
    assert.deepEqual(await ask(app, '/cats/list'), [200, { query: {} }]);
    assert.deepEqual(await ask(app, '/cats/7', undefined, { 'x-flag': 'true', cookie: 'theme=dark' }), [
      200,
      { id: 7, flag: true, theme: 'dark' },
    ]);
    assert.deepEqual(await ask(app, '/cats/piped/7'), [200, { id: 7, has: true }]);
    assert.deepEqual(await ask(app, '/cats/with/default'), [200, { n: 10 }]);
    assert.deepEqual(await ask(app, '/cats/of', { a: 'b', c: 1 }), [201, { a: 'b' }]);
  });

  it('refuse what does not fit, by the name of the parameter', async () => {
    const app = await appOf(SOURCE);
    const refused = async (url: string, body?: object, headers = {}): Promise<string[]> => {
      const [status, told] = await ask(app, url, body, headers);
      assert.equal(status, 400, JSON.stringify(told));
      return (told as { message: string[] }).message.map((one) => one.split(':')[0] as string);
    };
    assert.deepEqual(await refused('/cats', { name: '', age: 1.5 }), ['name', 'age']);
    assert.deepEqual(await refused('/cats/list?limit=51'), ['limit']);
    assert.deepEqual(await refused('/cats/x'), ['id']);
    assert.deepEqual((await ask(app, '/cats/list?limit=51'))[1].message, ['limit: Expected number <= 50, received integer.']);
    assert.deepEqual(await refused('/cats/7', undefined, { cookie: 'theme=red' }), ['theme']);
    assert.deepEqual(
      await refused('/cats/many', [
        { name: 'Tom', age: 1 },
        { name: 'Tom', age: -1 },
      ]),
      ['1.age'],
    );
    assert.deepEqual(await refused('/cats/of', { a: 1 }), ['a']);
  });

  it('of classes whose members have decorators are left to pipes', async () => {
    const text = compiled(
      folder,
      `${HEAD}import { Dto } from './dto.js';\n@typed() @Controller() export class Cats { @Post() add(@Body() dto: Dto, @Query('n') n: number) {} }`,
    );
    assert.match(text, /typed\(\{ \["add"\]: \{ 1: \{ schema: /);
  });

  it('are inherited with the method, and not by one in its place', async () => {
    const app = await appOf(`
      @typed() class Base { @Get('a') a(@Query('n') n: number) { return { n }; } @Get('b') b(@Query('n') n: number) { return { n }; } }
      @Controller('cats') export class Cats extends Base { @Get('b') override b(@Query('n') n: any) { return { n }; } }`);
    assert.deepEqual(await ask(app, '/cats/a?n=1'), [200, { n: 1 }]);
    assert.deepEqual(await ask(app, '/cats/b?n=1'), [200, { n: '1' }]);
  });
});

describe('what cannot be compiled', () => {
  const problemsOf = (text: string): string => {
    try {
      compiled(folder, `${HEAD}${text}`);
    } catch (error) {
      assert.ok(error instanceof CompileError);
      return error.message;
    }
    return '';
  };
  it('is told where it stands', () => {
    assert.match(problemsOf('@typed() class A { @Post() add(@Body() cat) {} }'), /cat of add\(\) has no type/);
    assert.match(problemsOf('@typed() class A { @Post() add(@Body() run: () => void) {} }'), /run of add\(\)/);
    assert.match(problemsOf('const a = typed();'), /typed is a decorator of classes/);
    assert.match(problemsOf('class A { @(typed() as never) b() {} }'), /typed is a decorator of classes/);
  });
  it('is told at run time where nothing was compiled', () => {
    assert.throws(() => fulmarTypes.typed(), /@typed\(\) of fulmar\/types was not compiled/);
  });
});
