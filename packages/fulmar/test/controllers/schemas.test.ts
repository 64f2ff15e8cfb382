/**
 * Schemas of routes and of parameters: zod, TypeBox and JSON Schema, in every place, with guards and interceptors around.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { Type } from 'typebox';
import { z } from 'zod';
import type { AnyContext } from '../../src/app/index.ts';
import {
  Body,
  type CallHandler,
  Controller,
  Cookies,
  createApplication,
  DetailedErrorFormatter,
  FormatErrorFormatter,
  Get,
  Headers,
  HttpCode,
  type NestApplication,
  type NestInterceptor,
  Param,
  ParseIntPipe,
  Patch,
  type PipeTransform,
  Post,
  Put,
  Query,
  Redirect,
  Req,
  Res,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '../../src/controllers/index.ts';

const Cat = Type.Object({ name: Type.String({ minLength: 2 }), age: Type.Integer({ minimum: 0 }) });
const Paging = { type: 'object', properties: { page: { type: 'integer', minimum: 1, default: 1 } } } as const;
const later = z.object({ name: z.string().refine(async (name) => Promise.resolve(name !== 'taken'), 'is taken') });

class Wrap implements NestInterceptor {
  async intercept(_context: unknown, next: CallHandler): Promise<unknown> {
    return { data: await next() };
  }
}
class Seeing implements NestInterceptor {
  static seen: string[] = [];
  async intercept(_context: unknown, next: CallHandler): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      Seeing.seen.push((error as Error).constructor.name);
      throw error;
    }
  }
}
class Doubling implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'number' ? value * 2 : value;
  }
}

@Controller('cats')
class Cats {
  @Get({ path: ':id', params: { type: 'object', properties: { id: { type: 'integer' } } }, query: Paging })
  one(@Param() params: object, @Query('page') page: unknown, @Param('id') id: unknown): object {
    return { params, page, id };
  }

  @Post({ body: Cat, response: { 201: Type.Object({ name: Type.String() }, { additionalProperties: false }) } })
  add(@Body() cat: { name: string; age: number }): object {
    return { ...cat, secret: 1 };
  }

  @Put('of/context', { body: Cat, headers: { type: 'object', properties: { 'x-count': { type: 'integer' } } } })
  ofContext(c: AnyContext): object {
    return { body: c.body as object, count: (c.headers as Record<string, unknown>)['x-count'] };
  }

  @Patch('later', { body: later })
  @HttpCode(202)
  patch(@Body('name') name: string): string {
    return name;
  }

  @Post('around', { body: Cat })
  @UseInterceptors(Wrap, Seeing)
  @UseGuards({ canActivate: () => true })
  around(@Body('age', Doubling) age: number, @Req() req: { body: { age: number } }): object {
    return { age, sent: req.body.age };
  }

  @Get('broken/reply', { response: Type.Object({ name: Type.String() }) })
  broken(): object {
    return { name: 5 };
  }
}

@Controller('one')
class One {
  @Get('query')
  query(@Query('limit', { type: 'integer', maximum: 50 }) limit: unknown): object {
    return { limit, type: typeof limit };
  }
  @Get('zod')
  zod(@Query(z.object({ q: z.string() })) query: object): object {
    return query;
  }
  @Get('piped/:n')
  piped(@Param('n', z.string().regex(/^\d+$/), ParseIntPipe, Doubling) n: number): object {
    return { n };
  }
  @Get('fields')
  fields(@Headers('x-n', { type: 'integer' }) n: unknown, @Cookies('c', { type: 'boolean' }) c: unknown): object {
    return { n, c };
  }
  @Post('later')
  async later(@Body(later) body: object): Promise<object> {
    return Promise.resolve({ body });
  }
  @Post('nest')
  nest(@Body({ schema: z.object({ name: z.string() }) }) body: object): object {
    return body ?? {};
  }
}

const json = { 'content-type': 'application/json' };

async function made(options: Parameters<typeof createApplication>[0] = {}): Promise<NestApplication> {
  return (await createApplication({ controllers: [Cats, One], ...options })).init();
}

async function asked(
  app: NestApplication,
  method: string,
  url: string,
  body?: object | string,
  headers: object = json,
): Promise<unknown[]> {
  const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const reply = await app.inject({ method, url, headers: { ...headers }, ...payload } as never);
  let told: unknown = reply.text;
  try {
    told = JSON.parse(reply.text) as unknown;
  } catch {
    // A text.
  }
  return [reply.status, told];
}

test('places of a route are what their schemas make of them', async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'GET', '/cats/7?page=2&other=1'), [200, { params: { id: 7 }, page: 2, id: 7 }]);
  assert.deepEqual(await asked(app, 'GET', '/cats/7'), [200, { params: { id: 7 }, page: 1, id: 7 }]);
  assert.deepEqual(await asked(app, 'PUT', '/cats/of/context', { name: 'Tom', age: 3 }, { ...json, 'x-count': '4' }), [
    200,
    { body: { name: 'Tom', age: 3 }, count: 4 },
  ]);
});

test('what does not fit is 400 with every place that is wrong', async () => {
  const app = await made();
  const [status, told] = await asked(app, 'GET', '/cats/x?page=0');
  assert.equal(status, 400);
  const { message, error } = told as { message: string[]; error: string };
  assert.equal(error, 'Bad Request');
  assert.deepEqual(
    message.map((one) => one.split(':')[0]),
    ['id', 'page'],
  );
  const [bad, body] = await asked(app, 'POST', '/cats', { name: 'T', age: 1.5 });
  assert.equal(bad, 400);
  assert.deepEqual(
    (body as { message: string[] }).message.map((one) => one.split(':')[0]),
    ['name', 'age'],
  );
  assert.equal((await asked(app, 'POST', '/cats', '{"name":', json))[0], 400);
  assert.equal((await asked(app, 'POST', '/cats', undefined, {}))[0], 400);
});

test('a reply has what its schema declares, and is an error where it breaks it', async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'POST', '/cats', { name: 'Tom', age: 3 }), [201, { name: 'Tom' }]);
  assert.equal((await asked(app, 'GET', '/cats/broken/reply'))[0], 500);
});

test('a schema that takes its time is waited for', async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'PATCH', '/cats/later', { name: 'Tom' }), [202, 'Tom']);
  assert.deepEqual(await asked(app, 'PATCH', '/cats/later', { name: 'taken' }), [
    400,
    { message: ['name: is taken'], error: 'Bad Request', statusCode: 400 },
  ]);
  assert.deepEqual(await asked(app, 'POST', '/one/later', { name: 'Tom' }), [201, { body: { name: 'Tom' } }]);
  assert.equal((await asked(app, 'POST', '/one/later', { name: 'taken' }))[0], 400);
});

test('schemas are asked behind guards, within interceptors and before pipes', async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'POST', '/cats/around', { name: 'Tom', age: 3 }), [201, { data: { age: 6, sent: 3 } }]);
  assert.equal((await asked(app, 'POST', '/cats/around', { name: 'Tom', age: -3 }))[0], 400);
  assert.deepEqual(Seeing.seen, ['BadRequestException']);
});

test('forms are texts that stand for numbers', async () => {
  const app = await made();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.deepEqual(await asked(app, 'POST', '/cats', 'name=Tom&age=3', form), [201, { name: 'Tom' }]);
  assert.equal((await asked(app, 'POST', '/cats', 'name=Tom&age=x', form))[0], 400);
});

test('a parameter may be given a schema, before its pipes', async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'GET', '/one/query?limit=20'), [200, { limit: 20, type: 'number' }]);
  const [status, told] = await asked(app, 'GET', '/one/query?limit=51');
  assert.equal(status, 400);
  assert.match((told as { message: string[] }).message[0] ?? '', /^limit: /);
  assert.deepEqual(await asked(app, 'GET', '/one/zod?q=a&more=1'), [200, { q: 'a' }]);
  assert.equal((await asked(app, 'GET', '/one/zod'))[0], 400);
  assert.deepEqual(await asked(app, 'GET', '/one/piped/21'), [200, { n: 42 }]);
  assert.equal((await asked(app, 'GET', '/one/piped/x'))[0], 400);
  assert.deepEqual(await asked(app, 'GET', '/one/fields', undefined, { 'x-n': '5', cookie: 'c=true' }), [200, { n: 5, c: true }]);
  assert.equal((await asked(app, 'GET', '/one/fields', undefined, { 'x-n': 'five' }))[0], 400);
});

test("a schema among Nest's options is for the application's pipes alone, as in Nest", async () => {
  const app = await made();
  assert.deepEqual(await asked(app, 'POST', '/one/nest', { name: 5 }), [201, { name: 5 }]);
});

test('global pipes see what schemas have made', async () => {
  const app = await createApplication({ controllers: [Cats] });
  app.useGlobalPipes(new ValidationPipe({ transform: true }), new Doubling());
  assert.deepEqual(await asked(await app.init(), 'GET', '/cats/7?page=2'), [200, { params: { id: 7 }, page: 4, id: 14 }]);
});

test('errors are told as the formatter of the application says', async () => {
  const app = await made({ validationErrorFormatter: new FormatErrorFormatter() });
  const [status, told] = await asked(app, 'POST', '/cats', { name: 'T', age: 1 });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(told as object), ['name']);
  const other = await made({ validationErrorFormatter: new DetailedErrorFormatter() });
  const [, [first]] = (await asked(other, 'POST', '/cats', { name: 'T', age: 1 })) as [number, [{ field: string; value: unknown }]];
  assert.deepEqual([first.field, first.value], ['name', 'T']);
  await assert.rejects(made({ validationErrorFormatter: {} as never }), /validationErrorFormatter/);
});

test('what is no schema is told at start, with the method', async () => {
  class Wrong {}
  const on = (options: object): Promise<unknown> => {
    @Controller()
    class Odd {
      @Post(options)
      add(): void {}
    }
    return createApplication({ controllers: [Odd] }).then((app) => app.init());
  };
  await assert.rejects(on({ body: Wrong }), /Odd\.add\(\).*body/s);
  await assert.rejects(
    on({ response: { 200: Cat } }),
    /Odd\.add\(\) replies with 201, and its response has schemas of 200 alone.*@HttpCode\(200\)/,
  );
  await on({ response: { 404: Cat } });
  @Controller()
  class Says {
    @Post({ response: { 200: Type.Object({ name: Type.String() }, { additionalProperties: false }) } })
    add(c: AnyContext): object {
      return c.status(200) && { name: 'Tom', secret: 1 };
    }
  }
  const says = await createApplication({ controllers: [Says] });
  assert.deepEqual(await asked(says, 'POST', '/', {}), [200, { name: 'Tom' }]);
  await assert.rejects(on({ bdy: Cat }), /Odd\.add\(\).*bdy.*body is meant/s);
  assert.throws(() => Post({ version: '1' } as never), /@Version/);
  assert.throws(() => Post({ host: 'a' } as never), /@Controller\(\{ host \}\)/);
  assert.throws(() => Body(Cat, Cat), /2 schemas/);
  assert.throws(() => Body({} as never), /takes a name, then a schema/);
  assert.throws(() => Headers({} as never), /takes a name, then a schema/);
});

/** A schema that finds everything wrong when it is told to. */
function slow() {
  const begun = new EventEmitter();
  const validate = async () => {
    await once(begun, 'told');
    return { issues: [{ message: 'is wrong' }] };
  };
  return { tell: () => begun.emit('told'), schema: { '~standard': { version: 1 as const, vendor: 'test', validate } } };
}

