/** ctx.cookies: reading, writing, every option, signing, rotation of keys, and the properties around them. */
import type { Ctx } from './api.ts';
import { handles, load, reads, serves, withHeaders, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

const Keygrip = load<new (keys: readonly string[], algorithm?: string, encoding?: string) => { sign(data: string): string }>('keygrip');

const OPTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['maxAge', { maxAge: 60_000 }],
  ['maxAge 0', { maxAge: 0 }],
  ['a negative maxAge', { maxAge: -1 }],
  ['a maxAge that is no number', { maxAge: '5' }],
  ['a maxAge that is NaN', { maxAge: Number.NaN }],
  ['expires', { expires: new Date('2030-01-01T00:00:00Z') }],
  ['path', { path: '/sub' }],
  ['no path', { path: null }],
  ['a bad path', { path: '/;x' }],
  ['domain', { domain: '.example.test' }],
  ['a bad domain', { domain: 'not a domain' }],
  ['httpOnly false', { httpOnly: false }],
  ['secure over an open connection', { secure: true }],
  ['secure false', { secure: false }],
  ['sameSite true', { sameSite: true }],
  ['sameSite lax', { sameSite: 'Lax' }],
  ['sameSite none', { sameSite: 'none' }],
  ['a bad sameSite', { sameSite: 'maybe' }],
  ['priority', { priority: 'High' }],
  ['a bad priority', { priority: 'now' }],
  ['partitioned', { partitioned: true }],
  ['overwrite', { overwrite: true }],
  ['signed without keys', { signed: true }],
  ['signed false', { signed: false }],
  ['several', { maxAge: 1_000, path: '/x', domain: 'a.test', sameSite: 'strict', httpOnly: false, priority: 'low' }],
];

const VALUES: readonly (readonly [string, unknown])[] = [
  ['text', 'value'],
  ['an empty text', ''],
  ['null', null],
  ['undefined', undefined],
  ['a number', 7],
  ['a semicolon', 'a;b'],
  ['spaces and commas', 'a b,c'],
  ['quotes', '"quoted"'],
  ['unicode', '☃'],
  ['percent', '%20%ZZ'],
];

const NAMES = ['plain', 'with space', 'a=b', 'a;b', '', 'ü', 'c.d-e_f', '__Host-x'];

/** Notes Set-Cookie after `act`. */
function sets(name: string, act: (ctx: Ctx) => unknown, extra: Parameters<typeof handles>[3] = {}): KoaCase {
  return handles(
    name,
    (ctx, t) => {
      t.attempt('result', () => {
        const result = act(ctx);
        return result === ctx.cookies ? 'itself' : result;
      });
      t.record(ctx.response.get('Set-Cookie'));
      ctx.body = 'ok';
    },
    ['GET /'],
    { ...extra, options: { frozenNow: true } },
  );
}

const cookie = (value: string) => withHeaders({ Cookie: value });
const signature = (keys: readonly string[], data: string): string => new Keygrip(keys).sign(data);
const keys = ['new key', 'old key'];

const HEADERS = [
  'a=1',
  'a=1; b=2',
  'b=2;a=3',
  'a="quoted"',
  'a=',
  'A=upper',
  'aa=no; a=yes',
  'a=first; a=second',
  ' a = spaced ',
  'a=b=c',
  'a=%20',
  'x.y=dot; xzy=nodot',
  '',
  ';;;',
];

