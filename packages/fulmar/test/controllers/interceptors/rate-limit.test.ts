/**
 * `RateLimitInterceptor`, `ThrottlerGuard` and their decorators.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of } from 'rxjs';
import {
  APP_GUARD,
  Controller,
  Get,
  Module,
  type NestApplication,
  NestFactory,
  Post,
  RateLimitInterceptor,
  SkipThrottle,
  Sse,
  Throttle,
  ThrottlerGuard,
  ThrottlerModule,
  type ThrottlerModuleOptions,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

@Controller()
class Routes {
  @Get('one')
  one() {
    return { one: 1 };
  }
  @Get('two')
  two() {
    return { two: 2 };
  }
  @Post('login')
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  login() {
    return 'in';
  }
  @Get('health')
  @SkipThrottle()
  health() {
    return 'ok';
  }
  @Sse('events')
  events() {
    return of({ data: 'one' }, { data: 'two' });
  }
}
@Module({ controllers: [Routes] })
class App {}

const statuses = async (app: NestApplication, ...urls: string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const url of urls) found.push((await app.inject(url === '/login' ? { method: 'POST', url } : url)).status);
  return found;
};

test('beyond the limit it is 429, and fields tell what is left', async (t) => {
  let clock = 1_000_000;
  t.mock.method(performance, 'now', () => clock);
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new RateLimitInterceptor(3, 10_000));
  const first = await app.inject('/one');
  const told = (headers: typeof first.headers): unknown[] =>
    ['policy', 'limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);
  assert.deepEqual(told(first.headers), ['3;w=10', '3', '2', '10']);
  clock += 4000;
  assert.deepEqual(await statuses(app, '/two', '/one'), [200, 200]);
  const last = await app.inject('/two');
  assert.deepEqual([last.status, last.json()], [429, { statusCode: 429, message: 'ThrottlerException: Too Many Requests' }]);
  assert.deepEqual([...told(last.headers), last.headers['retry-after']], ['3;w=10', '3', '0', '6', '6']);
  clock += 6000;
  assert.equal((await app.inject('/one')).status, 200);
});

test('routes may have a limit of their own, or none', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new RateLimitInterceptor({ limit: 2 }));
  assert.deepEqual(await statuses(app, '/login', '/login'), [201, 429]);
  assert.deepEqual(await statuses(app, '/health', '/health', '/health', '/one', '/two', '/one'), [200, 200, 200, 200, 200, 429]);
  assert.equal((await app.inject('/health')).headers['ratelimit-limit'], undefined);
});

test('requests that come at once are counted one by one', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new RateLimitInterceptor(5));
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject('/one')));
  assert.equal(replies.filter(({ status }) => status === 200).length, 5);
});

test('who is counted is what the application says, and a client’s word for it is not believed', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(
    new RateLimitInterceptor({ limit: 1, getTracker: (req: { headers: Record<string, string> }) => req.headers['x-key'] ?? '' }),
  );
  const as = async (key: string): Promise<number> => (await app.inject({ url: '/one', headers: { 'x-key': key } })).status;
  assert.deepEqual(
    [await as('a'), await as('b'), await as('a'), await as('k'.repeat(5000)), await as('k'.repeat(5000))],
    [200, 200, 429, 200, 429],
  );
  const plain = kept(await NestFactory.create(App, { logger: false }));
  plain.useGlobalInterceptors(new RateLimitInterceptor(1));
  const from = async (address: string): Promise<number> =>
    (await plain.inject({ url: '/one', headers: { 'x-forwarded-for': address } })).status;
  assert.deepEqual([await from('1.1.1.1'), await from('2.2.2.2')], [200, 429]);
});

test('events and errors of the store go their way', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new RateLimitInterceptor(1));
  const events = await app.inject('/events');
  assert.deepEqual([events.headers['ratelimit-limit'], events.text.includes('data: one')], ['1', true]);
  assert.equal((await app.inject('/events')).status, 429);
  const broken = kept(await NestFactory.create(App, { logger: false }));
  broken.useGlobalInterceptors(new RateLimitInterceptor({ storage: { hit: () => Promise.reject(new Error('redis://secret')) } }));
  const reply = await broken.inject('/one');
  assert.deepEqual([reply.status, reply.text.includes('secret')], [500, false]);
});

const guarded = async (options: ThrottlerModuleOptions): Promise<NestApplication> => {
  @Module({
    imports: [ThrottlerModule.forRoot(options)],
    controllers: [Routes],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })
  class Root {}
  return NestFactory.create(Root, { logger: false });
};

test('the guard counts each route for itself, by several limits', async () => {
  const limits = [
    { name: 'short', limit: 2, ttl: 60_000 },
    { limit: 3, ttl: 60_000 },
  ];
  const app = kept(await guarded(limits));
  const first = await app.inject('/one');
  assert.deepEqual([first.headers['ratelimit-limit-short'], first.headers['ratelimit-limit']], ['2', '3']);
  assert.deepEqual(await statuses(app, '/one', '/one', '/two', '/login', '/login'), [200, 429, 200, 201, 429]);
});

test('limits that come later, and a store that several of them have', async () => {
  const hits = new Map<string, number>();
  const storage = {
    hit(key: string) {
      hits.set(key, (hits.get(key) ?? 0) + 1);
      return { count: hits.get(key) ?? 0, resetMs: 1000 };
    },
  };
  const limits = [
    { name: 'short', limit: 2, ttl: 1000, storage },
    { name: 'long', limit: 3, ttl: 60_000, storage },
  ];
  @Module({
    imports: [ThrottlerModule.forRootAsync({ useFactory: () => Promise.resolve({ throttlers: limits }) })],
    controllers: [Routes],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })
  class Root {}
  const app = kept(await NestFactory.create(Root, { logger: false }));
  assert.deepEqual(await statuses(app, '/one', '/one', '/one'), [200, 200, 429]);
  assert.deepEqual([...hits.values()], [3, 2]);
});

test('limits that are none are told at start', async () => {
  assert.throws(() => new RateLimitInterceptor(-1), /limit is a number of requests/);
  assert.throws(() => new RateLimitInterceptor({ limt: 1 } as never), /no option limt; did you mean limit/);
  assert.throws(() => Throttle({ default: { limit: 1.5 } }), /limit of default is a number of requests/);
  await assert.rejects(guarded([]), /takes a list of limits/);
  await assert.rejects(
    guarded([
      { limit: 1, ttl: 1 },
      { limit: 1, ttl: 1 },
    ]),
    /two limits of the name default/,
  );
  await assert.rejects(guarded([{ limit: 1 } as never]), /needs ttl/);
});
