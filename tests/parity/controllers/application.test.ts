/**
 * What is told to an application before it listens: prefixes, versions, hosts, middleware, hooks; and events.
 */
import { concat, EMPTY, from, interval, map, of, take, throwError } from 'rxjs';
import { defineControllers, type ControllersCase, type Side } from './suite.ts';

function versioned(n: Side) {
  @n.Controller({ path: 'v', version: '1' })
  class One {
    @n.Get()
    all() {
      return 'one';
    }
    @n.Get('own')
    @n.Version(['2', '3'])
    own() {
      return 'own 2 and 3';
    }
    @n.Get(':id')
    id(@n.Param('id') id: string) {
      return `one ${id}`;
    }
  }
  @n.Controller({ path: 'v', version: ['2', n.VERSION_NEUTRAL] })
  class Two {
    @n.Get()
    all() {
      return 'two or none';
    }
  }
  @n.Controller({ path: 'neutral', version: n.VERSION_NEUTRAL })
  class Neutral {
    @n.Get()
    all() {
      return 'neutral';
    }
  }
  @n.Controller('plain')
  class Plain {
    @n.Get()
    all() {
      return 'plain';
    }
  }
  @n.Module({ controllers: [One, Two, Neutral, Plain] })
  class App {}
  return App;
}

const versionsAsked = ['1', '2', '3', '9'];
const versions: ControllersCase[] = [
  {
    name: 'versions in paths',
    app: versioned,
    setup: (app, n) => void app.enableVersioning({ type: n.VersioningType.URI }),
    requests: [
      ...versionsAsked.flatMap((v) => [`/v${v}/v`, `/v${v}/v/own`, `/v${v}/v/7`]),
      '/v',
      '/v/own',
      '/neutral',
      '/v1/neutral',
      '/plain',
      '/v1/plain',
    ],
  },
  {
    name: 'versions in paths with a prefix of their own and a default',
    app: versioned,
    setup: (app, n) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: n.VersioningType.URI, prefix: 'ver-', defaultVersion: '9' });
    },
    requests: ['/api/ver-1/v', '/api/ver-9/plain', '/api/plain', '/api/neutral', '/ver-1/api/v', '/api/ver-2/v/own'],
  },
  {
    name: 'versions in a field',
    app: versioned,
    setup: (app, n) => void app.enableVersioning({ type: n.VersioningType.HEADER, header: 'X-Version' }),
    requests: ['/v', '/v/own', '/v/7', '/neutral', '/plain'].flatMap((path) => [
      path,
      ...versionsAsked.map((v) => ({ path, headers: { 'X-Version': v } })),
    ]),
  },
  {
    name: 'versions in Accept',
    app: versioned,
    setup: (app, n) => void app.enableVersioning({ type: n.VersioningType.MEDIA_TYPE, key: 'v=' }),
    requests: ['/v', '/v/own', '/plain'].flatMap((path) => [
      path,
      ...versionsAsked.map((v) => ({ path, headers: { accept: `text/html, application/json;q=1;v=${v}` } })),
    ]),
  },
  {
    name: 'versions by a function',
    app: versioned,
    setup: (app, n) =>
      void app.enableVersioning({ type: n.VersioningType.CUSTOM, extractor: (request: any) => (request.headers['x-v'] ?? '').split(',') }),
    requests: ['/v', '/v/own', '/plain'].flatMap((path) => [path, ...['1', '2,1', '3'].map((v) => ({ path, headers: { 'x-v': v } }))]),
  },
];