test('a schema that fails behind another one is heard by somebody: it does not end the process', async () => {
  const body = slow();
  const header = slow();
  @Controller('slow')
  class Slow {
    @Post()
    add(@Query('page', { type: 'integer' }) page: number, @Body(body.schema) given: unknown, @Headers('x', header.schema) x: unknown) {
      return { page, given, x };
    }
  }
  const app = await createApplication({ controllers: [Slow], logger: false });
  assert.equal((await app.inject({ method: 'POST', url: '/slow?page=x', body: {} })).status, 400);
  assert.deepEqual([body.tell(), header.tell()], [true, true]);
  // What rejects unheard is told by then, and fails this test.
  await new Promise((resolve) => setImmediate(resolve));
  await app.close();
});

test('the status that `res` has says which schema a reply is of; what is no content is no schema of it', async () => {
  const one = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false } as const;
  const wrong = { type: 'object', properties: { why: { type: 'string' } }, additionalProperties: false } as const;
  @Controller('by')
  class ByStatus {
    @Get(':id', { response: { 200: one, 404: wrong } })
    show(@Param('id') id: string, @Res({ passthrough: true }) res: any) {
      if (id === '1') return { id: 1, secret: 's' };
      res.status(404);
      return { why: 'none', secret: 's' };
    }
    @Get('to/:id', { response: one })
    @Redirect('/by/1')
    to() {
      return { id: 1, url: '/by/2', statusCode: 307 };
    }
  }
  const app = await createApplication({ controllers: [ByStatus], logger: false });
  const of = async (url: string): Promise<unknown[]> => {
    const { status, text, headers } = await app.inject(url);
    return [status, headers['location'] ?? text];
  };
  assert.deepEqual(await of('/by/1'), [200, '{"id":1}']);
  assert.deepEqual(await of('/by/2'), [404, '{"why":"none"}']);
  assert.deepEqual(await of('/by/to/1'), [307, '/by/2']);
  await app.close();
});
