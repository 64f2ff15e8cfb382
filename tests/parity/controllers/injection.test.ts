/**
 * Modules, providers and scopes: what is visible where, what is made when, and what does not start.
 */
import type { ExecutionContext } from '@nestjs/common';
import { defineControllers, type ControllersCase, type Side } from './suite.ts';

/** An application whose only controller replies with what `values` finds. */
function showing(n: Side, inject: unknown, rest: object) {
  @n.Controller()
  class Shown {
    readonly value: any;
    constructor(@n.Inject(inject as never) value: any) {
      this.value = value;
    }
    @n.Get()
    show() {
      return { value: this.value };
    }
  }
  @n.Module({ controllers: [Shown], ...rest })
  class App {}
  return App;
}

const providers: ControllersCase[] = [
  {
    name: 'values, factories, asynchronous ones and other names are provided',
    app: (n) => {
      class Base {
        name = 'base';
      }
      class Replaced {
        name = 'replaced';
      }
      @n.Injectable()
      class Uses {
        readonly base: Base;
        @n.Inject('value') readonly value!: string;
        @n.Optional() @n.Inject('missing') readonly missing: unknown = 'default';
        constructor(base: Base) {
          this.base = base;
        }
      }
      @n.Controller()
      class All {
        readonly given: unknown[];
        constructor(
          @n.Inject('value') value: string,
          @n.Inject('factory') factory: string,
          @n.Inject('later') later: string,
          @n.Inject('alias') alias: Base,
          uses: Uses,
          @n.Optional() @n.Inject('nowhere') nowhere: unknown,
          @n.Inject('promised') promised: unknown,
          @n.Inject('withOptional') withOptional: unknown,
        ) {
          this.given = [value, factory, later, alias, uses, nowhere ?? 'undefined', promised, withOptional];
        }
        @n.Get()
        show() {
          return this.given;
        }
      }
      @n.Module({
        controllers: [All],
        providers: [
          Uses,
          { provide: Base, useClass: Replaced },
          { provide: 'value', useValue: 'v' },
          { provide: 'factory', useFactory: (value: string, base: Base) => `${value}+${base.name}`, inject: ['value', Base] },
          { provide: 'later', useFactory: async (factory: string) => `later ${factory}`, inject: ['factory'] },
          { provide: 'alias', useExisting: Base },
          { provide: 'promised', useValue: Promise.resolve('kept') },
          { provide: 'withOptional', useFactory: (none: unknown) => none ?? 'none', inject: [{ token: 'nowhere', optional: true }] },
        ],
      })
      class App {}
      return App;
    },
    requests: ['/'],
  },
  {
    name: 'a class without a constructor of its own has the dependencies of the one it extends, optional ones too',
    app: (n) => {
      @n.Injectable()
      class Base {
        readonly given: unknown[];
        constructor(@n.Inject('value') value: unknown, @n.Optional() @n.Inject('nowhere') nowhere: unknown) {
          this.given = [value, nowhere ?? 'undefined'];
        }
      }
      @n.Injectable()
      class Sub extends Base {}
      @n.Injectable()
      class Own extends Base {
        constructor(@n.Inject('value') value: unknown) {
          super(value, 'own');
        }
      }
      @n.Module({
        providers: [
          Sub,
          Own,
          { provide: 'value', useValue: 'v' },
          { provide: 'all', useFactory: (sub: Sub, own: Own) => [sub.given, own.given], inject: [Sub, Own] },
        ],
        exports: ['all'],
      })
      class Given {}
      return showing(n, 'all', { imports: [Given] });
    },
    requests: ['/'],
  },
  {
    name: 'a module sees what it imports exports, through others that hand it on, and global modules',
    app: (n) => {
      @n.Module({ providers: [{ provide: 'deep', useValue: 'deep' }], exports: ['deep'] })
      class Deep {}
      @n.Module({ imports: [Deep], exports: [Deep] })
      class Between {}
      @n.Global()
      @n.Module({ providers: [{ provide: 'everywhere', useValue: 'global' }], exports: ['everywhere'] })
      class Everywhere {}
      @n.Module({
        imports: [Between],
        providers: [{ provide: 'both', useFactory: (...all: string[]) => all, inject: ['deep', 'everywhere'] }],
        exports: ['both'],
      })
      class Feature {}
      return showing(n, 'both', { imports: [Feature, Everywhere] });
    },
    requests: ['/'],
  },
  {
    name: 'dynamic modules have their own providers, each call',
    app: (n) => {
      class Config {
        static forRoot(name: string, global = false) {
          return { module: Config, global, providers: [{ provide: `config ${name}`, useValue: { name } }], exports: [`config ${name}`] };
        }
        static async later(name: string) {
          await Promise.resolve();
          return Config.forRoot(name);
        }
      }
      n.Module({ providers: [{ provide: 'static', useValue: 's' }], exports: ['static'] })(Config);
      return showing(n, 'all', {
        imports: [Config.forRoot('a'), Config.forRoot('b', true), Config.later('c')],
        providers: [{ provide: 'all', useFactory: (...all: unknown[]) => all, inject: ['config a', 'config b', 'config c', 'static'] }],
      });
    },
    requests: ['/'],
  },
  {
    name: 'configurable modules register with options, extras and factories',
    app: (n) => {
      const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new n.ConfigurableModuleBuilder<{ url: string }>({ moduleName: 'SomeHttp' })
        .setClassMethodName('forRoot')
        .setFactoryMethodName('makeOptions')
        .setExtras({ isGlobal: false }, (definition, extras) => ({ ...definition, global: extras.isGlobal }))
        .build();
      class SomeHttp extends ConfigurableModuleClass {}
      n.Module({
        providers: [{ provide: 'shown', useFactory: (options: unknown) => options, inject: [MODULE_OPTIONS_TOKEN] }],
        exports: ['shown'],
      })(SomeHttp);
      class Maker {
        async makeOptions() {
          return { url: 'made' };
        }
      }
      @n.Module({
        imports: [SomeHttp.forRoot({ url: 'given', isGlobal: false })],
        providers: [{ provide: 'one', useExisting: 'shown' }],
        exports: ['one'],
      })
      class One {}
      @n.Module({
        imports: [SomeHttp.forRootAsync({ useFactory: async () => ({ url: 'factory' }) })],
        providers: [{ provide: 'two', useExisting: 'shown' }],
        exports: ['two'],
      })
      class Two {}
      @n.Module({
        imports: [SomeHttp.forRootAsync({ useClass: Maker })],
        providers: [{ provide: 'three', useExisting: 'shown' }],
        exports: ['three'],
      })
      class Three {}
      return showing(n, 'all', {
        imports: [One, Two, Three],
        providers: [
          { provide: 'all', useFactory: (...all: unknown[]) => [...all, String(MODULE_OPTIONS_TOKEN)], inject: ['one', 'two', 'three'] },
        ],
      });
    },
    requests: ['/'],
  },
  {
    name: 'classes that need one another are made by forwardRef, of one module and of two',
    app: (n) => {
      @n.Injectable()
      class Left {
        readonly right: any;
        readonly name = 'left';
        constructor(@n.Inject(n.forwardRef(() => Right)) right: any) {
          this.right = right;
        }
      }
      @n.Injectable()
      class Right {
        readonly left: any;
        readonly name = 'right';
        constructor(@n.Inject(n.forwardRef(() => Left)) left: any) {
          this.left = left;
        }
      }
      class First {}
      class Second {}
      n.Module({ imports: [n.forwardRef(() => Second)], providers: [Left], exports: [Left] })(First);
      n.Module({ imports: [n.forwardRef(() => First)], providers: [Right], exports: [Right] })(Second);
      @n.Controller()
      class Names {
        readonly left: any;
        readonly right: any;
        constructor(@n.Inject(Left) left: any, @n.Inject(Right) right: any) {
          this.left = left;
          this.right = right;
        }
        @n.Get()
        show() {
          const { left, right } = this;
          return [left.right === right, right.left === left, left.right.name, right.left.name];
        }
      }
      @n.Module({ imports: [First, Second], controllers: [Names] })
      class App {}
      return App;
    },
    requests: ['/'],
  },
  {
    name: 'a class with parameters of a class it extends is injected as that is',
    app: (n) => {
      class Dependency {
        name = 'dependency';
      }
      @n.Injectable()
      class Base {
        readonly dependency: Dependency;
        @n.Inject('property') readonly property!: string;
        constructor(dependency: Dependency) {
          this.dependency = dependency;
        }
      }
      @n.Injectable()
      class Extended extends Base {
        @n.Inject('own') readonly own!: string;
      }
      return showing(n, Extended, {
        providers: [Extended, Dependency, { provide: 'property', useValue: 'p' }, { provide: 'own', useValue: 'o' }],
      });
    },
    requests: ['/'],
  },
];

