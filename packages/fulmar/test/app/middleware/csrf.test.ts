/**
 * `csrf()`: who may change something.
 */
import { type App } from '../../../src/app/index.ts';
import { csrf, type CsrfOptions } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const guarded =
  (options?: CsrfOptions) =>
  (app: App): void => {
    app.use(csrf(options));
    app.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], '/', (c) => c.text('in'));
  };
const asks = (name: string, method: string, headers: Readonly<Record<string, string>>, isIn: boolean, options?: CsrfOptions): AppCase => ({
  name,
  app: guarded(options),
  ask: { url: '/', method, headers },
  expect: isIn
    ? { text: 'in' }
    : { status: 403, json: { title: 'Forbidden', status: 403, detail: 'This request comes from a page of another origin.' } },
});
const OTHER = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
const trusting: CsrfOptions = { origins: ['https://admin.example', 'https://birds.example:8443'] };

const PROXIED = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Host': 'birds.example' };

defineCases('csrf', [
  asks('a page of the same origin', 'POST', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://birds.example' }, true),
  asks('what the user has typed', 'POST', { 'Sec-Fetch-Site': 'none' }, true),
  asks('a page of another site', 'POST', OTHER, false),
  asks('a page of a subdomain', 'POST', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.birds.example' }, false),
  asks('a word that is none', 'POST', { 'Sec-Fetch-Site': 'Same-Origin' }, false),
  asks('PUT', 'PUT', OTHER, false),
  asks('PATCH', 'PATCH', OTHER, false),
  asks('DELETE', 'DELETE', OTHER, false),
  asks('GET changes nothing', 'GET', OTHER, true),
  asks('a handshake of WebSocket', 'GET', { ...OTHER, Upgrade: 'websocket' }, false),
  asks('a handshake of WebSocket of the same origin', 'GET', { Origin: 'http://localhost', Upgrade: 'WebSocket' }, true),
  asks('a handshake of something else', 'GET', { ...OTHER, Upgrade: 'h2c' }, true),
  asks('no page at all', 'POST', {}, true),
  asks('an old browser and the same origin', 'POST', { Origin: 'http://localhost' }, true),
  asks('an old browser and a port that goes without saying', 'POST', { Origin: 'http://localhost', Host: 'localhost:80' }, true),
  {
    ...asks('an old browser, by the host that a trusted proxy tells', 'POST', { Origin: 'https://birds.example', ...PROXIED }, true),
    options: { trustProxy: true },
  },
  asks('an old browser, by the host that it tells itself', 'POST', { Origin: 'https://birds.example', ...PROXIED }, false),
  asks('an old browser and another origin', 'POST', { Origin: 'https://evil.example' }, false),
  asks('an old browser and another port', 'POST', { Origin: 'http://localhost:8080' }, false),
  asks('an origin that only begins alike', 'POST', { Origin: 'http://localhost.evil.example' }, false),
  asks('an origin that nobody is to know', 'POST', { Origin: 'null' }, false),
  asks('an origin that is none', 'POST', { Origin: 'http://localhost/../' }, false),
  asks('a host behind credentials', 'POST', { Origin: 'http://evil.example@localhost' }, false),
  asks('an origin that is trusted', 'POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://admin.example' }, true, trusting),
  asks('one that is trusted, with its port', 'POST', { Origin: 'https://birds.example:8443' }, true, trusting),
  asks('the same without its port', 'POST', { Origin: 'https://birds.example' }, false, trusting),
  asks('the same without encryption', 'POST', { Origin: 'http://admin.example' }, false, trusting),
  asks('what is exempt', 'POST', OTHER, true, { exempt: (c) => c.path === '/' }),
  asks('what is not exempt', 'POST', OTHER, false, { exempt: (c) => c.path === '/hooks' }),
]);

defineRefusals('csrf', [
  ['an origin with a path', () => csrf({ origins: ['https://a.example/'] }), /origins is a list of origins such as/],
  ['an origin in upper case', () => csrf({ origins: ['https://A.example'] }), /in lower case/],
  ['one origin without a list', () => csrf({ origins: 'https://a.example' as never }), /origins is a list/],
  ['paths for what is exempt', () => csrf({ exempt: ['/hooks'] as never }), /exempt is a function/],
  ['another name', () => csrf({ origin: [] } as never), /did you mean origins/],
]);
