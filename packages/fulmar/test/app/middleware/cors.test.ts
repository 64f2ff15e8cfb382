/**
 * `cors()`: who may read replies, and the answers to browsers that ask before.
 */
import { type App, HttpError } from '../../../src/app/index.ts';
import { cors, type CorsOptions } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const SITE = 'https://site.test';
const OTHER = 'https://other.test';

const withCors =
  (options?: CorsOptions) =>
  (app: App): void => {
    app.use(cors(options));
    app.get('/', () => 'x');
    app.get('/varied', (c) => c.header('Vary', 'Accept').text('x'));
    app.get('/response', () => new Response('x', { headers: { Vary: 'Accept' } }));
    app.get('/error', (c) => {
      c.header('Vary', 'Accept');
      throw new HttpError(409, 'taken');
    });
  };

const from = (origin: string, url = '/') => ({ url, headers: { Origin: origin } });
const preflight = (origin: string, method = 'PUT', headers: Record<string, string> = {}, url = '/') => ({
  method: 'OPTIONS',
  url,
  headers: { Origin: origin, 'Access-Control-Request-Method': method, ...headers },
});

const ALLOW = 'access-control-allow-origin';

const simple: AppCase[] = [
  { name: 'any origin without anything said', app: withCors(), ask: from(SITE), expect: { headers: { [ALLOW]: '*', vary: undefined } } },
  {
    name: 'an origin by name',
    app: withCors({ origin: SITE }),
    ask: from(SITE),
    expect: { text: 'x', headers: { [ALLOW]: SITE, vary: 'Origin' } },
  },
  {
    name: 'no other origin',
    app: withCors({ origin: SITE }),
    ask: from(OTHER),
    expect: { text: 'x', headers: { [ALLOW]: undefined, vary: 'Origin' } },
  },
  {
    name: 'a request without an origin varies too',
    app: withCors({ origin: SITE }),
    ask: '/',
    expect: { headers: { [ALLOW]: undefined, vary: 'Origin' } },
  },
  { name: 'a list', app: withCors({ origin: [SITE, /\.test$/] }), ask: from(OTHER), expect: { headers: { [ALLOW]: OTHER } } },
  {
    name: 'a pattern with g each time',
    app: withCors({ origin: /^https:\/\/site\.test$/g }),
    ask: from(SITE),
    expect: { headers: { [ALLOW]: SITE } },
  },
  {
    name: 'a function that takes its time',
    app: withCors({ origin: async (origin) => (await Promise.resolve(origin)).startsWith('https://site.') }),
    ask: from(SITE),
    expect: { headers: { [ALLOW]: SITE, vary: 'Origin' } },
  },
  {
    name: 'a function that says no',
    app: withCors({ origin: () => false }),
    ask: from(SITE),
    expect: { headers: { [ALLOW]: undefined, vary: 'Origin' } },
  },
  {
    name: 'a function that fails is an error',
    app: withCors({ origin: () => Promise.reject(new Error('of the database')) }),
    ask: from(SITE),
    expect: { status: 500, headers: { [ALLOW]: undefined } },
  },
  {
    name: 'whichever asks, with credentials',
    app: withCors({ origin: true, credentials: true }),
    ask: from(OTHER),
    expect: { headers: { [ALLOW]: OTHER, 'access-control-allow-credentials': 'true', vary: 'Origin' } },
  },
  {
    name: 'no credentials for who is not let in',
    app: withCors({ origin: [SITE], credentials: true }),
    ask: from(OTHER),
    expect: { headers: { 'access-control-allow-credentials': undefined } },
  },
  {
    name: 'fields that a page may read',
    app: withCors({ exposedHeaders: ['X-A', 'X-B'] }),
    ask: from(SITE),
    expect: { headers: { 'access-control-expose-headers': 'X-A, X-B' } },
  },
  {
    name: 'a handler’s Vary stays',
    app: withCors({ origin: SITE }),
    ask: from(SITE, '/varied'),
    expect: { headers: { vary: 'Accept, Origin' } },
  },
  {
    name: 'the Vary of a Response stays',
    app: withCors({ origin: SITE }),
    ask: from(SITE, '/response'),
    expect: { headers: { vary: 'Origin, Accept' } },
  },
  {
    name: 'errors can be read',
    app: withCors({ origin: SITE }),
    ask: from(SITE, '/error'),
    expect: { status: 409, headers: { [ALLOW]: SITE, vary: 'Accept, Origin' } },
  },
  {
    name: 'what is not found can be read',
    app: withCors(),
    ask: from(SITE, '/nothing'),
    expect: { status: 404, headers: { [ALLOW]: '*' } },
  },
];

