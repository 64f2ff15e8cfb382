/**
 * Usual plugins of Fastify beside what stands for them: what is the same, and every difference that
 * docs/migration/from-fastify.md lists.
 */
import cookie from '@fastify/cookie';
import theirCors from '@fastify/cors';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import theirRateLimit from '@fastify/rate-limit';
import { cors, rateLimit, securityHeaders, signedCookies } from 'fulmar/middleware';
import { fastify, FORM } from './fastify-peer.ts';
import { defineDifferences, defineEqual } from './pairs.ts';

const ORIGIN = { Origin: 'https://birds.example' };
const HELMET = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-powered-by',
  'x-xss-protection',
];
const HELMET_VALUES = [
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
  'same-origin',
  'same-origin',
  '?1',
  'no-referrer',
  'max-age=31536000; includeSubDomains',
  'nosniff',
  'off',
  'noopen',
  'SAMEORIGIN',
  'none',
  '-',
  '0',
];

const secret = 'a secret of thirty-two characters';
const signed = signedCookies({ secret });

defineEqual(fastify, [
  {
    name: '@fastify/helmet and securityHeaders()',
    async theirs(app) {
      await app.register(helmet);
      app.get('/', () => 'x');
    },
    ours: (app) => app.use(securityHeaders()).get('/', () => 'x'),
    ask: '/',
    fields: HELMET,
    both: [`200 text/plain ${HELMET.map((name, at) => `${name}=${HELMET_VALUES[at] ?? ''}`).join(' ')} x`],
  },
  {
    name: '@fastify/cors and cors()',
    async theirs(app) {
      await app.register(theirCors);
      app.get('/', () => 'x');
    },
    ours: (app) => app.use(cors()).get('/', () => 'x'),
    ask: { url: '/', headers: ORIGIN },
    fields: ['access-control-allow-origin'],
    both: ['200 text/plain access-control-allow-origin=* x'],
  },
  {
    name: '@fastify/formbody and c.body.form()',
    async theirs(app) {
      await app.register(formbody);
      app.post('/', (request) => request.body);
    },
    ours: (app) => app.post('/', async (c) => Object.fromEntries(await c.body.form())),
    ask: { url: '/', body: 'a=1&b=x+y', headers: FORM },
    both: ['200 application/json {"a":"1","b":"x y"}'],
  },
  {
    name: '@fastify/cookie and c.cookie(): the same line',
    async theirs(app) {
      await app.register(cookie);
      app.get('/', (request, reply) =>
        reply.setCookie('a', 'b c', { path: '/', httpOnly: true, maxAge: 10, sameSite: 'lax' }).send(request.cookies),
      );
    },
    ours: (app) => app.get('/', (c) => c.cookie('a', 'b c', { path: '/', httpOnly: true, maxAge: 10, sameSite: 'lax' }).json(c.cookies)),
    ask: { url: '/', headers: { Cookie: 'x=1%202; y=z' } },
    fields: ['set-cookie'],
    both: ['200 application/json set-cookie=a=b%20c; Max-Age=10; Path=/; HttpOnly; SameSite=Lax {"x":"1 2","y":"z"}'],
  },
]);

defineDifferences(fastify, [
  {
    id: 'F21',
    name: 'cors() of one origin says nothing to others, and that the reply depends on it',
    async theirs(app) {
      await app.register(theirCors, { origin: 'https://bees.example' });
      app.get('/', () => 'x');
    },
    ours: (app) => app.use(cors({ origin: 'https://bees.example' })).get('/', () => 'x'),
    ask: { url: '/', headers: ORIGIN },
    fields: ['access-control-allow-origin', 'vary'],
    stock: ['200 text/plain access-control-allow-origin=https://bees.example vary=- x'],
    fulmar: ['200 text/plain access-control-allow-origin=- vary=Origin x'],
  },
  {
    id: 'F22',
    name: 'cors() allows the methods that there are, not the simple ones alone',
    async theirs(app) {
      await app.register(theirCors);
      app.put('/', () => 'x');
    },
    ours: (app) => app.use(cors()).put('/', () => 'x'),
    ask: { method: 'OPTIONS', url: '/', headers: { ...ORIGIN, 'Access-Control-Request-Method': 'PUT' } },
    fields: ['access-control-allow-methods'],
    stock: ['204 - access-control-allow-methods=GET,HEAD,POST'],
    fulmar: ['204 - access-control-allow-methods=GET, HEAD, PUT, PATCH, POST, DELETE'],
  },
  {
    id: 'F23',
    name: 'rateLimit() has the fields of the standard',
    async theirs(app) {
      await app.register(theirRateLimit, { max: 1 });
      app.get('/', () => 'x');
    },
    ours: (app) => app.use(rateLimit({ max: 1 })).get('/', () => 'x'),
    ask: ['/', '/'],
    fields: ['x-ratelimit-remaining', 'ratelimit-remaining', 'retry-after'],
    stock: [
      '200 text/plain x-ratelimit-remaining=0 ratelimit-remaining=- retry-after=- x',
      '429 application/json x-ratelimit-remaining=0 ratelimit-remaining=- retry-after=60 {"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded, retry in 1 minute"}',
    ],
    fulmar: [
      '200 text/plain x-ratelimit-remaining=- ratelimit-remaining=0 retry-after=- x',
      '429 application/problem+json x-ratelimit-remaining=- ratelimit-remaining=0 retry-after=60 {"title":"Too Many Requests","status":429,"detail":"1 requests are answered in 60 s."}',
    ],
  },
  {
    id: 'F24',
    name: 'signed cookies are those of Express, which theirs are not',
    async theirs(app) {
      await app.register(cookie, { secret });
      app.get('/', (_request, reply) => reply.setCookie('a', 'b', { signed: true, path: '/' }).send('x'));
    },
    ours(app) {
      app.get('/', async (c) => {
        await signed.set(c, 'a', 'b', { secure: false, httpOnly: false });
        return 'x';
      });
    },
    ask: '/',
    fields: ['set-cookie'],
    stock: ['200 text/plain set-cookie=a=b.mR3Qjn1Ufs6R0G2UM3TVC5g7PeYU+yli2RRzPnUzv+U; Path=/; SameSite=Lax x'],
    fulmar: ['200 text/plain set-cookie=a=s%3Ab.mR3Qjn1Ufs6R0G2UM3TVC5g7PeYU%2Byli2RRzPnUzv%2BU; Path=/; SameSite=Lax x'],
  },
]);
