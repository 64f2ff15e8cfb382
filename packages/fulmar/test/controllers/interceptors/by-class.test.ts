/**
 * Ready-made interceptors, filters and pipes as classes, which the container makes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  APP_INTERCEPTOR,
  AuthenticationExceptionFilter,
  AuthorizationExceptionFilter,
  CacheInterceptor,
  Controller,
  DatabaseExceptionFilter,
  FileUploadExceptionFilter,
  Get,
  GlobalExceptionFilter,
  LoggingInterceptor,
  Module,
  NestFactory,
  NotFoundException,
  NotFoundExceptionFilter,
  PaginationInterceptor,
  Query,
  RateLimitInterceptor,
  ResponseInterceptor,
  SanitizeInterceptor,
  SanitizePipe,
  Scope,
  TimeoutInterceptor,
  TransformInterceptor,
  UseFilters,
  UseInterceptors,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

@Controller()
@UseFilters(
  GlobalExceptionFilter,
  DatabaseExceptionFilter,
  AuthenticationExceptionFilter,
  AuthorizationExceptionFilter,
  FileUploadExceptionFilter,
  NotFoundExceptionFilter,
)
@UseInterceptors(
  RateLimitInterceptor,
  CacheInterceptor,
  TimeoutInterceptor,
  ResponseInterceptor,
  PaginationInterceptor,
  TransformInterceptor,
  SanitizeInterceptor,
)
class All {
  @Get()
  get(@Query('text', SanitizePipe) text: string) {
    return { text, password: 1 };
  }
  @Get('missing')
  missing(): never {
    throw new NotFoundException();
  }
}

for (const scope of [Scope.DEFAULT, Scope.REQUEST])
  test(`all of them stand around one handler, of scope ${scope}`, async () => {
    const lines: unknown[] = [];
    @Module({ controllers: [All], providers: [{ provide: APP_INTERCEPTOR, useClass: LoggingInterceptor, scope }] })
    class App {}
    const logger = { log: (line: unknown) => void lines.push(line), warn() {}, error() {} };
    const app = kept(await NestFactory.create(App, { logger }));
    await app.listen(0, '127.0.0.1');
    const origin = await app.getUrl();
    const reply = await fetch(`${origin}/?text=<b>a</b>`);
    const { data, success } = (await reply.json()) as { data: unknown; success: boolean };
    assert.deepEqual([reply.status, success, data], [200, true, { data: { text: 'a' } }]);
    assert.deepEqual([reply.headers.get('x-cache'), reply.headers.get('ratelimit-limit')], ['MISS', '100']);
    assert.equal((await fetch(`${origin}/?text=<b>a</b>`)).headers.get('x-cache'), 'HIT');
    assert.equal((await fetch(`${origin}/missing`)).status, 404);
    while (lines.filter((line) => String(line).startsWith('GET /')).length < 3) await new Promise(setImmediate);
  });
