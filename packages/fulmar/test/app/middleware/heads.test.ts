/**
 * Middleware that says something in the reply's head: `requestId()` and `securityHeaders()`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import helmet from 'helmet';
import { createApp, HttpError } from '../../../src/app/index.ts';
import { requestId, securityHeaders } from '../../../src/app/middleware/index.ts';
import { createServer } from '../../../src/http/index.ts';
import { defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

defineCases('requestId', [
  {
    name: 'is in the state and in the reply',
    app: (app) => {
      app.use(requestId({ generate: () => 'id-1' }));
      app.get('/', (c) => String(c.state['requestId']));
    },
    ask: '/',
    expect: { text: 'id-1', headers: { 'x-request-id': 'id-1' } },
  },
  {
    name: 'is a UUID without anything said',
    app: (app) => {
      app.use(requestId());
      app.get('/', (c) => String(c.state['requestId']));
    },
    ask: '/',
    expect: { text: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/ },
  },
  {
    name: 'is not the client’s word unless it is trusted',
    app: (app) => {
      app.use(requestId({ generate: () => 'ours' }));
      app.get('/', () => 'x');
    },
    ask: { url: '/', headers: { 'X-Request-Id': 'theirs' } },
    expect: { headers: { 'x-request-id': 'ours' } },
  },
  {
    name: 'is taken over when it is trusted',
    app: (app) => {
      app.use(requestId({ generate: () => 'ours', trust: true }));
      app.get('/', () => 'x');
    },
    ask: { url: '/', headers: { 'X-Request-Id': 'theirs-1' } },
    expect: { headers: { 'x-request-id': 'theirs-1' } },
  },
  {
    name: 'replaces a trusted one that is none',
    app: (app) => {
      app.use(requestId({ generate: () => 'ours', trust: true }));
      app.get('/', () => 'x');
    },
    ask: { url: '/', headers: { 'X-Request-Id': 'a b"c' } },
    expect: { headers: { 'x-request-id': 'ours' } },
  },
  {
    name: 'replaces a trusted one that is too long',
    app: (app) => {
      app.use(requestId({ generate: () => 'ours', trust: true }));
      app.get('/', () => 'x');
    },
    ask: { url: '/', headers: { 'X-Request-Id': 'a'.repeat(129) } },
    expect: { headers: { 'x-request-id': 'ours' } },
  },
  {
    name: 'has another field',
    app: (app) => {
      app.use(requestId({ header: 'X-Correlation-Id', generate: (c) => `of${c.path.replace('/', '-')}` }));
      app.get('/a', () => 'x');
    },
    ask: '/a',
    expect: { headers: { 'x-correlation-id': 'of-a', 'x-request-id': undefined } },
  },
  {
    name: 'stands on errors',
    app: (app) => {
      app.use(requestId({ generate: () => 'id-1' }));
      app.get('/', () => {
        throw new Error('secret');
      });
    },
    ask: '/',
    expect: { status: 500, headers: { 'x-request-id': 'id-1' } },
  },
  {
    name: 'stands on what is not found',
    app: (app) => app.use(requestId({ generate: () => 'id-1' })),
    ask: '/nothing',
    expect: { status: 404, headers: { 'x-request-id': 'id-1' } },
  },
]);

defineCases('securityHeaders', [
  {
    name: 'stand on a reply',
    app: (app) => {
      app.use(securityHeaders());
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: {
      headers: {
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cross-origin-embedder-policy': undefined,
      },
    },
  },
  {
    name: 'stand on errors',
    app: (app) => {
      app.use(securityHeaders());
      app.get('/', () => {
        throw new HttpError(409);
      });
    },
    ask: '/',
    expect: { status: 409, headers: { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } },
  },
  {
    name: 'are switched off one by one',
    app: (app) => {
      app.use(securityHeaders({ contentSecurityPolicy: false, xFrameOptions: false }));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { headers: { 'content-security-policy': undefined, 'x-frame-options': undefined, 'x-xss-protection': '0' } },
  },
  {
    name: 'have other values',
    app: (app) => {
      app.use(securityHeaders({ referrerPolicy: 'same-origin', crossOriginEmbedderPolicy: true }));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { headers: { 'referrer-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' } },
  },
  {
    name: 'are the handler’s to replace',
    app: (app) => {
      app.use(securityHeaders());
      app.get('/', (c) => c.header('X-Frame-Options', 'DENY').text('x'));
    },
    ask: '/',
    expect: { headers: { 'x-frame-options': 'DENY' } },
  },
  {
    name: 'a policy is put over the default one',
    app: (app) => {
      const contentSecurityPolicy = { scriptSrc: ["'self'", 'https://cdn.test'], 'img-src': '*', upgradeInsecureRequests: false } as const;
      app.use(securityHeaders({ contentSecurityPolicy }));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: {
      headers: {
        'content-security-policy':
          "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src *;object-src 'none';" +
          "script-src 'self' https://cdn.test;script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
      },
    },
  },
]);

describe('securityHeaders beside helmet', () => {
  it('sets what helmet sets', async () => {
    const protect = helmet();
    const server = createServer((req, res) => protect(req, res, () => res.end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const theirs = (await fetch(`http://127.0.0.1:${port}/`)).headers;
    await new Promise((resolve) => server.close(resolve));
    const app = createApp();
    app.use(securityHeaders());
    app.get('/', () => 'x');
    const ours = (await app.fetch(new Request('http://localhost/'))).headers;
    const ofOther = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive']);
    const kept = (headers: Headers): [string, string][] => [...headers].filter(([name]) => !ofOther.has(name));
    assert.ok(kept(ours).length > 10);
    assert.deepEqual(kept(ours), kept(theirs));
  });
});

defineRefusals('requestId', [
  ['an option that is none', () => requestId({ heder: 'x' } as never), /^requestId\(\) has no option heder; did you mean header\.$/],
  ['an option that is far from any', () => requestId({ colour: 1 } as never), /no option colour; it has header, generate, trust\.$/],
  ['a header that is none', () => requestId({ header: 'X Id' }), /header is the name of a field, and this is "X Id"\.$/],
  ['a generator that is none', () => requestId({ generate: 'uuid' as never }), /generate is a function \(c\) that returns a string/],
  ['no object', () => requestId('X-Id' as never), /takes an object of options, and this is "X-Id"/],
]);

defineRefusals('securityHeaders', [
  ['helmet’s older name', () => securityHeaders({ frameguard: false } as never), /no option frameguard; it has contentSecurityPolicy,/],
  ['a value that is none', () => securityHeaders({ referrerPolicy: 1 as never }), /referrerPolicy is true, false or the value/],
  ['a line end', () => securityHeaders({ referrerPolicy: 'a\r\nB: c' }), /referrerPolicy is true, false or the value/],
  [
    'a directive that is none',
    () => securityHeaders({ contentSecurityPolicy: { scriptSrcs: '*' } }),
    /no directive scriptSrcs; did you mean script-src/,
  ],
  [
    'a directive that is two',
    () => securityHeaders({ contentSecurityPolicy: { scriptSrc: "'self'; img-src *" } }),
    /scriptSrc is a string or a list of strings without ; and ,/,
  ],
]);