const scopes: ControllersCase[] = [
  {
    name: 'each request has its own of what is made for requests, however many there are at once',
    together: true,
    app: (n, { note }) => {
      let made = 0;
      @n.Injectable({ scope: n.Scope.REQUEST })
      class OfRequest {
        readonly number = (made += 1);
        readonly request: any;
        constructor(@n.Inject(n.REQUEST) request: any) {
          this.request = request;
        }
      }
      @n.Injectable()
      class Shared {
        calls = 0;
        call() {
          return (this.calls += 1) > 0;
        }
      }
      @n.Injectable()
      class Bubbled {
        readonly of: OfRequest;
        readonly shared: Shared;
        constructor(of: OfRequest, shared: Shared) {
          this.of = of;
          this.shared = shared;
        }
      }
      @n.Injectable()
      class Guard {
        readonly of: OfRequest;
        constructor(of: OfRequest) {
          this.of = of;
        }
        canActivate(context: ExecutionContext) {
          return this.of.request === context.switchToHttp().getRequest();
        }
      }
      @n.Controller('r')
      @n.UseGuards(Guard)
      class Requested {
        readonly of: OfRequest;
        readonly bubbled: Bubbled;
        constructor(of: OfRequest, bubbled: Bubbled) {
          this.of = of;
          this.bubbled = bubbled;
          note('made');
        }
        @n.Get(':id')
        async show(@n.Param('id') id: string, @n.Req() req: any) {
          await new Promise((resolve) => setImmediate(resolve));
          const { of, bubbled } = this;
          return { id, own: of.request.params.id, same: bubbled.of === of && of.request === req, shared: bubbled.shared.call() };
        }
      }
      @n.Module({ controllers: [Requested], providers: [OfRequest, Shared, Bubbled] })
      class App {}
      return App;
    },
    requests: Array.from({ length: 12 }, (_, index) => `/r/${index}`),
  },
  {
    name: 'what is durable and has failed is made again for the next request',
    app: (n, { note }) => {
      let made = 0;
      const useFactory = async () => {
        made += 1;
        note(made);
        if (made === 1) throw new n.ServiceUnavailableException('not yet');
        return made;
      };
      const shared = n.ContextIdFactory.create();
      n.ContextIdFactory.apply({ attach: (id) => (info) => (info.isTreeDurable ? shared : id) });
      return showing(n, 'durable', {
        providers: [{ provide: 'durable', scope: n.Scope.REQUEST, durable: true, inject: [n.REQUEST], useFactory }],
      });
    },
    requests: ['/', '/', '/'],
  },
  {
    name: 'transient providers are one for each consumer, who may be asked for',
    app: (n) => {
      let made = 0;
      @n.Injectable({ scope: n.Scope.TRANSIENT })
      class Log {
        readonly number = (made += 1);
        readonly of: string;
        constructor(@n.Inject(n.INQUIRER) inquirer: object) {
          this.of = inquirer?.constructor?.name;
        }
      }
      @n.Injectable()
      class A {
        readonly log: Log;
        readonly again: Log;
        constructor(log: Log, again: Log) {
          this.log = log;
          this.again = again;
        }
      }
      @n.Injectable()
      class B {
        readonly log: Log;
        constructor(log: Log) {
          this.log = log;
        }
      }
      return showing(n, 'all', {
        providers: [
          Log,
          A,
          B,
          {
            provide: 'all',
            useFactory: (a: A, b: B) => [a.log === a.again, a.log.number === b.log.number, a.log.of, b.log.of],
            inject: [A, B],
          },
        ],
      });
    },
    requests: ['/'],
  },
  {
    name: 'enhancers of all may be made for each request',
    app: (n, { note }) => {
      @n.Injectable({ scope: n.Scope.REQUEST })
      class Guard {
        readonly url: string;
        constructor(@n.Inject(n.REQUEST) request: any) {
          this.url = request.url;
        }
        canActivate() {
          note('guard', this.url);
          return true;
        }
      }
      @n.Injectable({ scope: n.Scope.REQUEST })
      class Pipe {
        readonly url: string;
        constructor(@n.Inject(n.REQUEST) request: any) {
          this.url = request.url;
        }
        transform(value: string) {
          return `${value} of ${this.url}`;
        }
      }
      @n.Controller()
      class Plain {
        @n.Get(':id')
        show(@n.Param('id', Pipe) id: string) {
          return id;
        }
      }
      @n.Module({ controllers: [Plain], providers: [{ provide: n.APP_GUARD, useClass: Guard }] })
      class App {}
      return App;
    },
    requests: ['/1', '/2'],
  },
  {
    name: 'providers are had by their token while the application runs',
    app: (n) => {
      @n.Injectable({ scope: n.Scope.REQUEST })
      class Each {}
      @n.Injectable({ scope: n.Scope.TRANSIENT })
      class Transient {}
      @n.Injectable()
      class Created {
        readonly value: string;
        constructor(@n.Inject('value') value: string) {
          this.value = value;
        }
      }
      @n.Module({ providers: [{ provide: 'far', useValue: 'far' }] })
      class Far {}
      @n.Controller()
      class Asking {
        readonly ref: any;
        constructor(@n.Inject(n.ModuleRef) ref: any) {
          this.ref = ref;
        }
        @n.Get()
        async show() {
          const tried = (use: () => unknown) => {
            try {
              return use();
            } catch {
              return 'refused';
            }
          };
          const context = n.ContextIdFactory.create();
          const [one, same, other] = [
            await this.ref.resolve(Each, context),
            await this.ref.resolve(Each, context),
            await this.ref.resolve(Each),
          ];
          return [
            this.ref.get('value'),
            tried(() => this.ref.get('far')),
            this.ref.get('far', { strict: false }),
            tried(() => this.ref.get('nowhere', { strict: false })),
            tried(() => this.ref.get(Each)),
            (await this.ref.create(Created)).value,
            one === same,
            one === other,
            await this.ref.resolve('value', context),
            (await this.ref.resolve(Transient, context)) === (await this.ref.resolve(Transient, context)),
            (await this.ref.resolve(Transient)) === (await this.ref.resolve(Transient)),
          ];
        }
      }
      @n.Module({ imports: [Far], controllers: [Asking], providers: [Each, Transient, { provide: 'value', useValue: 'v' }] })
      class App {}
      return App;
    },
    setup: (app, _n, { note }) => note(app.get('far')),
    requests: ['/'],
  },
  {
    name: 'a context has providers whose hooks have run, without a port',
    app: async (n, { note }) => {
      @n.Injectable()
      class Service {
        text = 'not yet';
        onModuleInit() {
          this.text = 'ready';
        }
        onModuleDestroy() {
          note('destroyed');
        }
      }
      @n.Module({ providers: [Service] })
      class Context {}
      const context = await n.NestFactory.createApplicationContext(Context, { logger: false });
      note(context.get(Service).text);
      await context.close();
      @n.Module({})
      class App {}
      return App;
    },
    requests: ['/'],
  },
  {
    name: 'modules are loaded late, and found by discovery',
    app: (n) => {
      const Marked = n.DiscoveryService.createDecorator<string>();
      @Marked('here')
      class Found {}
      @n.Module({ providers: [{ provide: 'lazy', useValue: 'loaded' }] })
      class Late {}
      @n.Controller()
      class Asking {
        readonly loader: any;
        readonly discovery: any;
        constructor(@n.Inject(n.LazyModuleLoader) loader: any, @n.Inject(n.DiscoveryService) discovery: any) {
          this.loader = loader;
          this.discovery = discovery;
        }
        @n.Get()
        async show() {
          const ref = await this.loader.load(() => Promise.resolve(Late));
          const marked = this.discovery
            .getProviders()
            .map((wrapper: any) => wrapper.metatype && this.discovery.getMetadataByDecorator(Marked, wrapper))
            .filter(Boolean);
          return [ref.get('lazy'), ref === (await this.loader.load(() => Late)), marked, this.discovery.getControllers().length];
        }
      }
      @n.Module({ imports: [n.DiscoveryModule], controllers: [Asking], providers: [Found] })
      class App {}
      return App;
    },
    requests: ['/'],
  },
];

