/**
 * What `fulmar/controllers/testing` has that Nest's has not: `inject()`, mocks of objects, requests, responses and
 * contexts; and what is told of wrong use. The rest is compared with Nest's in `tests/parity/controllers/testing.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  Module,
  Reflector,
  SetMetadata,
} from '../../src/controllers/index.ts';
import {
  createMock,
  createMockExecutionContext,
  createMockRequest,
  createMockResponse,
  Test,
} from '../../src/controllers/testing/index.ts';

class Store {
  find(id: number): { id: number; name: string } {
    return { id, name: 'stored' };
  }
}

@Controller('things')
class Things {
  readonly store: Store;
  constructor(@Inject(Store) store: Store) {
    this.store = store;
  }
  @Get()
  show(): unknown {
    return this.store.find(1);
  }
}

test('an application of a testing module is asked by inject(), without a port', async () => {
  const module = await Test.createTestingModule({ controllers: [Things], providers: [Store] })
    .overrideProvider(Store)
    .useValue({ find: (id: number) => ({ id, name: 'fake' }) })
    .compile();
  const app = module.createNestApplication();
  const reply = await app.inject('/things');
  assert.deepEqual([reply.status, await reply.json()], [200, { id: 1, name: 'fake' }]);
  await app.close();
});

test('setLogger() is where errors of its applications go', async () => {
  const told: unknown[] = [];
  @Controller()
  class Fails {
    @Get()
    show(): never {
      throw new Error('inside');
    }
  }
  const logger = { log: () => undefined, warn: () => undefined, error: (...what: unknown[]) => void told.push(...what) };
  const module = await Test.createTestingModule({ controllers: [Fails] })
    .setLogger(logger)
    .compile();
  const app = module.createNestApplication();
  assert.equal((await app.inject('/')).status, 500);
  assert.ok(told.some((one) => one instanceof Error && one.message === 'inside'));
  await app.close();
});

test('createMock as a mocker gives what the test makes it say, and keeps the calls', async () => {
  const module = await Test.createTestingModule({ controllers: [Things] })
    .useMocker(createMock)
    .compile();
  const store = module.get<ReturnType<typeof createMock<Store>>>(Store);
  store.find.mock.mockImplementation(() => ({ id: 3, name: 'mocked' }));
  assert.deepEqual(module.get(Things).show(), { id: 3, name: 'mocked' });
  assert.deepEqual(
    store.find.mock.calls.map((call: { arguments: unknown[] }) => call.arguments),
    [[1]],
  );
  // Its hooks are none of the container's to call.
  await (await module.init()).close();
});

test('createMock gives chains of mocks, keeps what it is given and is no promise', async () => {
  const mock = createMock<any>({ name: 'given', twice: (n: number) => n * 2, deep: { known: 1 } });
  assert.equal(mock.name, 'given');
  assert.equal(mock.twice(4), 8);
  assert.equal(mock.twice.mock.callCount(), 1);
  assert.equal(mock.deep.known, 1);
  assert.equal(mock.deep.unknown.mock.callCount(), 0);
  assert.equal(mock.one().two(), mock.one().two());
  assert.equal(await mock, mock);
  mock.set = 5;
  assert.equal(mock.set, 5);
});

test("createMock takes the runner's own mock functions", () => {
  const made: unknown[] = [];
  const mock = createMock<any>({}, { fn: (implementation) => (made.push(implementation), () => 'of the runner') });
  assert.equal(mock.anything(), 'of the runner');
  assert.equal(made.length, 1);
  assert.throws(() => createMock({}, { fn: 1 as never }), /fn.*function/);
});

test('a guard is tested with a mock of its context', () => {
  @Injectable()
  class Roles implements CanActivate {
    readonly reflector: Reflector;
    constructor(reflector: Reflector) {
      this.reflector = reflector;
    }
    canActivate(context: ExecutionContext): boolean {
      const role = this.reflector.getAllAndOverride<string>('role', [context.getHandler(), context.getClass()]);
      return context.switchToHttp().getRequest().user.role === role;
    }
  }
  class Guarded {
    @SetMetadata('role', 'admin')
    list(): void {}
  }
  const guard = new Roles(new Reflector());
  const as = (role: string): ExecutionContext =>
    createMockExecutionContext(createMockRequest({ user: { role } }), createMockResponse(), {
      controller: Guarded,
      // oxlint-disable-next-line unbound-method -- its metadata are read, nobody calls it
      handler: Guarded.prototype.list,
    });
  assert.deepEqual([guard.canActivate(as('admin')), guard.canActivate(as('reader'))], [true, false]);
  assert.throws(() => as('admin').getContext(), /no \{ context \}/);
  assert.equal(as('admin').getType(), 'http');
});

test('a mock request has its parts, by any case of a field name', () => {
  const request = createMockRequest({ method: 'post', url: '/cats?page=2', headers: { 'X-Key': 'k' }, body: { a: 1 }, ip: '::1' });
  const { method, path, query, body, ip } = request;
  assert.deepEqual(
    { method, path, query, body, ip, key: request.get('x-KEY') },
    { method: 'POST', path: '/cats', query: { page: '2' }, body: { a: 1 }, ip: '::1', key: 'k' },
  );
  assert.throws(() => createMockRequest({ url: 'cats' }), /from its path on/);
});

test('a mock response keeps what it is told and answers once', () => {
  const response = createMockResponse();
  response.status(201).set('X-One', 'a').json({ id: 1 });
  assert.deepEqual(
    [response.statusCode, response.headers, response.body],
    [201, { 'x-one': 'a', 'content-type': 'application/json; charset=utf-8' }, { id: 1 }],
  );
  assert.throws(() => response.send('more'), /answered already/);
  assert.throws(() => response.set('X-Two', 'b'), /set the field X-Two/);
  const other = createMockResponse().redirect(301, '/there');
  assert.deepEqual([other.statusCode, other.get('location')], [301, '/there']);
});

test('wrong use is told where it is written', async () => {
  const builder = Test.createTestingModule({});
  assert.throws(() => builder.overrideProvider(undefined as never), /overrideProvider\(\) takes a class or a token.*may import this one/);
  assert.throws(() => builder.overrideGuard(Store).useClass({} as never), /overrideGuard\(Store\)\.useClass\(\) takes a class.*object/);
  assert.throws(() => builder.overridePipe(Store).useFactory((() => 1) as never), /useFactory\(\) takes \{ factory, inject\? \}/);
  assert.throws(() => builder.overrideModule(Store).useModule(undefined as never), /useModule/);
  assert.throws(() => builder.useMocker({} as never), /useMocker\(\) takes a function/);
  assert.throws(() => builder.setLogger({} as never), /setLogger\(\) takes/);
  assert.throws(() => Test.createTestingModule({ provider: [] } as never), /provider/);
  const module = await builder.compile();
  assert.throws(() => module.createNestApplication({ nothing: 1 } as never), /createNestApplication.*nothing/);
  assert.throws(() => module.createNestApplication({ patch: () => undefined } as never), /no adapter/);
  assert.throws(() => module.select(Store), /Store is no module of this test/);
});

test('a constructor that throws is no missing dependency: no mock hides it', async () => {
  class Broken {
    constructor() {
      throw new Error('broken');
    }
  }
  @Module({ providers: [Broken] })
  class WithBroken {}
  await assert.rejects(
    Test.createTestingModule({ imports: [WithBroken] })
      .useMocker(createMock)
      .compile(),
    /broken/,
  );
});
