/**
 * `CacheInterceptor`: what is kept, for whom and for how long, and what passes by.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { of } from 'rxjs';
import {
  CACHE_MANAGER,
  CacheInterceptor,
  type CacheInterceptorOptions,
  CacheKey,
  CacheModule,
  CacheTTL,
  Context,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Header,
  Inject,
  MemoryCache,
  Module,
  type NestApplication,
  NestFactory,
  NotFoundException,
  Post,
  Query,
  Req,
  Res,
  Sse,
  StreamableFile,
  UseInterceptors,
  VersioningType,
} from '../../../src/controllers/index.ts';
import type { AnyContext } from '../../../src/app/index.ts';
import { kept } from '../kept.ts';

let runs = 0;
const counted = <T>(value: T): T => {
  runs += 1;
  return value;
};
const gates = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>();

@Controller()
class Things {
  @Get('thing')
  thing() {
    return counted({ run: runs, list: [1] });
  }
  @Post('thing')
  make() {
    return counted({ run: runs });
  }
  @Get('falsy')
  falsy(@Query('kind') kind: string) {
    return counted({ zero: 0, empty: '', no: false, null: null, undefined }[kind]);
  }
  @Get('slow')
  slow(@Query('gate') gate: string) {
    return counted(new Promise((resolve, reject) => gates.set(gate, { resolve, reject })));
  }
  @Get('missing')
  missing(): never {
    counted(0);
    throw new NotFoundException();
  }
  @Get('file')
  file() {
    return counted(new StreamableFile(Buffer.from(`file ${runs}`)));
  }
  @Get('own')
  own(@Res() res: { json(value: object): void }) {
    res.json(counted({ run: runs }));
  }
  @Get('field')
  field(@Res({ passthrough: true }) res: { set(name: string, value: string): void }) {
    res.set('X-Run', String(runs));
    return counted({ run: runs });
  }
  @Get('described')
  @Header('X-Kind', 'thing')
  @Header('Vary', 'Accept-Language')
  described() {
    return counted({ run: runs });
  }
  @Get('private')
  @Header('Cache-Control', 'private, max-age=5')
  private() {
    return counted({ run: runs });
  }
  @Get('named')
  @CacheKey('one for all')
  named() {
    return counted({ run: runs });
  }
  @Get('each')
  @CacheKey((context: ExecutionContext) => `of ${context.getRequest().headers.authorization}`)
  each() {
    return counted({ run: runs });
  }
  @Get('short')
  @CacheTTL(1)
  short() {
    return counted({ run: runs });
  }
  @Get('user')
  user(@Req() req: { user?: unknown }) {
    return counted({ user: req.user ?? null });
  }
  @Get('observed')
  observed() {
    return counted(of({ run: runs }));
  }
  @Sse('events')
  events() {
    return counted(of({ data: 'one' }, { data: `run ${runs}` }));
  }
}
@Module({ controllers: [Things] })
class App {}

async function appOf(given?: number | CacheInterceptorOptions | MemoryCache): Promise<NestApplication> {
  runs = 0;
  const app = await NestFactory.create(App, { logger: false });
  app.useGlobalInterceptors(new CacheInterceptor(given));
  return app;
}

/** How often its handler has run for two requests that are alike. */
async function runsOf(app: NestApplication, request: Parameters<NestApplication['inject']>[0]): Promise<number> {
  const before = runs;
  const first = await app.inject(request);
  const second = await app.inject(request);
  if (runs === before + 1) assert.deepEqual([second.status, second.text], [first.status, first.text]);
  return runs - before;
}

test('a reply is given again to who asks for the same, and only for it', async () => {
  const app = kept(await appOf());
  const first = await app.inject('/thing');
  const second = await app.inject('/thing');
  assert.deepEqual([first.headers['x-cache'], second.headers['x-cache']], ['MISS', 'HIT']);
  assert.deepEqual([second.text, second.headers['etag'], runs], [first.text, first.headers['etag'], 1]);
  await app.inject('/thing?other');
  await app.inject({ url: '/thing', headers: { host: 'other.example' } });
  assert.equal(runs, 3);
  assert.equal(await runsOf(app, { method: 'POST', url: '/thing' }), 2);
  assert.equal(await runsOf(app, { method: 'HEAD', url: '/thing' }), 2);
  assert.equal(await runsOf(app, '/observed'), 1);
});