/** Neither starts. */
const refused: [string, (n: Side) => unknown][] = [
  ['a dependency that nothing provides', (n) => showing(n, 'missing', {})],
  [
    'a provider that its module does not export',
    (n) => {
      @n.Module({ providers: [{ provide: 'kept', useValue: 1 }] })
      class Keeping {}
      return showing(n, 'kept', { imports: [Keeping] });
    },
  ],
  [
    'a provider of a module that is imported by an import, not exported by it',
    (n) => {
      @n.Module({ providers: [{ provide: 'deep', useValue: 1 }], exports: ['deep'] })
      class Deep {}
      @n.Module({ imports: [Deep] })
      class Between {}
      return showing(n, 'deep', { imports: [Between] });
    },
  ],
  [
    'an export that is not there',
    (n) => {
      @n.Module({ exports: ['nothing'] })
      class Exporting {}
      return showing(n, n.Reflector, { imports: [Exporting] });
    },
  ],
  ['an import that is undefined', (n) => showing(n, n.Reflector, { imports: [undefined] })],
  [
    'a provider among the imports',
    (n) => {
      @n.Injectable()
      class Service {}
      return showing(n, n.Reflector, { imports: [Service] });
    },
  ],
  [
    'a class without decorator among the controllers',
    (n) => {
      class Plain {}
      @n.Module({ controllers: [Plain] })
      class App {}
      return App;
    },
  ],
  ['a provider that says not how it is made', (n) => showing(n, 'x', { providers: [{ provide: 'x' }] })],
  [
    'a constructor that throws',
    (n) => {
      class Throwing {
        constructor() {
          throw new Error('no');
        }
      }
      return showing(n, Throwing, { providers: [Throwing] });
    },
  ],
  ['a factory that rejects', (n) => showing(n, 'x', { providers: [{ provide: 'x', useFactory: () => Promise.reject(new Error('no')) }] })],
];

defineControllers([
  ...providers,
  ...scopes,
  ...refused.map(([name, app]): ControllersCase => ({ name: `${name} is an error at start`, app, requests: [] })),
]);