const places: ControllersCase[] = [
  {
    name: 'a prefix of all routes but those that are excluded',
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Get()
        root() {
          return 'root';
        }
        @n.Get('health')
        health() {
          return 'healthy';
        }
        @n.Post('health')
        post() {
          return 'posted';
        }
        @n.Get('files/:id/x')
        file(@n.Param('id') id: string) {
          return id;
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    setup: (app, n) => void app.setGlobalPrefix('/api/v1/', { exclude: [{ path: 'health', method: n.RequestMethod.GET }, 'files/*rest'] }),
    requests: [
      '/',
      '/api/v1',
      '/api/v1/',
      '/health',
      '/api/v1/health',
      { method: 'POST', path: '/health' },
      { method: 'POST', path: '/api/v1/health' },
      '/files/1/x',
      '/api/v1/files/1/x',
      '/api/v1/none',
    ],
  },
  {
    name: 'a prefix with a parameter',
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Get('who')
        who(@n.Param('tenant') tenant: string) {
          return tenant;
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    setup: (app) => void app.setGlobalPrefix(':tenant/api'),
    requests: ['/a/api/who', '/a/api/none', '/A/API', '/who', '/a/who'],
  },
  {
    name: 'hosts of controllers, with their parameters',
    app: (n) => {
      @n.Controller({ path: 'h', host: ':tenant.example.com' })
      class Tenant {
        @n.Get()
        show(@n.HostParam('tenant') tenant: string, @n.HostParam() all: object) {
          return { tenant, all };
        }
      }
      @n.Controller({ path: 'h', host: ['admin.example.org', /^(?<sub>x+)\.example\.net$/] })
      class Admin {
        @n.Get()
        show(@n.HostParam() all: object) {
          return { admin: true, all };
        }
      }
      @n.Controller('h')
      class Other {
        @n.Get()
        show() {
          return 'other';
        }
      }
      @n.Module({ controllers: [Tenant, Admin, Other] })
      class App {}
      return App;
    },
    requests: ['a.example.com', 'admin.example.org', 'xx.example.net', 'elsewhere'].map((host) => ({ path: '/h', headers: { host } })),
  },
  {
    name: 'paths of modules by the router module',
    app: (n) => {
      @n.Controller('metrics')
      class Metrics {
        @n.Get()
        show() {
          return 'metrics';
        }
      }
      @n.Controller('dash')
      class Dash {
        @n.Get()
        show() {
          return 'dash';
        }
      }
      @n.Module({ controllers: [Metrics] })
      class MetricsModule {}
      @n.Module({ controllers: [Dash] })
      class DashModule {}
      @n.Module({
        imports: [
          MetricsModule,
          DashModule,
          n.RouterModule.register([{ path: 'admin', module: DashModule, children: [{ path: '/deep', module: MetricsModule }] }]),
        ],
      })
      class App {}
      return App;
    },
    requests: ['/admin/dash', '/admin/deep/metrics', '/dash', '/metrics'],
  },
];

const around: ControllersCase[] = [
  {
    name: 'middleware of modules runs for the routes it is for',
    app: (n, { note }) => {
      const noted = (name: string) => (req: any, _res: any, next: () => void) => {
        note(name, req.method, req.originalUrl, req.body);
        next();
      };
      @n.Injectable()
      class Service {
        text = 'service';
      }
      @n.Injectable()
      class ClassMiddleware {
        readonly service: Service;
        constructor(service: Service) {
          this.service = service;
        }
        use(req: any, res: any, next: () => void) {
          req.left = this.service.text;
          res.set('X-Middleware', 'class');
          next();
        }
      }
      @n.Controller('cats')
      class Cats {
        @n.Get()
        all(@n.Req() req: any) {
          return { left: req.left ?? null };
        }
        @n.Post()
        post(@n.Body() body: object) {
          return body;
        }
        @n.Get('skipped')
        skipped(@n.Req() req: any) {
          return { left: req.left ?? null };
        }
        @n.Get(':id')
        one(@n.Param('id') id: string) {
          return id;
        }
      }
      @n.Controller('dogs')
      class Dogs {
        @n.Get()
        all() {
          return 'dogs';
        }
      }
      @n.Module({ controllers: [Cats, Dogs], providers: [Service] })
      class App {
        configure(consumer: any) {
          consumer.apply(noted('all')).forRoutes('*');
          consumer.apply(ClassMiddleware, noted('cats')).exclude({ path: 'cats/skipped', method: n.RequestMethod.GET }).forRoutes(Cats);
          consumer.apply(noted('posts')).forRoutes({ path: 'cats', method: n.RequestMethod.POST });
          consumer.apply(noted('path')).forRoutes('dogs', 'cats/:id');
          consumer
            .apply((_req: unknown, _res: unknown, next: (error: Error) => void) => next(new n.NotAcceptableException('by middleware')))
            .forRoutes('refused');
          consumer
            .apply(() => {
              throw new Error('thrown by middleware');
            })
            .forRoutes('thrown');
          consumer.apply((_req: unknown, res: any) => res.status(202).send('answered')).forRoutes('answered');
        }
      }
      return App;
    },
    requests: [
      '/cats',
      '/cats/skipped',
      '/cats/5',
      { method: 'POST', path: '/cats', body: { a: 1 } },
      { method: 'POST', path: '/cats', body: '{', headers: { 'content-type': 'application/json' } },
      '/dogs',
      '/none',
      '/refused',
      '/refused/deep',
      '/thrown',
      '/answered',
    ],
  },
  {
    name: 'Express middleware of the application comes first, below its path',
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Get('a')
        a(@n.Req() req: any) {
          return { by: req.by, url: req.url, base: req.baseUrl };
        }
        @n.Get('plain')
        plain() {
          return 'plain';
        }
        @n.Post('a')
        post(@n.Body() body: unknown) {
          return { body };
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    setup: (app) => {
      app.use((req: any, res: any, next: () => void) => {
        req.by = 'use';
        res.setHeader('X-Use', '1');
        next();
      });
      app.use('/below', (req: any, res: any) => res.json({ url: req.url, base: req.baseUrl, original: req.originalUrl }));
    },
    requests: ['/a', '/plain', '/below/x?y=1', '/none', { method: 'POST', path: '/a', body: { a: 1 } }, { method: 'HEAD', path: '/plain' }],
  },
  {
    name: 'CORS is answered for all routes',
    app: (n) => {
      @n.Controller('c')
      class Root {
        @n.Get()
        show() {
          return 'c';
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    setup: (app) => app.enableCors({ origin: 'https://a.example', credentials: true, methods: ['GET', 'POST'] }),
    requests: [
      { path: '/c', headers: { origin: 'https://a.example' } },
      { method: 'OPTIONS', path: '/c', headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } },
      '/none',
    ],
  },
  {
    name: 'the raw content is kept where it is asked for',
    options: { rawBody: true },
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Post()
        show(@n.Req() req: any, @n.RawBody() raw: Buffer, @n.Body() body: unknown) {
          return { raw: req.rawBody?.toString(), same: raw === req.rawBody, body };
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    requests: [
      { method: 'POST', path: '/', body: '{"a":  1}', headers: { 'content-type': 'application/json' } },
      { method: 'POST', path: '/' },
    ],
  },
  {
    name: 'middleware for all paths knows them as its base',
    app: (n, { note }) => {
      const noting = (name: string) => (req: any, _res: unknown, next: () => void) => {
        note(name, req.baseUrl, req.url, { ...req.params });
        next();
      };
      @n.Controller()
      class Root {
        @n.Get(['a/b', 'outside'])
        show(@n.Req() req: any) {
          return [req.baseUrl, req.url];
        }
      }
      @n.Module({ controllers: [Root] })
      class App {
        configure(consumer: any) {
          consumer.apply(noting('*')).forRoutes('*');
          consumer.apply(noting('{*splat}')).forRoutes('{*splat}');
        }
      }
      return App;
    },
    setup: (app) => void app.setGlobalPrefix('api', { exclude: ['outside'] }),
    requests: ['/api/a/b?c=1', '/api/a/b/', '/api', '/api/none', '/outside'],
  },
  {
    name: 'parsers that an application names stand in the place of its own, and keep the raw content as well',
    options: { rawBody: true },
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Post()
        show(@n.RawBody() raw: Buffer | undefined, @n.Body() body: unknown) {
          return { raw: raw?.length ?? null, body: typeof body, of: typeof body === 'object' ? Object.keys(body ?? {}) : body };
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    setup: (app: any) => {
      app.useBodyParser('json', { limit: '300kb', type: 'application/vnd.own+json' });
      app.useBodyParser('text');
    },
    requests: [
      { method: 'POST', path: '/', body: { a: 1 } },
      { method: 'POST', path: '/', body: { a: 'a'.repeat(200_000) }, headers: { 'content-type': 'application/vnd.own+json' } },
      { method: 'POST', path: '/', body: 'text', headers: { 'content-type': 'text/plain' } },
      { method: 'POST', path: '/', body: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
  },
  {
    name: 'options of CORS for each request',
    options: { cors: (req: { url: string }, done: (error: null, options: object) => void) => done(null, { origin: req.url === '/c' }) },
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Get(['c', 'd'])
        show() {
          return 'c';
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    requests: [
      { path: '/c', headers: { origin: 'https://a.example' } },
      { path: '/d', headers: { origin: 'https://a.example' } },
    ],
  },
  {
    name: 'contents are left alone where it is asked for',
    options: { bodyParser: false },
    app: (n) => {
      @n.Controller()
      class Root {
        @n.Post()
        show(@n.Body() body: unknown) {
          return { body: body ?? null };
        }
        @n.Post('own')
        async own(@n.Req() req: any) {
          let text = '';
          for await (const piece of req) text += piece;
          return { text };
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    requests: [
      { method: 'POST', path: '/', body: { a: 1 } },
      { method: 'POST', path: '/own', body: { a: 1 } },
    ],
  },
  {
    name: 'hooks run in order, at start and at the end',
    app: (n, { note }) => {
      const hooked = (name: string) =>
        class {
          onModuleInit() {
            note(`init ${name}`);
          }
          async onApplicationBootstrap() {
            await Promise.resolve();
            note(`bootstrap ${name}`);
          }
          onModuleDestroy() {
            note(`destroy ${name}`);
          }
          beforeApplicationShutdown(signal: string) {
            note(`before ${name}`, signal);
          }
          onApplicationShutdown(signal: string) {
            note(`shutdown ${name}`, signal);
          }
        };
      const Deep = hooked('deep module');
      const DeepService = hooked('deep service');
      n.Module({ providers: [DeepService], exports: [DeepService] })(Deep);
      @n.Injectable()
      class Below extends hooked('below') {}
      @n.Injectable()
      class Above extends hooked('above') {
        readonly below: Below;
        constructor(below: Below) {
          super();
          this.below = below;
        }
      }
      @n.Controller()
      class Controller extends hooked('controller') {
        readonly above: Above;
        constructor(above: Above) {
          super();
          this.above = above;
        }
        @n.Get()
        show() {
          return 'x';
        }
      }
      @n.Injectable({ scope: n.Scope.REQUEST })
      class OfRequest extends hooked('request') {}
      const App = hooked('app');
      n.Module({
        imports: [Deep],
        controllers: [Controller],
        providers: [
          Above,
          Below,
          OfRequest,
          { provide: 'alias', useExisting: Below },
          { provide: 'made', useFactory: () => new (hooked('factory'))() },
        ],
      })(App);
      return App;
    },
    requests: ['/'],
  },
];

const events: ControllersCase[] = [
  {
    name: 'server-sent events of Observables',
    app: (n) => {
      @n.Controller('sse')
      class Events {
        @n.Sse('plain')
        plain() {
          return of({ data: 'one' }, { data: { two: 2 }, type: 'typed', id: 'own', retry: 5 }, { data: 'a\nb' });
        }
        @n.Sse('later')
        async later() {
          return interval(1).pipe(
            take(3),
            map((number) => ({ data: { number } })),
          );
        }
        @n.Sse('values')
        @n.Header('X-Own', '1')
        values() {
          return from(['text', 'more']) as any;
        }
        @n.Sse('empty')
        empty() {
          return EMPTY;
        }
        @n.Sse('failed')
        failed() {
          return throwError(() => new n.ConflictException('before'));
        }
        @n.Sse('none')
        none() {
          return 'no observable' as any;
        }
        @n.Sse('guarded')
        @n.UseGuards({ canActivate: () => false })
        guarded() {
          return of({ data: 'never' });
        }
        @n.Sse('mapped')
        @n.UseInterceptors({ intercept: (_c: unknown, next: any) => concat(next.handle(), of({ data: 'last' })) })
        mapped() {
          return of({ data: 'first' });
        }
      }
      @n.Module({ controllers: [Events] })
      class App {}
      return App;
    },
    requests: ['plain', 'later', 'values', 'empty', 'failed', 'none', 'guarded', 'mapped'].map((path) => `/sse/${path}`),
  },
];

defineControllers([...versions, ...places, ...around, ...events]);
