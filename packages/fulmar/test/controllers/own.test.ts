/**
 * What controllers have that Nest has not: the app's context, plain interceptors, mounting, requests without a port;
 * and that two applications share nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp, type AnyContext } from '../../src/app/index.ts';
import { accessLog } from '../../src/app/middleware/index.ts';
import {
  type CallHandler,
  type CanActivate,
  ConflictException,
  Context,
  Controller,
  Cookies,
  createApplication,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NestFactory,
  type NestInterceptor,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Param,
  Post,
  UseGuards,
  UseInterceptors,
  User,
} from '../../src/controllers/index.ts';

@Injectable()
class Count {
  value = 0;
  next(): number {
    return (this.value += 1);
  }
}

class ShortForms implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.getRequest().user = { name: 'Ada', by: context.getContext().pathname };
    return context.getRequest() === context.switchToHttp().getRequest() && context.getResponse() === context.getArgByIndex(1);
  }
}

class Wrapping implements NestInterceptor {
  async intercept(_context: ExecutionContext, next: CallHandler): Promise<unknown> {
    try {
      return { wrapped: await next() };
    } catch (error) {
      return { caught: (error as Error).message };
    }
  }
}

@Controller('own')
class Own {
  readonly count: Count;
  constructor(count: Count) {
    this.count = count;
  }
  @Get('count')
  counted(): object {
    return { count: this.count.next() };
  }
  @Get('context')
  context(c: AnyContext): unknown {
    c.status(202).header('X-Own', 'c');
    return { query: c.query, path: c.pathname };
  }
  @Get('reply')
  reply(c: AnyContext): unknown {
    return c.text('by the app', 418);
  }
  @Get('response')
  response(): Response {
    return new Response('web', { status: 203, headers: { 'x-web': '1' } });
  }
  @Get('given/:id')
  given(@Context() c: AnyContext, @Param('id') id: string, @Cookies('a') cookie: string): object {
    return { same: c.params, id, cookie };
  }
  @Get('user')
  @UseGuards(ShortForms)
  user(@User() user: object, @User('name') name: string): object {
    return { user, name };
  }
  @Get('wrapped')
  @UseInterceptors(Wrapping)
  wrapped(): Promise<string> {
    return Promise.resolve('value');
  }
  @Get('caught')
  @UseInterceptors(Wrapping)
  caught(): never {
    throw new Error('inside');
  }
  @Post('echo')
  async echo(@Context() c: AnyContext): Promise<unknown> {
    return { text: await c.reader.text() };
  }
}

@Module({ controllers: [Own], providers: [Count] })
class AppModule {}

test('handlers without decorators of parameters are given the context, and may return what the app knows', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  const context = await app.inject('/own/context?a=1');
  assert.deepEqual([context.status, context.headers['x-own'], context.json()], [202, 'c', { query: { a: '1' }, path: '/own/context' }]);
  const reply = await app.inject('/own/reply');
  assert.deepEqual([reply.status, reply.text], [418, 'by the app']);
  const web = await app.inject('/own/response');
  assert.deepEqual([web.status, web.headers['x-web'], web.text], [203, '1', 'web']);
  const given = await app.inject({ url: '/own/given/7', headers: { cookie: 'a=b' } });
  assert.deepEqual(given.json(), { same: { id: '7' }, id: '7', cookie: 'b' });
  const echo = await app.inject({ method: 'POST', url: '/own/echo', body: 'raw', headers: { 'content-type': 'text/plain' } });
  assert.deepEqual(echo.json(), { text: 'raw' });
  await app.close();
});

test('guards have short forms, interceptors a promise', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  const user = await app.inject('/own/user');
  assert.deepEqual(user.json(), { user: { name: 'Ada', by: '/own/user' }, name: 'Ada' });
  assert.deepEqual((await app.inject('/own/wrapped')).json(), { wrapped: 'value' });
  assert.deepEqual((await app.inject('/own/caught')).json(), { caught: 'inside' });
  await app.close();
});

test('two applications of one module share no provider', async () => {
  const [one, other] = [await NestFactory.create(AppModule, { logger: false }), await NestFactory.create(AppModule, { logger: false })];
  for (const count of [1, 2]) assert.deepEqual((await one.inject('/own/count')).json(), { count });
  assert.deepEqual((await other.inject('/own/count')).json(), { count: 1 });
  assert.equal(one.get(Count).value, 2);
  await Promise.all([one.close(), other.close()]);
});

test('an application answers fetch(), and stands below a prefix of an app', async () => {
  const inner = await createApplication({ modules: [AppModule] });
  const reply = await inner.fetch(new Request('http://a/own/count'));
  assert.deepEqual([reply.status, await reply.json()], [200, { count: 1 }]);
  const outer = createApp();
  outer.get('/', () => 'outer');
  outer.route('/api', inner.app);
  assert.deepEqual((await outer.inject('/api/own/count')).json(), { count: 2 });
  assert.equal((await outer.inject('/')).text, 'outer');
  assert.equal((await outer.inject('/api/none')).status, 404);
  await inner.close();
});

test('options of createApplication() are those of a module and of the application', async () => {
  @Controller('health')
  class Health {
    @Get()
    show(): string {
      return 'well';
    }
  }
  const app = await createApplication({
    modules: [AppModule],
    controllers: [Health],
    globalPrefix: { prefix: 'api', exclude: ['health'] },
    logger: false,
  });
  assert.equal((await app.inject('/health')).text, 'well');
  assert.deepEqual((await app.inject('/api/own/count')).json(), { count: 1 });
  await app.close();
});

test('hooks of the end run once, around the last connection', async () => {
  const ran: string[] = [];
  class Ending implements OnModuleDestroy, OnApplicationShutdown {
    onModuleDestroy(): void {
      ran.push('destroy');
    }
    onApplicationShutdown(signal?: string): void {
      ran.push(`shutdown ${String(signal)}`);
    }
  }
  const app = await createApplication({ providers: [Ending], logger: false });
  const server = await app.listen(0, '127.0.0.1');
  server.once('close', () => ran.push('closed'));
  await Promise.all([app.close('SIGTERM'), app.close()]);
  assert.deepEqual(ran, ['destroy', 'closed', 'shutdown SIGTERM']);
});

test('the server is there before it listens', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  const early = app.getHttpServer();
  assert.equal(await app.listen(0), early);
  await app.close();
});

test('a server that a test lets listen answers, and is closed with the application', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  const server = app.getHttpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reply = await fetch(`${await app.getUrl()}/own/count`, { headers: { connection: 'close' } });
  assert.deepEqual(await reply.json(), { count: 1 });
  await app.close();
  assert.equal(server.listening, false);
});

test('what a filter of all throws is answered as if there were none', async () => {
  const logged: unknown[] = [];
  @Controller()
  class Failing {
    @Get()
    show(): never {
      throw new Error('first');
    }
  }
  const app = await createApplication({
    controllers: [Failing],
    logger: { error: (...all: unknown[]) => logged.push(all[0]), log() {}, warn() {} },
  });
  class Throwing {
    catch(): never {
      throw new ConflictException('by the filter');
    }
  }
  app.useGlobalFilters(new Throwing());
  const reply = await app.inject('/');
  assert.deepEqual([reply.status, reply.json()], [409, { message: 'by the filter', error: 'Conflict', statusCode: 409 }]);
  const line = 'Throwing of GET / (Failing.show) has thrown';
  // Asked of its own error once more, as in Nest.
  assert.deepEqual(logged, [line, line]);
  await app.close();
});

test("the app's log tells of replies by `res`", async () => {
  const lines: string[] = [];
  const app = await createApplication({ controllers: [Own], providers: [Count], logger: false });
  app.app.use(accessLog({ write: (line) => void lines.push(line) }));
  app.use((_req: unknown, _res: unknown, next: () => void) => next());
  const url = `http://127.0.0.1:${((await app.listen(0, '127.0.0.1')).address() as { port: number }).port}`;
  for (const path of ['/own/count', '/nothing']) await (await fetch(url + path, { headers: { connection: 'close' } })).text();
  await app.close();
  assert.deepEqual(
    lines.map((line) => line.split(' ').slice(0, 3).join(' ')),
    ['GET /own/count 200', 'GET /nothing 404'],
  );
});

test('controllers and providers may be registered until it starts, in any order', async () => {
  @Injectable()
  class Late {
    readonly count: Count;
    constructor(count: Count) {
      this.count = count;
    }
  }
  @Controller('late')
  class LateController {
    readonly late: Late;
    constructor(late: Late) {
      this.late = late;
    }
    @Get()
    get(): number {
      return this.late.count.next();
    }
  }
  const app = await createApplication({ providers: [Count] });
  app.registerControllers(LateController).registerProviders(Late, { provide: 'given', useFactory: async () => Promise.resolve(5) });
  assert.equal((await app.inject('/late')).text, '1');
  assert.equal(app.get('given'), 5);
  assert.throws(() => app.registerProviders(Late), /registerProviders\(\) changes routes that are made already/);

  const without = await createApplication();
  without.registerControllers(LateController);
  await assert.rejects(without.init(), /LateController \(\?\).*Late/s);
});
