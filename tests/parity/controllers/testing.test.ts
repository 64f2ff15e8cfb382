/**
 * `fulmar/controllers/testing` beside `@nestjs/testing`: the same test of an application on both, and what it finds is
 * compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as nestTesting from '@nestjs/testing';
import * as ours from 'fulmar/controllers';
import * as oursTesting from 'fulmar/controllers/testing';
// @ts-expect-error -- it brings no types
import supertest from 'supertest';

const request = supertest as (server: unknown) => { get(path: string): Promise<{ status: number; text: string; type: string }> };

type Side = typeof nestCommon & typeof nestCore & Pick<typeof nestTesting, 'Test'>;

interface TestingCase {
  readonly name: string;
  /** Gives what is compared. */
  readonly run: (n: Side) => Promise<unknown>;
  /** It does not compile on either side. */
  readonly fails?: true;
}

const sides: Readonly<Record<'nest' | 'ours', Side>> = {
  nest: { ...nestCommon, ...nestCore, ...nestTesting },
  ours: { ...ours, ...oursTesting } as unknown as Side,
};

/** What supertest is answered at each path, through the application's server; it is closed. */
async function asked(app: nestCommon.INestApplication, ...paths: string[]): Promise<unknown[]> {
  await app.init();
  try {
    const replies: unknown[] = [];
    for (const path of paths) {
      const { status, text, type } = await request(app.getHttpServer()).get(path);
      replies.push([path, status, type, text]);
    }
    return replies;
  } finally {
    await app.close();
  }
}

/** An application with a guard, a pipe, an interceptor and a filter by their classes, and a service two modules away. */
function cats(n: Side) {
  class Names {
    all() {
      return ['real'];
    }
  }
  @n.Module({ providers: [Names], exports: [Names] })
  class NamesModule {}
  class Closed {
    canActivate() {
      return false;
    }
  }
  class Upper {
    transform(value: unknown) {
      return String(value).toUpperCase();
    }
  }
  class Wrap {
    async intercept(_context: unknown, next: { handle(): any }) {
      const { map } = await import('rxjs');
      return next.handle().pipe(map((value: unknown) => ({ wrapped: value })));
    }
  }
  @n.Catch()
  class Teapot {
    catch(error: Error, host: nestCommon.ArgumentsHost) {
      host.switchToHttp().getResponse().status(418).json({ caught: error.message });
    }
  }
  @n.Controller('cats')
  class Cats {
    readonly names: Names;
    constructor(@n.Inject(Names) names: Names) {
      this.names = names;
    }
    @n.Get()
    @n.UseInterceptors(Wrap as never)
    list() {
      return this.names.all();
    }
    @n.Get('closed')
    @n.UseGuards(Closed)
    closed() {
      return 'open';
    }
    @n.Get('name/:name')
    name(@n.Param('name', Upper as never) name: string) {
      return name;
    }
    @n.Get('fails')
    @n.UseFilters(Teapot)
    fails() {
      throw new Error('by itself');
    }
  }
  @n.Module({ imports: [NamesModule], controllers: [Cats] })
  class App {}
  return { App, Names, NamesModule, Closed, Upper, Wrap, Teapot, Cats };
}
const PATHS = ['/cats', '/cats/closed', '/cats/name/tom', '/cats/fails'];

