/**
 * `TransformInterceptor` and `ResponseInterceptor`: what is wrapped, and what is left alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { map, of } from 'rxjs';
import { type AnyContext } from '../../../src/app/index.ts';
import {
  type CallHandler,
  Context,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Module,
  NestFactory,
  NotFoundException,
  Redirect,
  Res,
  ResponseInterceptor,
  Sse,
  StreamableFile,
  TransformInterceptor,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

@Controller()
class Values {
  @Get('value')
  @HttpCode(202)
  value() {
    return { a: 1 };
  }
  @Get('nothing')
  nothing() {}
  @Get('zero')
  zero() {
    return 0;
  }
  @Get('observed')
  observed() {
    return of('one', 'two');
  }
  @Get('missing')
  missing(): never {
    throw new NotFoundException();
  }
  @Get('file')
  file() {
    return new StreamableFile(Buffer.from('bytes'));
  }
  @Get('own')
  own(@Res() res: { send(text: string): void }) {
    res.send('own');
    return 'ignored';
  }
  @Get('context')
  context(@Context() c: AnyContext) {
    return c.text('text');
  }
  @Get('bare')
  bare(c: AnyContext) {
    c.status(299);
    return c;
  }
  @Get('away')
  @Redirect('/value')
  away() {
    return { url: '/zero', statusCode: 307 };
  }
  @Get('pieces')
  async *pieces() {
    yield 'one ';
    yield 'two';
  }
  @Sse('events')
  events() {
    return of({ data: 'one', type: 'first' }, { data: 'two' });
  }
}
@Module({ controllers: [Values] })
class App {}

test('values are wrapped, and nothing that is not one', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new TransformInterceptor());
  const texts: Record<string, string> = {
    value: '{"data":{"a":1}}',
    nothing: '{}',
    zero: '{"data":0}',
    observed: '{"data":"two"}',
    file: 'bytes',
    own: 'own',
    context: 'text',
    bare: '',
    pieces: 'one two',
    missing: '{"message":"Not Found","statusCode":404}',
  };
  for (const [path, text] of Object.entries(texts)) assert.equal((await app.inject(`/${path}`)).text, text, path);
  assert.equal((await app.inject('/bare')).status, 299);
  const away = await app.inject('/away');
  assert.deepEqual([away.status, away.headers['location']], [307, '/zero']);
  assert.match((await app.inject('/events')).text, /event: first\nid: 1\ndata: one\n\nid: 2\ndata: two\n\n/);
});

test('a function says what becomes of a value, beside interceptors of rxjs', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(
    { intercept: (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(map((value) => ({ outer: value }))) },
    new TransformInterceptor((value, context) => ({ of: context.getHandler().name, value })),
    { intercept: (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(map((value) => [value])) },
  );
  assert.equal((await app.inject('/zero')).text, '{"outer":{"of":"zero","value":[0]}}');
  assert.throws(() => new TransformInterceptor({} as never), /takes a function \(value, context\)/);
});

test('ResponseInterceptor tells the status that is sent', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new ResponseInterceptor());
  const { meta, ...rest } = (await app.inject('/value?x')).json() as { meta: Record<'path' | 'method' | 'duration' | 'timestamp', string> };
  assert.deepEqual(rest, { success: true, statusCode: 202, data: { a: 1 } });
  assert.deepEqual([meta.path, meta.method], ['/value?x', 'GET']);
  assert.match(meta.duration, /^\d+ms$/);
  assert.ok(Math.abs(Date.parse(meta.timestamp) - Date.now()) < 60_000);
  assert.equal((await app.inject('/missing')).status, 404);
});
