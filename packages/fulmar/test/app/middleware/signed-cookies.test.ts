/**
 * Cookies: what browsers ask of one, what comes of those that are sent, and signed ones, which Express reads
 * as well.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRequire } from 'node:module';
import { type App, type CookieOptions, createApp } from '../../../src/app/index.ts';
import { type SignedCookieOptions, signedCookies, type SignedCookiesOptions } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineFlows } from '../flow.ts';
import { defineRefusals } from './refused.ts';

const { sign, unsign } = createRequire(import.meta.url)('cookie-signature') as Record<
  'sign' | 'unsign',
  (text: string, secret: string) => string
>;
const SECRET = 'a secret of some length';

const setting =
  (name: string, value: string | null, options?: CookieOptions) =>
  (app: App): void => {
    app.get('/', (c) => {
      try {
        c.cookie(name, value, options);
      } catch (error) {
        return (error as Error).message;
      }
      return 'set';
    });
  };
const line = (name: string, options: CookieOptions, expected: string): AppCase => ({
  name: expected,
  app: setting(name, 'x', options),
  ask: '/',
  expect: { text: 'set', headers: { 'set-cookie': expected } },
});
const refused = (name: string, cookie: string, options: CookieOptions, text: RegExp): AppCase => ({
  name,
  app: setting(cookie, 'x', options),
  ask: '/',
  expect: { text, headers: { 'set-cookie': undefined } },
});

defineCases('cookies that are set', [
  line('a', {}, 'a=x; Path=/'),
  line('a', { path: '/shop' }, 'a=x; Path=/shop'),
  line('a', { domain: 'birds.example' }, 'a=x; Domain=birds.example; Path=/'),
  line('a', { priority: 'high' }, 'a=x; Path=/; Priority=High'),
  line('a', { secure: true, partitioned: true }, 'a=x; Path=/; Secure; Partitioned'),
  line('a', { httpOnly: true, sameSite: 'strict' }, 'a=x; Path=/; HttpOnly; SameSite=Strict'),
  line('a', { secure: true, sameSite: 'none' }, 'a=x; Path=/; Secure; SameSite=None'),
  line('a', { maxAge: 60, expires: new Date(0) }, 'a=x; Max-Age=60; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
  line('__Host-a', {}, '__Host-a=x; Path=/; Secure'),
  line('__Secure-a', { path: '/shop' }, '__Secure-a=x; Path=/shop; Secure'),
  {
    name: 'one with a prefix is taken back',
    app: setting('__Host-a', null),
    ask: '/',
    expect: { headers: { 'set-cookie': '__Host-a=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure' } },
  },
  refused('__Host- without Secure', '__Host-a', { secure: false }, /keep no cookie __Host-a that is not secure/),
  refused('__host- in any case', '__host-a', { secure: false }, /not secure/),
  refused('__Secure- without Secure', '__Secure-a', { secure: false }, /not secure/),
  refused('__Host- with a domain', '__Host-a', { domain: 'birds.example' }, /has a domain/),
  refused('__Host- with another path', '__Host-a', { path: '/shop' }, /has the path \/shop/),
  refused('SameSite=None without Secure', 'a', { sameSite: 'none' }, /sameSite 'none' and is not secure/),
  refused('Partitioned without Secure', 'a', { partitioned: true }, /is partitioned and not secure/),
  refused('an attribute within a path', 'a', { path: '/; HttpOnly' }, /path is invalid/),
  refused('an attribute within a domain', 'a', { domain: 'a.example; Secure' }, /domain is invalid/),
]);

const sent = (name: string, header: string, json: unknown): AppCase => ({
  name,
  app: (app) => app.get('/', (c) => c.json({ ...c.cookies })),
  ask: { url: '/', headers: { Cookie: header } },
  expect: { json },
});

defineCases('cookies that are sent', [
  sent('several', 'a=1; b=2', { a: '1', b: '2' }),
  sent('of one name the first', 'a=1; a=2', { a: '1' }),
  sent('quotes are taken off', 'a="x y"', { a: 'x y' }),
  sent('what is escaped', 'a=%C3%BC%3B', { a: 'ü;' }),
  sent('what only looks escaped stays as it is', 'a=%E0%A4%A; b=100%', { a: '%E0%A4%A', b: '100%' }),
  sent('an equals sign in a value', 'a=b=c==', { a: 'b=c==' }),
  sent('no value', 'a=; b=1', { a: '', b: '1' }),
  sent('no name and no equals sign', '=x; nothing; b=1', { '': 'x', b: '1' }),
  sent('names of every object', 'constructor=1; toString=2', { constructor: '1', toString: '2' }),
  sent('no spaces', 'a=1;b=2', { a: '1', b: '2' }),
  sent(
    'many',
    Array.from({ length: 500 }, (_, n) => `c${n}=${n}`).join('; '),
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`c${n}`, `${n}`])),
  ),
  {
    name: '__proto__ changes no object',
    app: (app) => app.get('/', (c) => c.json({ a: c.cookies['a'] ?? null, polluted: ({} as { a?: string }).a ?? null, n: c.cookies['n'] })),
    ask: { url: '/', headers: { Cookie: '__proto__=1; n=1' } },
    expect: { json: { a: null, polluted: null, n: '1' } },
  },
]);

const reading =
  (options: Partial<SignedCookiesOptions> = {}) =>
  (app: App): void => {
    const signed = signedCookies({ secret: SECRET, ...options });
    app.get('/', async (c) => c.json({ value: (await signed.get(c, 'who')) ?? null }));
  };
const who = (value: string): AppCase['ask'] => ({ url: '/', headers: { Cookie: `who=${encodeURIComponent(value)}` } });
const read = (name: string, value: string, expected: string | null, options: Partial<SignedCookiesOptions> = {}): AppCase => ({
  name,
  app: reading(options),
  ask: who(value),
  expect: { json: { value: expected } },
});
const good = sign('ada', SECRET);

defineCases('signed cookies that are sent', [
  read('one that Express has signed', `s:${good}`, 'ada'),
  read('one with dots in it', `s:${sign('a.b.c', SECRET)}`, 'a.b.c'),
  read('one of other letters', `s:${sign('grüße 🐦', SECRET)}`, 'grüße 🐦'),
  read('an empty one', `s:${sign('', SECRET)}`, ''),
  read('one that was signed before the secret was changed', `s:${good}`, 'ada', { secret: ['another one', SECRET] }),
  read('one of a secret that is no longer accepted', `s:${good}`, null, { secret: ['another one'] }),
  read('one whose value was changed', `s:${good.replace('ada', 'eve')}`, null),
  read('one whose signature was changed', `s:${good.slice(0, -1)}`, null),
  read('one with something behind its signature', `s:${good}=`, null),
  read('one without a signature', 's:ada', null),
  read('one with an empty signature', 's:ada.', null),
  read('one that does not say that it is signed', good, null),
  { name: 'none', app: reading(), ask: '/', expect: { json: { value: null } } },
  {
    name: 'one beside a schema of cookies',
    app: (app) => {
      const signed = signedCookies({ secret: SECRET });
      const schema = { '~standard': { version: 1 as const, vendor: 'x', validate: () => ({ value: 7 }) } };
      app.get('/', { cookies: schema }, async (c) => c.json([c.cookies, await signed.get(c, 'who')]));
    },
    ask: who(`s:${good}`),
    expect: { json: [7, 'ada'] },
  },
]);

const giving =
  (value: string | null, own?: SignedCookieOptions, options: Partial<SignedCookiesOptions> = {}) =>
  (app: App): void => {
    const signed = signedCookies({ secret: SECRET, ...options });
    app.get('/', async (c) => {
      await signed.set(c, 'who', value, own);
      return 'set';
    });
  };
const encoded = encodeURIComponent(`s:${good}`);

defineCases('signed cookies that are set', [
  {
    name: 'as Express signs, HttpOnly, Secure and Lax',
    app: giving('ada'),
    ask: '/',
    expect: { headers: { 'set-cookie': `who=${encoded}; Path=/; HttpOnly; Secure; SameSite=Lax` } },
  },
  {
    name: 'with the first of several secrets',
    app: giving('ada', {}, { secret: [SECRET, 'an old one'] }),
    ask: '/',
    expect: { headers: { 'set-cookie': `who=${encoded}; Path=/; HttpOnly; Secure; SameSite=Lax` } },
  },
  {
    name: 'with attributes of all and of one',
    app: giving('ada', { maxAge: 60, sameSite: 'strict' }, { secure: false, path: '/shop' }),
    ask: '/',
    expect: { headers: { 'set-cookie': `who=${encoded}; Max-Age=60; Path=/shop; HttpOnly; SameSite=Strict` } },
  },
]);

defineFlows('signed cookies', [
  {
    name: 'set, read and taken back',
    app: (app) => {
      const signed = signedCookies({ secret: SECRET });
      app.get('/in/:name', (c) => signed.set(c, 'who', c.params.name));
      app.get('/out', (c) => signed.set(c, 'who', null));
      app.get('/', async (c) => (await signed.get(c, 'who')) ?? 'nobody');
    },
    steps: [
      { ask: '/', expect: { text: 'nobody' } },
      { ask: '/in/fulmar%20%E2%82%AC', expect: { status: 204 } },
      { ask: '/', expect: { text: 'fulmar €' } },
      { ask: '/out', expect: { status: 204 } },
      { ask: '/', expect: { text: 'nobody' } },
    ],
  },
]);

describe('signed cookies', () => {
  it('are what cookie-signature signs and reads', async () => {
    const signed = signedCookies({ secret: SECRET });
    for (const text of ['', 'a', 'a.b', 'ü', 'x'.repeat(3000)]) {
      const app = createApp();
      app.get('/', (c) => signed.set(c, 'who', text));
      const set = String((await app.inject('/')).headers['set-cookie']);
      const value = decodeURIComponent(/^who=([^;]*)/.exec(set)?.[1] ?? '').slice(2);
      assert.equal(unsign(value, SECRET), text);
      assert.equal(value, sign(text, SECRET));
    }
  });
  it('refuse values that are no text, and options that are none', async () => {
    const signed = signedCookies({ secret: SECRET });
    const c = { header: () => undefined, cookie: () => {} };
    await assert.rejects(signed.set(c, 'who', 7 as never), { name: 'TypeError', message: /takes a text or null, and this is 7/ });
    await assert.rejects(signed.set(c, 'a b', 'x'), { name: 'TypeError', message: /takes the name of a cookie/ });
    await assert.rejects(signed.set(c, 'who', 'x', { maxage: 1 } as never), { name: 'TypeError', message: /did you mean maxAge/ });
    await assert.rejects(signed.set(c, '__Host-a', 'x', { path: '/a' }), { name: 'TypeError', message: /has the path/ });
  });
});

defineRefusals('signedCookies', [
  ['no secret', () => signedCookies({} as never), /needs secret/],
  ['an empty secret', () => signedCookies({ secret: '' }), /secret is a text, or a list/],
  ['no secrets', () => signedCookies({ secret: [] }), /secret is a text, or a list/],
  ['a secret that is no text, which it does not tell', () => signedCookies({ secret: 12_345 as never }), /^(?!.*12345).*secret is a text/],
  ['another spelling', () => signedCookies({ secret: 'x', httponly: true } as never), /did you mean httpOnly/],
  ['an attribute that is none', () => signedCookies({ secret: 'x', sameSite: 'Lax' as never }), /sameSite is 'lax', 'strict' or 'none'/],
  ['what browsers throw away', () => signedCookies({ secret: 'x', sameSite: 'none', secure: false }), /keep no cookie/],
]);