defineKoaSuite([
  reads('get reads a cookie', (ctx) => [ctx.cookies.get('a'), ctx.cookies.get('b'), ctx.cookies.get('x.y'), ctx.cookies.get('none')], [
    'GET /',
    ...HEADERS.map(cookie),
  ]),
  reads('cookies is one object per request and can be replaced', (ctx) => {
    const { cookies } = ctx;
    const same = ctx.cookies === cookies;
    const names = [cookies.constructor.name, Object.keys(cookies).sort()];
    Reflect.set(ctx, 'cookies', { get: (name: string) => `stub ${name}` });
    return [same, names, ctx.cookies.get('x')];
  }),
  ...VALUES.map(([label, value]) => sets(`set takes ${label} as value`, (ctx) => wrong(ctx.cookies)['set']?.('name', value))),
  sets('set without a value removes the cookie', (ctx) => ctx.cookies.set('gone')),
  ...NAMES.map((name) => sets(`set takes the name ${JSON.stringify(name)} or refuses it`, (ctx) => ctx.cookies.set(name, 'v'))),
  ...OPTIONS.map(([label, options]) => sets(`set with ${label}`, (ctx) => ctx.cookies.set('name', 'value', options))),
  ...OPTIONS.slice(0, 6).map(([label, options]) =>
    sets(`set signed with ${label}`, (ctx) => ctx.cookies.set('name', 'value', { ...options, signed: true }), { app: { keys } }),
  ),
  sets('several cookies are several fields', (ctx) => {
    ctx.cookies.set('a', '1').set('b', '2').set('a', '3');
    ctx.append('Set-Cookie', 'raw=1');
    return ctx.cookies.set('c', '4');
  }),
  sets('overwrite replaces an earlier cookie of the same name', (ctx) => {
    ctx.cookies.set('a', '1');
    ctx.cookies.set('b', '2');
    return ctx.cookies.set('a', '3', { overwrite: true });
  }),
  sets('a Set-Cookie field that is text becomes a list', (ctx) => {
    ctx.set('Set-Cookie', 'text=1');
    return ctx.cookies.set('a', '1');
  }),
  sets(
    'keys sign every cookie that has options',
    (ctx) => {
      ctx.cookies.set('plain', 'v');
      ctx.cookies.set('options', 'v', {});
      ctx.cookies.set('unsigned', 'v', { signed: false });
      return ctx.cookies.set('signed', 'v', { signed: true });
    },
    { app: { keys } },
  ),
  sets('keys may be a Keygrip', (ctx) => ctx.cookies.set('a', 'v', { signed: true }), {
    app: { keys: new Keygrip(keys, 'sha256', 'hex') },
  }),
  sets('keys may be set on the app later', (ctx) => {
    ctx.app.keys = ['late'];
    return ctx.cookies.set('a', 'v', { signed: true });
  }),
  sets('empty keys', (ctx) => ctx.cookies.set('a', 'v', { signed: true }), { app: { keys: [] } }),
  handles(
    'a signed cookie is read when its signature is right',
    (ctx, t) => {
      t.attempt('signed', () => ctx.cookies.get('a', { signed: true }));
      t.attempt('unsigned', () => ctx.cookies.get('a', { signed: false }));
      t.attempt('default', () => ctx.cookies.get('a'));
      t.attempt('empty options', () => ctx.cookies.get('a', {}));
      ctx.body = ctx.response.get('Set-Cookie') ?? null;
    },
    [
      cookie(`a=v; a.sig=${signature(['new key'], 'a=v')}`),
      cookie(`a=v; a.sig=${signature(['old key'], 'a=v')}`),
      cookie(`a=v; a.sig=${signature(['other key'], 'a=v')}`),
      cookie('a=v; a.sig=nonsense'),
      cookie('a=v'),
      cookie(`a=changed; a.sig=${signature(['new key'], 'a=v')}`),
    ],
    { app: { keys } },
  ),
  reads('reading signed without keys is an error when there is a signature', (ctx) => ctx.cookies.get('a', { signed: true }), [
    cookie('a=v'),
    cookie('a=v; a.sig=x'),
    'GET /',
  ]),
  sets(
    'a secure cookie behind a trusted proxy',
    (ctx) => {
      ctx.req.headers['x-forwarded-proto'] = 'https';
      ctx.cookies.set('auto', '1');
      return ctx.cookies.set('secure', '1', { secure: true });
    },
    { app: { proxy: true } },
  ),
  sets('cookies.secure can be set', (ctx) => {
    ctx.cookies.secure = true;
    return ctx.cookies.set('a', '1', { secure: true });
  }),
  handles('a cookie after the header was sent is an error', (ctx, t) => {
    ctx.status = 200;
    ctx.flushHeaders();
    t.attempt('late', () => ctx.cookies.set('a', '1') === ctx.cookies);
    ctx.body = 'sent';
  }),
  serves(
    'cookies of both sides of a chain are sent together',
    (app) => {
      app.use(async (ctx, next) => {
        ctx.cookies.set('down', '1');
        await next();
        ctx.cookies.set('up', '2');
      });
      app.use((ctx) => {
        ctx.cookies.set('inner', '3');
        ctx.body = 'ok';
      });
    },
    ['GET /', 'HEAD /'],
  ),
]);