test('values that are false are kept, too', async () => {
  const app = kept(await appOf());
  for (const kind of ['zero', 'empty', 'no', 'null', 'undefined']) assert.equal(await runsOf(app, `/falsy?kind=${kind}`), 1, kind);
});

test('who says who he is gets what was made for him', async () => {
  const app = kept(await appOf());
  app.use((req: { headers: Record<string, string>; user?: unknown }, _res: unknown, next: () => void) => {
    if (req.headers['x-key'] !== undefined) req.user = { key: req.headers['x-key'] };
    next();
  });
  for (const headers of [{ authorization: 'Bearer a' }, { cookie: 'session=a' }, { 'x-api-key': 'a' }, { 'x-key': 'a' }]) {
    assert.equal(await runsOf(app, { url: '/user', headers }), 2, JSON.stringify(headers));
    assert.equal((await app.inject({ url: '/user', headers })).headers['x-cache'], undefined);
  }
  assert.equal(await runsOf(app, { url: '/named', headers: { cookie: 'session=a' } }), 2);
  assert.equal(await runsOf(app, '/user'), 1);
});

test('a key of the application says who shares what', async () => {
  const app = kept(await appOf());
  const as = (authorization: string) => ({ url: '/each', headers: { authorization } });
  assert.equal(await runsOf(app, as('a')), 1);
  assert.equal(await runsOf(app, as('b')), 1);
  const shared = kept(await appOf({ shared: true }));
  await shared.inject({ url: '/thing', headers: { cookie: 'theme=dark' } });
  await shared.inject({ url: '/thing', headers: { cookie: 'theme=light' } });
  assert.equal(runs, 1);
  const keyed = kept(await appOf({ headers: ['Authorization'] }));
  for (const authorization of ['a', 'b', 'a', 'b']) await keyed.inject({ url: '/thing', headers: { authorization } });
  assert.equal(runs, 2);
  const own = kept(await appOf({ keyOf: (context) => context.getRequest().query.by as string | undefined }));
  for (const url of ['/thing?by=1', '/thing?by=1&x', '/thing', '/thing']) await own.inject(url);
  assert.equal(runs, 3);
});

test('what @Vary and @Header say of replies is heard', async () => {
  const app = kept(await appOf());
  const inLanguage = (language: string) => ({ url: '/described', headers: { 'accept-language': language } });
  assert.equal(await runsOf(app, inLanguage('de')), 1);
  assert.equal(await runsOf(app, inLanguage('en')), 1);
  assert.equal((await app.inject(inLanguage('en'))).headers['x-kind'], 'thing');
  assert.equal(await runsOf(app, '/private'), 2);
});

test('files, replies of a handler’s own, fields it sets, errors and events pass by', async () => {
  const app = kept(await appOf());
  for (const url of ['/file', '/own', '/field', '/missing']) assert.equal(await runsOf(app, url), 2, url);
  assert.equal((await app.inject('/own')).status, 200);
  assert.match((await app.inject('/events')).text, /data: one\n\n[^]*data: run \d/);
  assert.equal(await runsOf(app, '/events'), 2);
});

test('of those that ask at once one runs, and its failure is that of all', async () => {
  const app = kept(await appOf());
  const asking = Array.from({ length: 20 }, () => app.inject('/slow?gate=a'));
  while (!gates.has('a')) await new Promise(setImmediate);
  gates.get('a')?.resolve({ done: true });
  const replies = await Promise.all(asking);
  assert.equal(runs, 1);
  assert.ok(replies.every(({ text }) => text === '{"done":true}'));
  const failing = Array.from({ length: 5 }, () => app.inject('/slow?gate=b'));
  while (!gates.has('b')) await new Promise(setImmediate);
  gates.get('b')?.reject(new NotFoundException('gone'));
  assert.deepEqual(new Set((await Promise.all(failing)).map(({ status }) => status)), new Set([404]));
  assert.equal(runs, 2);
  assert.equal((await app.inject('/thing')).status, 200);
});

