/**
 * What packages beside Nest and less common programs ask of it: events behind interceptors, loggers as providers, the
 * adapter and Express's own application, discovery, contexts of events, every exception.
 */
import { createRequire } from 'node:module';
import { from, interval, map, type Observable, of, take } from 'rxjs';
import { z } from 'zod';
import { defineControllers, type Side } from './suite.ts';

const cookieParser = createRequire(import.meta.url)('cookie-parser') as (secret: string) => (...given: unknown[]) => void;

function only(n: Side, controllers: Function[], providers: unknown[] = []) {
  @n.Module({ controllers: controllers as never[], providers: providers as never[] })
  class App {}
  return App;
}

const exceptions = [
  'BadRequestException',
  'UnauthorizedException',
  'PaymentRequiredException',
  'ForbiddenException',
  'NotFoundException',
  'MethodNotAllowedException',
  'NotAcceptableException',
  'RequestTimeoutException',
  'ConflictException',
  'GoneException',
  'LengthRequiredException',
  'PreconditionFailedException',
  'PayloadTooLargeException',
  'UriTooLongException',
  'UnsupportedMediaTypeException',
  'RequestedRangeNotSatisfiableException',
  'ImATeapotException',
  'MisdirectedException',
  'UnprocessableEntityException',
  'LockedException',
  'FailedDependencyException',
  'PreconditionRequiredException',
  'InternalServerErrorException',
  'NotImplementedException',
  'BadGatewayException',
  'ServiceUnavailableException',
  'GatewayTimeoutException',
  'HttpVersionNotSupportedException',
] as const;
type Exception = new (...given: unknown[]) => Error & { getStatus(): number };

