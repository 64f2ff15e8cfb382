/** What runs for a request that no route is for, below the prefixes of apps within others. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Middleware } from '../../src/app/chain.ts';
import { type App, createApp, HttpError } from '../../src/app/index.ts';
import { cors, staticFiles } from '../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from './case.ts';

const root = mkdtempSync(join(tmpdir(), 'fulmar-unmatched-'));
writeFileSync(join(root, 'a.txt'), 'a file');
after(() => rmSync(root, { recursive: true }));

/** Says in a field that it has run. */
const mark =
  (name: string): Middleware =>
  (c, next) => {
    c.header('X-Ran', name, { append: true });
    return next();
  };
const marked = (app: App): void => {
  app.use(mark('app'));
  app.group('/v1', (outer) => {
    outer.use(mark('v1')).onRequest((c) => void c.header('X-Hook', 'v1', { append: true }));
    outer.get('/here', () => 'here');
    outer.group('/in', (inner) => void inner.use(mark('in')).get('/here', () => 'here'));
    outer.use(mark('late'));
  });
  app.use(mark('last'));
};
const tenants = (app: App): void => {
  app.group('/:tenant', (inner) => void inner.notFound((c) => c.status(404).text('tenant')));
  app.group('/p:rest', (inner) => void inner.notFound((c) => c.status(404).text('mixed')));
  app.group('/ab', (inner) => void inner.notFound((c) => c.status(404).text('ab')));
};
const around = (app: App): void => void app.use('/p:rest', mark('mixed')).get('/:name', (c) => c.params.name);
const at = (name: string, url: string, expect: AppCase['expect'], app = marked): AppCase => ({ name, app, ask: url, expect });

defineCases('a path without a route', [
  at('outside of every prefix', '/none', { status: 404, headers: { 'x-ran': 'app, last', 'x-hook': undefined } }),
  at('below a prefix', '/v1/none', { status: 404, headers: { 'x-ran': 'app, last, v1, late', 'x-hook': 'v1' } }),
  at('the prefix itself', '/v1', { status: 404, headers: { 'x-ran': 'app, last, v1, late' } }),
  at('below a prefix within', '/v1/in/none', { status: 404, headers: { 'x-ran': 'app, last, v1, late, in', 'x-hook': 'v1' } }),
  at('beside a prefix', '/v1x', { status: 404, headers: { 'x-ran': 'app, last' } }),
  at('a route has what it had', '/v1/here', { status: 200, headers: { 'x-ran': 'app, v1', 'x-hook': 'v1' } }),
  {
    ...at('another method', '/v1/here', { status: 405, headers: { 'x-ran': 'app, last, v1, late' } }),
    ask: { method: 'DELETE', url: '/v1/here' },
  },
  at(
    'files of a group without a route',
    '/files/a.txt',
    { status: 200, text: 'a file' },
    (app) => void app.group('/files', (files) => void files.use(staticFiles(root))),
  ),
  at(
    'notFound of a group behind its hook, which may answer',
    '/in/x',
    { status: 401, text: /Who/ },
    (app) =>
      void app.group('/in', (inner) => {
        inner.onRequest(() => {
          throw new HttpError(401, 'Who are you?');
        });
        inner.notFound(() => 'never');
      }),
  ),
  at(
    'notFound of a group within its middleware',
    '/in/x',
    { status: 404, headers: { 'x-ran': 'in' }, text: 'inner' },
    (app) => void app.group('/in', (inner) => void inner.use(mark('in')).notFound(() => 'inner')),
  ),
  at(
    'notFound of a group has what its plugins decorate',
    '/in/x',
    { status: 404, text: 'decorated' },
    (app) =>
      void app.group('/in', (inner) => {
        const made = inner.decorateContext('who', () => 'decorated');
        made.notFound((c) => c.who);
      }),
  ),
  at(
    'onError of a group has its errors',
    '/in/x',
    { status: 404, text: 'none here' },
    (app) => void app.group('/in', (inner) => void inner.onError((_error, c) => c.status(404).text('none here'))),
  ),
  at(
    'a parameter in the prefix',
    '/7/none',
    { status: 404, headers: { 'x-ran': 'tenant' } },
    (app) => void app.group('/:tenant', (inner) => void inner.use(mark('tenant'))),
  ),
  at('a text before a parameter with a longer name', '/ab/none', { status: 404, text: 'ab' }, tenants),
  at('a parameter with text around it before one alone', '/pq/none', { status: 404, text: 'mixed' }, tenants),
  at('what has not the text around a parameter', '/q/none', { status: 404, text: 'tenant' }, tenants),
  at('middleware for a parameter with text around it', '/pq', { headers: { 'x-ran': 'mixed' }, text: 'pq' }, around),
  at('that middleware for another segment', '/q', { headers: { 'x-ran': undefined }, text: 'q' }, around),
  at(
    'a plugin without a prefix is not asked',
    '/none',
    { status: 404, headers: { 'x-ran': undefined } },
    (app) => void app.register((inner) => void inner.use(mark('plugin')).get('/there', () => 'x')),
  ),
  at(
    'a plugin without a prefix that has notFound',
    '/none',
    { status: 404, headers: { 'x-ran': 'plugin' }, text: 'its' },
    (app) => void app.register((inner) => void inner.use(mark('plugin')).notFound(() => 'its')),
  ),
  at('an app under a prefix, with what it uses later', '/sub/none', { status: 404, headers: { 'x-ran': 'sub, later' } }, (app) => {
    const sub = createApp().use(mark('sub'));
    app.mount('/sub', sub);
    sub.use(mark('later'));
  }),
  {
    name: 'CORS of a group for a path that is none',
    app: (app) => void app.group('/api', (api) => void api.use(cors({ origin: 'https://a.example' }))),
    ask: { url: '/api/none', headers: { Origin: 'https://a.example' } },
    expect: { status: 404, headers: { 'access-control-allow-origin': 'https://a.example' } },
  },
]);
