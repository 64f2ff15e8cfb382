/**
 * Middleware that Hono brings along beside that of `fulmar/middleware`: what is the same, and every difference
 * that docs/migration/from-hono.md lists.
 */
import { Hono } from 'hono';
import type { MiddlewareHandler } from 'hono';
import { basicAuth as theirBasicAuth } from 'hono/basic-auth';
import { bearerAuth as theirBearerAuth } from 'hono/bearer-auth';
import { bodyLimit as theirBodyLimit } from 'hono/body-limit';
import { cors as theirCors } from 'hono/cors';
import { csrf as theirCsrf } from 'hono/csrf';
import { etag as theirEtag } from 'hono/etag';
import { requestId as theirRequestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { timeout as theirTimeout } from 'hono/timeout';
import type { App, Middleware } from 'fulmar';
import { basicAuth, bearerAuth, bodyLimit, cors, csrf, etag, requestId, securityHeaders, timeout } from 'fulmar/middleware';
import { FORM, hono, JSON_TYPE } from './hono-peer.ts';
import { defineDifferences, defineEqual } from './pairs.ts';

/** The same application within each. */
const around = (theirs: MiddlewareHandler, ours: Middleware): { theirs: (app: Hono) => void; ours: (app: App) => void } => ({
  theirs: (app) => void app.use(theirs).all('/', async (c) => c.text((await c.req.text()) || 'x')),
  ours: (app) => void app.use(ours).all('/', async (c) => (await c.body.text()) || 'x'),
});

const ORIGIN = { Origin: 'https://birds.example' };
const PREFLIGHT = { method: 'OPTIONS', url: '/', headers: { ...ORIGIN, 'Access-Control-Request-Method': 'PUT' } };
const ANYTHING = () => new Promise<never>(() => {});
const problem = (status: number, title: string, more = ''): string => `{"title":"${title}","status":${status}${more}}`;

defineEqual(hono, [
  {
    name: 'cors() for any origin, and for one, with a preflight',
    ...around(
      theirCors({ origin: 'https://birds.example', credentials: true, maxAge: 5, allowHeaders: ['X-A'], allowMethods: ['PUT'] }),
      cors({ origin: 'https://birds.example', credentials: true, maxAge: 5, allowedHeaders: ['X-A'], methods: ['PUT'] }),
    ),
    ask: [{ url: '/', headers: ORIGIN }, PREFLIGHT],
    fields: [
      'access-control-allow-origin',
      'access-control-allow-credentials',
      'access-control-allow-methods',
      'access-control-allow-headers',
      'access-control-max-age',
    ],
    both: [
      '200 text/plain access-control-allow-origin=https://birds.example access-control-allow-credentials=true access-control-allow-methods=- access-control-allow-headers=- access-control-max-age=- x',
      '204 - access-control-allow-origin=https://birds.example access-control-allow-credentials=true access-control-allow-methods=PUT access-control-allow-headers=X-A access-control-max-age=5',
    ],
  },
  {
    name: 'basicAuth() lets in who is right',
    ...around(theirBasicAuth({ username: 'ada', password: 'secret' }), basicAuth({ users: { ada: 'secret' } })),
    ask: { url: '/', headers: { Authorization: `Basic ${btoa('ada:secret')}` } },
    both: ['200 text/plain x'],
  },
  {
    name: 'bearerAuth() lets in who is right',
    ...around(theirBearerAuth({ token: 'right' }), bearerAuth({ tokens: ['right'] })),
    ask: { url: '/', headers: { Authorization: 'Bearer right' } },
    both: ['200 text/plain x'],
  },
  {
    name: 'bodyLimit() lets through what is short enough',
    ...around(theirBodyLimit({ maxSize: 3 }), bodyLimit(3)),
    ask: { url: '/', body: 'abc' },
    both: ['200 text/plain abc'],
  },
  {
    name: 'requestId() in the reply',
    ...around(theirRequestId({ generator: () => 'made' }), requestId({ generate: () => 'made' })),
    ask: '/',
    fields: ['x-request-id'],
    both: ['200 text/plain x-request-id=made x'],
  },
]);

defineDifferences(hono, [
  {
    id: 'H29',
    name: 'who is refused is told as a problem, and another scheme is 401',
    ...around(theirBearerAuth({ token: 'right', realm: 'r' }), bearerAuth({ tokens: ['right'], realm: 'r' })),
    ask: [
      { url: '/', headers: { Authorization: 'Bearer wrong' } },
      { url: '/', headers: { Authorization: 'Basic x' } },
    ],
    stock: ['401 text/plain Unauthorized', '400 text/plain Bad Request'],
    fulmar: [
      `401 application/problem+json ${problem(401, 'Unauthorized')}`,
      `401 application/problem+json ${problem(401, 'Unauthorized')}`,
    ],
  },
  {
    id: 'H30',
    name: 'timeout() is 503',
    theirs: (app) => app.use(theirTimeout(10)).get('/', ANYTHING),
    ours: (app) => app.use(timeout(10)).get('/', ANYTHING),
    ask: '/',
    stock: ['504 text/plain Gateway Timeout'],
    fulmar: [`503 application/problem+json ${problem(503, 'Service Unavailable', ',"instance":"urn:error:…"')}`],
  },
  {
    id: 'H31',
    name: 'csrf() looks at everything that may change something, and lets in who is no browser',
    ...around(theirCsrf(), csrf()),
    ask: [
      { url: '/', body: 'a', headers: { ...FORM, Origin: 'https://evil.example' } },
      { url: '/', body: '1', headers: { ...JSON_TYPE, Origin: 'https://evil.example' } },
      { url: '/', body: 'a', headers: FORM },
    ],
    stock: ['403 text/plain Forbidden', '200 text/plain 1', '403 text/plain Forbidden'],
    fulmar: [
      `403 application/problem+json ${problem(403, 'Forbidden', ',"detail":"This request comes from a page of another origin."')}`,
      `403 application/problem+json ${problem(403, 'Forbidden', ',"detail":"This request comes from a page of another origin."')}`,
      '200 text/plain a',
    ],
  },
  {
    id: 'H32',
    name: 'requestId() believes an id that comes only if it is told to',
    ...around(theirRequestId({ generator: () => 'made' }), requestId({ generate: () => 'made' })),
    ask: { url: '/', headers: { 'X-Request-Id': 'theirs' } },
    fields: ['x-request-id'],
    stock: ['200 text/plain x-request-id=theirs x'],
    fulmar: ['200 text/plain x-request-id=made x'],
  },
  {
    id: 'H33',
    name: 'securityHeaders() has a policy of content, and a year of HTTPS',
    ...around(secureHeaders(), securityHeaders()),
    ask: '/',
    fields: ['x-frame-options', 'strict-transport-security', 'content-security-policy'],
    stock: [
      '200 text/plain x-frame-options=SAMEORIGIN strict-transport-security=max-age=15552000; includeSubDomains content-security-policy=- x',
    ],
    fulmar: [
      "200 text/plain x-frame-options=SAMEORIGIN strict-transport-security=max-age=31536000; includeSubDomains content-security-policy=default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests x",
    ],
  },
  {
    id: 'H34',
    name: 'etag() is weak unless weak: false is given, and is another digest',
    ...around(theirEtag(), etag()),
    ask: '/',
    fields: ['etag'],
    stock: ['200 text/plain etag="11f6ad8ec52a2984abaafd7c3b516503785c2072" x'],
    fulmar: ['200 text/plain etag=W/"LXEWQrcmsEQBYnyp+6wy9chTD7G" x'],
  },
  {
    id: 'H35',
    name: 'cors() says nothing to an origin that it does not know',
    ...around(
      theirCors({ origin: 'https://bees.example', credentials: true }),
      cors({ origin: 'https://bees.example', credentials: true }),
    ),
    ask: { url: '/', headers: ORIGIN },
    fields: ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'],
    stock: ['200 text/plain access-control-allow-origin=- access-control-allow-credentials=true vary=Origin x'],
    fulmar: ['200 text/plain access-control-allow-origin=- access-control-allow-credentials=- vary=Origin x'],
  },
]);