const cases: TestingCase[] = [
  {
    name: 'an application of a testing module answers as it would without one',
    run: async (n) => asked((await n.Test.createTestingModule({ imports: [cats(n).App] }).compile()).createNestApplication(), ...PATHS),
  },
  {
    name: 'providers and enhancers are replaced by values',
    run: async (n) => {
      const { App, Names, Closed, Upper, Wrap, Teapot } = cats(n);
      const module = await n.Test.createTestingModule({ imports: [App] })
        .overrideProvider(Names)
        .useValue({ all: () => ['value'] })
        .overrideGuard(Closed)
        .useValue({ canActivate: () => true })
        .overridePipe(Upper)
        .useValue({ transform: (value: string) => `piped ${value}` })
        .overrideInterceptor(Wrap)
        .useValue({ intercept: (_context: unknown, next: nestCommon.CallHandler) => next.handle() })
        .overrideFilter(Teapot)
        .useValue({
          catch: (_error: unknown, host: nestCommon.ArgumentsHost) => host.switchToHttp().getResponse().status(599).end('filtered'),
        })
        .compile();
      return asked(module.createNestApplication(), ...PATHS);
    },
  },
  {
    name: 'classes stand in, with dependencies of their own',
    run: async (n) => {
      const { App, Names, NamesModule, Closed } = cats(n);
      n.Module({ providers: [Names, { provide: 'prefix', useValue: 'p' }], exports: [Names] })(NamesModule);
      class Fake {
        readonly prefix: string;
        constructor(@n.Inject('prefix') prefix: string) {
          this.prefix = prefix;
        }
        all() {
          return [`${this.prefix} fake`];
        }
      }
      class Open {
        canActivate() {
          return true;
        }
      }
      const module = await n.Test.createTestingModule({ imports: [App] })
        .overrideProvider(Names)
        .useClass(Fake)
        .overrideGuard(Closed)
        .useClass(Open)
        .compile();
      return [module.get(Names) instanceof Fake, ...(await asked(module.createNestApplication(), '/cats', '/cats/closed'))];
    },
  },
  {
    name: 'factories stand in, asynchronous and with what they are injected',
    run: async (n) => {
      const { App, Names } = cats(n);
      const module = await n.Test.createTestingModule({ imports: [App], providers: [{ provide: 'own', useValue: 1 }] })
        .overrideProvider(Names)
        .useFactory({ factory: async () => ({ all: () => ['made'] }) })
        .overrideProvider('own')
        .useFactory({ factory: (reflector: object) => typeof reflector, inject: [n.Reflector] })
        .compile();
      return [module.get('own'), ...(await asked(module.createNestApplication(), '/cats'))];
    },
  },
  {
    name: 'of two words for one token the last counts, and one for none is ignored',
    run: async (n) => {
      const { App, Names, Closed } = cats(n);
      const module = await n.Test.createTestingModule({ imports: [App] })
        .overrideProvider(Names)
        .useValue({ all: () => 'first' })
        .overrideProvider(Names)
        .useValue({ all: () => 'second' })
        .overrideProvider('nowhere')
        .useValue(1)
        // A guard that a decorator names is no provider.
        .overrideProvider(Closed)
        .useValue({ canActivate: () => true })
        .compile();
      return asked(module.createNestApplication(), '/cats', '/cats/closed');
    },
  },
  {
    name: 'global enhancers under a class of their own are replaced as providers',
    run: async (n) => {
      class Closed {
        canActivate() {
          return false;
        }
      }
      @n.Controller()
      class Root {
        @n.Get()
        show() {
          return 'shown';
        }
      }
      const metadata = { controllers: [Root], providers: [Closed, { provide: n.APP_GUARD, useExisting: Closed }] };
      const as = async (value: boolean) =>
        asked(
          (
            await n.Test.createTestingModule(metadata)
              .overrideProvider(Closed)
              .useValue({ canActivate: () => value })
              .compile()
          ).createNestApplication(),
          '/',
        );
      return [await as(true), await as(false)];
    },
  },
  {
    name: 'modules are replaced wherever they are imported, dynamic ones and those behind forwardRef too',
    run: async (n) => {
      const { Names, NamesModule } = cats(n);
      @n.Module({ providers: [{ provide: Names, useValue: { all: () => ['other module'] } }], exports: [Names] })
      class Other {}
      const dynamic = { module: class Dynamic {}, providers: [{ provide: 'd', useValue: 'real' }], exports: ['d'] };
      @n.Module({
        imports: [n.forwardRef(() => NamesModule), dynamic],
        providers: [{ provide: 'both', useFactory: (a: any, d: any) => [a.all(), d], inject: [Names, 'd'] }],
      })
      class Feature {}
      const module = await n.Test.createTestingModule({ imports: [Feature] })
        .overrideModule(NamesModule)
        .useModule(Other)
        .overrideModule(dynamic)
        .useModule({ ...dynamic, providers: [{ provide: 'd', useValue: 'other' }] })
        .compile();
      return [module.get('both')];
    },
  },
  {
    name: 'a mocker is asked once for what nothing provides, and its mock is found by its token',
    run: async (n) => {
      const asks: unknown[] = [];
      class Missing {}
      class Asks {
        readonly given: unknown[];
        constructor(@n.Inject(Missing) one: unknown, @n.Inject('text') two: unknown, @n.Optional() @n.Inject('optional') three: unknown) {
          this.given = [one, two, three ?? 'nothing'];
        }
      }
      class AsksToo {
        readonly given: unknown[];
        constructor(@n.Inject(Missing) one: unknown, @n.Inject('text') two: unknown) {
          this.given = [one, two];
        }
      }
      const module = await n.Test.createTestingModule({ providers: [Asks, AsksToo] })
        .useMocker((token) => {
          asks.push(typeof token === 'function' ? token.name : token);
          return token === 'optional' ? undefined : { mocked: typeof token };
        })
        .compile();
      return [module.get(Asks).given, module.get(AsksToo).given, module.get(Missing), new Set(asks).size];
    },
  },
  {
    name: 'what a mocker gives nothing for is missing',
    fails: true,
    run: async (n) => {
      class Asks {
        constructor(@n.Inject('nowhere') readonly_: unknown) {
          void readonly_;
        }
      }
      await n.Test.createTestingModule({ providers: [Asks] })
        .useMocker(() => undefined)
        .compile();
    },
  },
  {
    name: 'what nothing provides is an error without a mocker',
    fails: true,
    run: async (n) => {
      const { Cats } = cats(n);
      await n.Test.createTestingModule({ controllers: [Cats] }).compile();
    },
  },
  {
    name: 'get, resolve and select find what each module has',
    run: async (n) => {
      @n.Injectable({ scope: n.Scope.TRANSIENT })
      class Each {}
      @n.Injectable({ scope: n.Scope.REQUEST })
      class OfRequest {
        @n.Inject(n.REQUEST) readonly request!: { id: number };
      }
      @n.Module({ providers: [Each, OfRequest, { provide: 'inner', useValue: 'inner' }] })
      class Inner {}
      const module = await n.Test.createTestingModule({ imports: [Inner], providers: [{ provide: 'outer', useValue: 'outer' }] }).compile();
      const contextId = n.ContextIdFactory.create();
      module.registerRequestByContextId({ id: 7 }, contextId);
      const tries = [
        () => module.get('inner', { strict: true }),
        () => module.get(Each),
        () => module.get('none'),
        () => module.select(Each),
        () => module.select(Inner).get('outer', { strict: true }),
      ];
      const thrown = tries.map((one) => {
        try {
          one();
          return 'found';
        } catch {
          return 'thrown';
        }
      });
      return [
        module.get('outer'),
        module.get('inner'),
        module.select(Inner).get('inner', { strict: true }),
        module.select(Inner).get('outer'),
        (await module.resolve(Each)) === (await module.resolve(Each)),
        (await module.resolve(OfRequest, contextId)) === (await module.resolve(OfRequest, contextId)),
        (await module.resolve(OfRequest, contextId)).request,
        thrown,
      ];
    },
  },
  {
    name: 'a provider of requests is replaced by a value, a class and a factory',
    run: async (n) => {
      @n.Injectable({ scope: n.Scope.REQUEST })
      class OfRequest {
        name = 'real';
      }
      class Fake {
        name = 'class';
      }
      let made = 0;
      @n.Controller()
      class Root {
        readonly one: OfRequest;
        constructor(@n.Inject(OfRequest) one: OfRequest) {
          this.one = one;
        }
        @n.Get()
        show() {
          return this.one;
        }
      }
      const builder = () => n.Test.createTestingModule({ controllers: [Root], providers: [OfRequest] }).overrideProvider(OfRequest);
      return [
        await asked((await builder().useValue({ name: 'value' }).compile()).createNestApplication(), '/'),
        await asked((await builder().useClass(Fake).compile()).createNestApplication(), '/'),
        await asked(
          (
            await builder()
              .useFactory({ factory: () => ({ name: (made += 1) }) })
              .compile()
          ).createNestApplication(),
          '/',
          '/',
        ),
      ];
    },
  },
  {
    name: 'hooks run with init() and close(), in their order and once',
    run: async (n) => {
      const told: string[] = [];
      class Hooks {
        onModuleInit() {
          told.push('init');
        }
        onApplicationBootstrap() {
          told.push('bootstrap');
        }
        onModuleDestroy() {
          told.push('destroy');
        }
        beforeApplicationShutdown(signal?: string) {
          told.push(`before ${signal}`);
        }
        onApplicationShutdown(signal?: string) {
          told.push(`shutdown ${signal}`);
        }
      }
      const module = await n.Test.createTestingModule({ providers: [Hooks] }).compile();
      const early = [...told];
      await module.init();
      await module.init();
      await Promise.all([module.close(), module.close()]);
      const never = await n.Test.createTestingModule({ providers: [Hooks] }).compile();
      await never.close();
      return [early, told];
    },
  },
  {
    name: 'an application of a testing module takes what an application takes',
    run: async (n) => {
      const app = (await n.Test.createTestingModule({ imports: [cats(n).App] }).compile()).createNestApplication({ logger: false });
      app.setGlobalPrefix('api');
      app.useGlobalGuards({ canActivate: (context) => context.switchToHttp().getRequest().url !== '/api/cats/name/no' });
      return asked(app, '/api/cats', '/api/cats/name/no', '/cats');
    },
  },
];

for (const one of cases)
  test(one.name, async () => {
    if (one.fails) {
      await assert.rejects(one.run(sides.nest));
      await assert.rejects(one.run(sides.ours));
      return;
    }
    assert.deepEqual(await one.run(sides.ours), await one.run(sides.nest));
  });