test('the failure of one whose client has left is not that of those who wait', async (t) => {
  let asked: (() => void) | null = null;
  @Controller()
  class Leaving {
    @Get()
    get(@Context() c: AnyContext) {
      runs += 1;
      const isFirst = runs === 1;
      return new Promise((resolve, reject) => {
        if (!isFirst) return resolve({ run: runs });
        c.signal.addEventListener('abort', () => reject(new Error('left')));
        asked?.();
      });
    }
  }
  @Module({ controllers: [Leaving] })
  class Root {}
  runs = 0;
  const cache = new MemoryCache();
  const app = kept(await NestFactory.create(Root, { logger: false }));
  app.useGlobalInterceptors(new CacheInterceptor(cache));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const shared = t.mock.method(cache, 'shared');
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await arrived;
  const waiting = [1, 2].map(() => fetch(`http://127.0.0.1:${port}/`));
  while (shared.mock.callCount() < 3) await new Promise(setImmediate);
  socket.destroy();
  for (const reply of await Promise.all(waiting)) assert.deepEqual([reply.status, await reply.json()], [200, { run: 2 }]);
  assert.equal(runs, 2);
});

test('what is kept is a copy: whoever changes his changes nobody else’s', async () => {
  runs = 0;
  const cache = new MemoryCache();
  const app = await NestFactory.create(App, { logger: false });
  app.useGlobalInterceptors(
    {
      async intercept(_context, next) {
        const value = (await next()) as { list: number[] };
        value.list.push(2);
        return value;
      },
    },
    new CacheInterceptor(cache),
  );
  for (let time = 0; time < 3; time += 1) assert.deepEqual((await app.inject('/thing')).json(), { run: 0, list: [1, 2] });
  assert.equal(cache.size, 1);
  await app.close();
});

test('there are never more entries and bytes than asked for', async () => {
  const cache = new MemoryCache({ max: 10, maxBytes: 50_000 });
  const app = kept(await appOf(cache));
  for (let at = 0; at < 50; at += 1) await app.inject(`/thing?${at}`);
  assert.equal(cache.size, 10);
  await app.inject('/thing?49');
  assert.equal(runs, 50);
  assert.equal(cache.keep('large', 'x'.repeat(30_000)), false);
  assert.equal(cache.keep('half', 'x'.repeat(20_000)), true);
  assert.ok(cache.bytes <= 50_000 && cache.size < 11, `${cache.bytes} in ${cache.size}`);
  assert.equal(cache.keep('k'.repeat(8193), 1), false);
  const deep: unknown[] = [];
  let inner = deep;
  for (let depth = 0; depth < 100_000; depth += 1) inner.push((inner = []));
  assert.equal(cache.keep('deep', deep), false);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  assert.doesNotThrow(() => cache.keep('circle', circle));
  assert.equal(await cache.clear(), true);
  assert.deepEqual([cache.size, cache.bytes], [0, 0]);
});

test('a value is over when its time is', async (t) => {
  t.mock.method(performance, 'now', () => clock);
  let clock = 0;
  const app = kept(await appOf(10_000));
  await app.inject('/thing');
  await app.inject('/short');
  clock = 9999;
  await app.inject('/thing');
  await app.inject('/short');
  assert.equal(runs, 3);
  clock = 10_000;
  await app.inject('/thing');
  assert.equal(runs, 4);
  const cache = new MemoryCache({ ttl: 0 });
  cache.keep('ever', 1);
  clock = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(cache.find('ever'), { value: 1 });
});

test('a module’s cache is that of its interceptors and its services', async () => {
  @Controller()
  @UseInterceptors(CacheInterceptor)
  class Cached {
    readonly cache: MemoryCache;
    constructor(@Inject(CACHE_MANAGER) cache: MemoryCache) {
      this.cache = cache;
    }
    @Get()
    @CacheKey('all')
    all() {
      return counted({ run: runs });
    }
    @Post()
    async forget() {
      return { deleted: await this.cache.del('all'), value: await this.cache.wrap('made', () => 7) };
    }
  }
  @Module({ imports: [CacheModule.register({ ttl: 1000, max: 5 })], controllers: [Cached] })
  class Root {}
  runs = 0;
  const app = kept(await NestFactory.create(Root, { logger: false }));
  assert.equal(await runsOf(app, '/'), 1);
  assert.deepEqual((await app.inject({ method: 'POST', url: '/' })).json(), { deleted: true, value: 7 });
  assert.equal(await runsOf(app, '/'), 1);
});