const guarded = (app: App): void => {
  app.group('/api', (api) => {
    api.use(cors({ origin: SITE }));
    api.use(() => {
      throw new HttpError(401);
    });
    api.put('/birds', () => 'put');
  });
};

const preflights: AppCase[] = [
  {
    name: 'is answered',
    app: withCors(),
    ask: preflight(SITE),
    expect: { status: 204, text: '', headers: { [ALLOW]: '*', 'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE' } },
  },
  {
    name: 'has the methods that are given',
    app: withCors({ methods: ['GET', 'PUT'], maxAge: 600 }),
    ask: preflight(SITE),
    expect: { status: 204, headers: { 'access-control-allow-methods': 'GET, PUT', 'access-control-max-age': '600' } },
  },
  {
    name: 'has the fields that are asked for',
    app: withCors(),
    ask: preflight(SITE, 'PUT', { 'Access-Control-Request-Headers': 'x-a,x-b' }),
    expect: { status: 204, headers: { 'access-control-allow-headers': 'x-a,x-b', vary: 'Access-Control-Request-Headers' } },
  },
  {
    name: 'has the fields that are given',
    app: withCors({ allowedHeaders: ['X-C'] }),
    ask: preflight(SITE, 'PUT', { 'Access-Control-Request-Headers': 'x-a' }),
    expect: { status: 204, headers: { 'access-control-allow-headers': 'X-C', vary: undefined } },
  },
  {
    name: 'of another origin allows nothing',
    app: withCors({ origin: SITE }),
    ask: preflight(OTHER),
    expect: { status: 204, headers: { [ALLOW]: undefined, 'access-control-allow-methods': undefined } },
  },
  {
    name: 'for a group is the group’s, before who is behind it',
    app: guarded,
    ask: preflight(SITE, 'PUT', {}, '/api/birds'),
    expect: { status: 204, headers: { [ALLOW]: SITE } },
  },
  {
    name: 'for a method that a group does not have is the group’s',
    app: guarded,
    ask: preflight(SITE, 'PATCH', {}, '/api/birds'),
    expect: { status: 204, headers: { [ALLOW]: SITE } },
  },
  {
    name: 'for a route is the route’s',
    app: (app) => app.get('/birds', cors({ origin: SITE }), () => 'x'),
    ask: preflight(SITE, 'GET', {}, '/birds'),
    expect: { status: 204, headers: { [ALLOW]: SITE } },
  },
  {
    name: 'OPTIONS that is none goes on',
    app: withCors(),
    ask: { method: 'OPTIONS', url: '/', headers: { Origin: SITE } },
    expect: { status: 204, headers: { allow: 'GET, HEAD, OPTIONS', [ALLOW]: '*' } },
  },
];

defineCases('cors', simple);
defineCases('a preflight', preflights);

defineRefusals('cors', [
  ['an option that is none', () => cors({ orgin: '*' } as never), /^cors\(\) has no option orgin; did you mean origin\.$/],
  ['npm’s plural of one', () => cors({ exposeHeaders: [] } as never), /did you mean exposedHeaders/],
  ['credentials for any origin', () => cors({ credentials: true }), /name the origins, or give origin: true/],
  [
    'an origin with a path',
    () => cors({ origin: 'https://site.test/' }),
    /this is "https:\/\/site\.test\/"; did you mean "https:\/\/site\.test"/,
  ],
  ['an origin without a scheme', () => cors({ origin: 'site.test' }), /'https:\/\/example\.com' is one/],
  ['a list with a star', () => cors({ origin: ['*'] }), /lets all origins in/],
  ['an empty list', () => cors({ origin: [] }), /origin is '\*', an origin such as/],
  ['methods as a string', () => cors({ methods: 'GET,PUT' as never }), /methods is a list of methods, and this is "GET,PUT"/],
  ['a time that is none', () => cors({ maxAge: 0.5 }), /maxAge is a number of seconds/],
]);