defineControllers([
  {
    name: 'events go through interceptors one by one',
    app: (n) => {
      class Marks {
        intercept(_context: unknown, next: { handle(): Observable<unknown> }) {
          return next.handle().pipe(map((event) => ({ data: { seen: event } })));
        }
      }
      @n.Controller()
      class Events {
        @n.Sse('counted')
        counted() {
          return interval(1).pipe(
            take(2),
            map((at) => ({ data: at, id: `n${at}` })),
          );
        }
        @n.Sse('marked')
        @n.UseInterceptors(new Marks() as never)
        marked() {
          return from(['a', { data: 'b' }]);
        }
      }
      return only(n, [Events], [{ provide: n.APP_INTERCEPTOR, useClass: n.ClassSerializerInterceptor }]);
    },
    requests: ['/counted', '/marked'],
  },
  {
    name: 'events are a reply to POST where it is asked for',
    app: (n) => {
      @n.Controller()
      class Events {
        @n.Sse('events', { method: n.RequestMethod.POST })
        events(@n.Body() body: object) {
          return of({ data: body });
        }
      }
      @n.Module({ controllers: [Events] })
      class App {}
      return App;
    },
    requests: [{ method: 'POST', path: '/events', body: { a: 1 } }, '/events'],
  },
  {
    name: 'the signal of events is aborted when they are over',
    app: (n, { note }) => {
      @n.Controller()
      class Events {
        @n.Sse('events')
        events(@n.SseSignal() signal: AbortSignal) {
          note('aborted before', signal.aborted);
          signal.addEventListener('abort', () => note('aborted'));
          return of({ data: 1 });
        }
        @n.Get('plain')
        plain(@n.SseSignal() signal?: AbortSignal) {
          return { signal: signal === undefined };
        }
      }
      return only(n, [Events]);
    },
    requests: ['/events', '/plain'],
  },
  {
    name: 'loggers are provided as classes',
    app: (n) => {
      @n.Injectable()
      class Uses {
        @n.Inject(n.Logger)
        readonly logger!: { constructor: { name: string } };
        @n.Inject(n.ConsoleLogger)
        readonly console!: { constructor: { name: string } };
      }
      @n.Controller()
      class Names {
        @n.Inject(Uses)
        readonly uses!: Uses;
        @n.Get()
        names() {
          return [this.uses.logger, this.uses.console].map((one) => one.constructor.name);
        }
      }
      return only(n, [Names], [Uses, n.Logger, n.ConsoleLogger]);
    },
    requests: ['/'],
  },
  {
    name: 'the adapter is there as providers are made, and takes middleware and routes as they start',
    app: (n, { note }) => {
      @n.Injectable()
      class Early {
        @n.Inject(n.HttpAdapterHost)
        readonly host!: { httpAdapter: any };
        onModuleInit() {
          const { httpAdapter } = this.host;
          httpAdapter.getInstance().use('/used', (_req: unknown, res: any, next: () => void) => {
            res.setHeader('X-Used', 'yes');
            next();
          });
          httpAdapter.get('/raw', (_req: unknown, res: any) => res.json({ raw: true }));
        }
      }
      const late = {
        provide: 'late',
        inject: [n.HttpAdapterHost],
        useFactory: ({ httpAdapter }: { httpAdapter: { getType(): string } }) => note(httpAdapter.getType()),
      };
      @n.Controller('used')
      class Used {
        @n.Get()
        used() {
          return 'used';
        }
      }
      return only(n, [Used], [Early, late]);
    },
    requests: ['/used', '/raw', '/used/none', '/none'],
  },
  {
    name: 'the configuration of an application tells its prefix and its versions',
    app: (n, { note }) => {
      @n.Injectable()
      class Config {
        @n.Inject(n.ApplicationConfig)
        readonly config!: { getGlobalPrefix(): string; getVersioning(): unknown };
        onModuleInit() {
          note(this.config.getGlobalPrefix(), this.config.getVersioning());
        }
      }
      return only(n, [], [Config]);
    },
    setup: (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: 0, defaultVersion: '1' } as never);
    },
    requests: ['/'],
  },
  {
    name: 'contexts name their arguments for other transports by their places',
    app: (n) => {
      class Guard {
        canActivate(context: any) {
          const [request, response] = context.getArgs();
          const rpc = context.switchToRpc();
          const ofRpc = [rpc.getData() === request, rpc.getContext() === response];
          const ws = context.switchToWs();
          request.same = [...ofRpc, ws.getClient() === request, ws.getData() === response, context.getType()];
          return true;
        }
      }
      @n.Controller()
      @n.UseGuards(new Guard())
      class Same {
        @n.Get()
        same(@n.Req() request: { same: unknown }) {
          return request.same;
        }
      }
      return only(n, [Same]);
    },
    requests: ['/'],
  },
  {
    name: 'signed cookies are those whose signature is right',
    app: (n) => {
      @n.Controller()
      class Cookies {
        @n.Get()
        all(@n.SignedCookies() all: object, @n.SignedCookies('a') a: string, @n.SignedCookies('constructor') none: unknown) {
          return { all, a, none: none ?? null };
        }
      }
      return only(n, [Cookies]);
    },
    setup: (app) => void app.use(cookieParser('secret')),
    requests: [
      {
        path: '/',
        headers: { cookie: `a=${encodeURIComponent('s:one.k7PnVDKKqhlHlCEILHm8Fr+6yVWuU6+t/wXb5dz5A0A')}; b=s%3Atwo.wrong; c=plain` },
      },
      '/',
    ],
  },
  {
    name: 'parameters are bound by a decorator of the method',
    app: (n) => {
      class Bound {
        one(id: string, query: object) {
          return { id, query };
        }
      }
      const descriptor = Object.getOwnPropertyDescriptor(Bound.prototype, 'one') as PropertyDescriptor;
      n.Get(':id')(Bound.prototype, 'one', descriptor);
      n.Bind(n.Param('id'), n.Query())(Bound.prototype, 'one', descriptor);
      n.Controller()(Bound);
      return only(n, [Bound]);
    },
    requests: ['/7?x=1'],
  },
  {
    name: 'a schema says what leaves',
    app: (n) => {
      const shown = z.object({ id: z.number(), name: z.string().toUpperCase() });
      @n.Controller()
      @n.UseInterceptors(n.StandardSchemaSerializerInterceptor)
      @n.SerializeOptions({ schema: shown } as never)
      class Shown {
        @n.Get('one')
        one() {
          return { id: 1, name: 'a', secret: 's' };
        }
        @n.Get('all')
        async all() {
          return [{ id: 1, name: 'a', secret: 's' }, null, { id: 2, name: 'b' }];
        }
        @n.Get('own')
        @n.SerializeOptions({ schema: z.object({ secret: z.string() }) } as never)
        own() {
          return { id: 1, secret: 's' };
        }
        @n.Get('wrong')
        wrong() {
          return { id: 'one' };
        }
        @n.Get('text')
        text() {
          return 'text';
        }
        @n.Get('file')
        file() {
          return new n.StreamableFile(Buffer.from('file'));
        }
        @n.Get('nothing')
        nothing() {}
      }
      return only(n, [Shown]);
    },
    requests: ['/one', '/all', '/own', '/wrong', '/text', '/file', '/nothing'],
  },
  {
    name: 'providers of requests are seen by discovery, and made for events',
    app: (n, { note }) => {
      @n.Injectable({ scope: n.Scope.REQUEST })
      class Scoped {
        @n.Inject(n.REQUEST)
        readonly request!: unknown;
        heard() {}
      }
      @n.Injectable()
      class Seeker {
        @n.Inject(n.DiscoveryService)
        readonly discovery!: InstanceType<Side['DiscoveryService']>;
        @n.Inject(n.ModuleRef)
        readonly modules!: InstanceType<Side['ModuleRef']>;
        async onApplicationBootstrap() {
          const found = this.discovery.getProviders().filter(({ metatype }) => metatype === Scoped);
          for (const wrapper of found) {
            const methods = new n.MetadataScanner().getAllMethodNames(Object.getPrototypeOf(wrapper.instance) as object);
            note(wrapper.isDependencyTreeStatic(), wrapper.isAlias === true, methods);
          }
          const contextId = n.ContextIdFactory.getByRequest({ payload: 1 } as never);
          this.modules.registerRequestByContextId({ of: 'event' }, contextId);
          const one = await this.modules.resolve(Scoped, contextId, { strict: false });
          note(one.request, one === (await this.modules.resolve(Scoped, contextId, { strict: false })));
        }
      }
      @n.Module({ imports: [n.DiscoveryModule], providers: [Scoped, Seeker, { provide: 'alias', useExisting: Seeker }] })
      class App {}
      return App;
    },
    requests: ['/'],
  },
  {
    name: 'messages wait for the logger of the application',
    app: (n) => {
      @n.Injectable()
      class Speaks {
        readonly logger = new n.Logger('Speaks');
        constructor() {
          this.logger.warn('as it is made');
        }
      }
      return only(n, [], [Speaks]);
    },
    options: { bufferLogs: true, logger: undefined },
    setup: (app, n, { note }) => {
      const write =
        (level: string) =>
        (...given: unknown[]) => {
          if (given.includes('Speaks') || given.includes('Later')) note(level, ...given);
        };
      app.useLogger({ log: write('log'), error: write('error'), warn: write('warn'), debug: write('debug'), verbose: write('verbose') });
      new n.Logger('Later').error('behind it');
      app.flushLogs();
    },
    requests: ['/'],
  },
  {
    name: 'an adapter that is named changes nothing',
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Get()
        root() {
          return new n.ExpressAdapter().constructor.name;
        }
      }
      return only(n, [Root]);
    },
    requests: ['/'],
  },
  ...exceptions.map((name) => ({
    name: `${name} and its forms`,
    app: (n: Side) => {
      const type = (n as unknown as Record<string, Exception | undefined>)[name];
      @n.Controller()
      class Throws {
        @n.Get(':form')
        throws(@n.Param('form') form: string) {
          if (type === undefined) return { absent: name };
          if (form === 'none') throw new type();
          if (form === 'text') throw new type('words');
          if (form === 'description') throw new type('words', 'why');
          if (form === 'options') throw new type('words', { description: 'why', cause: new Error('inner'), errorCode: 'E_ONE' });
          if (form === 'list') throw new type(['one', 'two']);
          throw new type({ own: true, status: 1 });
        }
      }
      return only(n, [Throws]);
    },
    requests: ['none', 'text', 'description', 'options', 'list', 'object'].map((form) => `/${form}`),
  })),
]);