test('a module without options, a global one and one whose options come later make a cache', async () => {
  const made = async (module: DynamicModule): Promise<MemoryCache> => {
    @Module({ imports: [module] })
    class Root {}
    return kept(await NestFactory.create(Root, { logger: false })).get<MemoryCache>(CACHE_MANAGER);
  };
  assert.ok((await made(CacheModule.register())) instanceof MemoryCache);
  const global = CacheModule.register({ isGlobal: true, max: 3 });
  assert.equal(global.global, true);
  assert.ok((await made(global)) instanceof MemoryCache);
  const later = await made(CacheModule.registerAsync({ useFactory: () => Promise.resolve({ max: 1 }) }));
  for (const key of ['a', 'b']) later.keep(key, 1);
  assert.equal(later.size, 1);
  await assert.rejects(made(CacheModule.registerAsync({ useFactory: () => ({ mx: 1 }) as object })), /no option mx; did you mean max/);
});

test('without a module each class has a cache of its own', async () => {
  @Controller()
  @UseInterceptors(CacheInterceptor)
  class Cached {
    @Get()
    all() {
      return counted({ run: runs });
    }
  }
  @Module({ controllers: [Cached] })
  class Root {}
  const app = kept(await NestFactory.create(Root, { logger: false }));
  assert.equal(await runsOf(app, '/'), 1);
});

test('wrap() makes a value once for all that ask at once', async () => {
  const cache = new MemoryCache();
  let made = 0;
  const make = async (): Promise<object> => {
    made += 1;
    await new Promise(setImmediate);
    return { made };
  };
  const values = await Promise.all([1, 2, 3].map(() => cache.wrap('a', make)));
  assert.deepEqual([made, values], [1, [{ made: 1 }, { made: 1 }, { made: 1 }]]);
  assert.notEqual(values[0], values[1]);
  await assert.rejects(
    cache.wrap('b', () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await cache.get('b'), undefined);
});

test('options that are none are told when it is made', () => {
  assert.throws(() => new CacheInterceptor(-1), /ttl is a number of milliseconds/);
  assert.throws(() => new CacheInterceptor({ tll: 5 } as object), /no option tll; did you mean ttl/);
  assert.throws(() => new CacheInterceptor(new Map() as never), /keeps replies in a MemoryCache, .* this is another cache/);
  assert.throws(() => new CacheInterceptor({ headers: ['a b'] }), /headers is a list of names of fields/);
  assert.throws(() => CacheKey(''), /@CacheKey\(\) takes a text or a function/);
  assert.throws(() => CacheTTL(-1), /@CacheTTL\(\) takes a number of milliseconds/);
});

test('a handler that two classes inherit is two', async () => {
  class Base {
    @Get()
    show(): object {
      return { of: this.constructor.name };
    }
  }
  @Controller({ path: 'same', version: '1' })
  class First extends Base {}
  @Controller({ path: 'same', version: '2' })
  class Second extends Base {}
  @Module({ controllers: [First, Second] })
  class App {}
  const app = await NestFactory.create(App, { logger: false });
  app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' });
  app.useGlobalInterceptors(new CacheInterceptor());
  for (const [version, of] of [
    ['1', 'First'],
    ['2', 'Second'],
    ['1', 'First'],
  ] as const)
    assert.deepEqual((await app.inject({ url: '/same', headers: { 'x-version': version } })).json(), { of });
  await app.close();
});

test('what stands in itself or in many places is copied once', () => {
  const cache = new MemoryCache();
  const self: Record<string, unknown> = {};
  Object.assign(self, { one: self, other: self });
  assert.ok(cache.keep('self', self));
  const copy = cache.find('self')?.value as typeof self;
  assert.ok(copy !== self && copy['one'] === copy && copy['other'] === copy);
  let shared: unknown = [1];
  for (let depth = 0; depth < 50; depth += 1) shared = [shared, shared];
  assert.ok(cache.keep('shared', shared));
  assert.ok(cache.keep('map', { map: new Map(Array.from({ length: 200_000 }, (_, at) => [at, at])) }));
});
