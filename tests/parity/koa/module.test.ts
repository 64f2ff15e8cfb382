/**
 * The module itself: its shapes for `require` and `import`, the constructor and its options, toJSON and
 * inspect.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import type { App, AppOptions, KoaModule } from './api.ts';
import { builds, load, only2, only3, plays, serves, wrong } from './kit.ts';
import { importKoa } from './sides.ts';
import { defineKoaSuite } from './suite.ts';

const OPTIONS = ['proxy', 'subdomainOffset', 'proxyIpHeader', 'maxIpsCount', 'env', 'keys', 'middleware', 'ctxStorage'] as const;

const show = (app: App): unknown[] => OPTIONS.map((name) => [name, Object.hasOwn(app, name), Reflect.get(app, name)]);

/** Each is given to the constructor and its effect on the properties is noted. */
const constructions: readonly (readonly [string, unknown])[] = [
  ['no options', undefined],
  ['null as options', null],
  ['an empty object', {}],
  ['an env', { env: 'staging' }],
  ['an empty env', { env: '' }],
  ['keys', { keys: ['a', 'b'] }],
  ['empty keys', { keys: [] }],
  ['null as keys', { keys: null }],
  ['proxy', { proxy: true }],
  ['a proxy that is not a boolean', { proxy: 'yes' }],
  ['a proxyIpHeader', { proxyIpHeader: 'X-Real-IP' }],
  ['maxIpsCount', { maxIpsCount: 2 }],
  ['a negative maxIpsCount', { maxIpsCount: -1 }],
  ['subdomainOffset', { subdomainOffset: 3 }],
  ['subdomainOffset 0', { subdomainOffset: 0 }],
  ['an unknown option', { unknown: true }],
];

/** The kind of every member, by name. `assert` is a library that ours loads when it is first read. */
function members(proto: object): string[] {
  const all = Object.entries(Object.getOwnPropertyDescriptors(proto));
  return all
    .map(([name, { value, get, set }]) => (name === 'assert' ? name : `${name} ${typeof value} ${typeof get} ${typeof set}`))
    .toSorted();
}

const MEMBERS = ['listen', 'toJSON', 'inspect', 'use', 'callback', 'handleRequest', 'createContext', 'onerror'];

defineKoaSuite([
  builds('the module is a class with the documented static members', (Koa, t) => {
    t.record(typeof Koa, Koa.name, Koa.length, Object.keys(Koa).sort(), Object.getOwnPropertyNames(Koa).sort());
    t.record(Koa.default === Koa, Koa.prototype instanceof EventEmitter, Object.getPrototypeOf(Koa) === EventEmitter);
    t.record(typeof Koa.HttpError, typeof Koa.createHttpError, typeof Koa.isHttpError);
  }),
  builds('the prototype has the documented members and no others', (Koa, t) => {
    t.record(Object.getOwnPropertyNames(Koa.prototype).sort(), Object.keys(Koa.prototype));
    for (const name of MEMBERS) t.record(name, typeof Reflect.get(Koa.prototype, name), wrong(Koa.prototype)[name]?.length);
    t.record(typeof Object.getOwnPropertyDescriptor(Koa.prototype, 'currentContext')?.get);
  }),
  builds('calling the class without new throws', (Koa, t) => {
    t.attempt('call', () => (Koa as unknown as () => unknown)());
  }),
  builds('the class can be extended', (Koa, t) => {
    class Extended extends (Koa as unknown as { new (options: AppOptions): App }) {
      readonly extra = 1;
    }
    const app = new Extended({ env: 'extended' });
    t.record(app instanceof Koa, app instanceof EventEmitter, app.extra, app.env, app.constructor.name);
  }),
  plays('import gives the class as default and the error helpers by name', async (_Koa, client) => {
    const module = await importKoa(client.version, client.side);
    const Koa = module['default'] as KoaModule;
    client.record(typeof Koa, Koa.name, Koa === Koa.default, new Koa() instanceof Koa);
    client.record(typeof module['HttpError'], module['HttpError'] === Koa.HttpError);
    client.record(typeof module['createHttpError'], typeof module['isHttpError']);
  }),
  ...constructions.map(([label, options]) =>
    builds(`the constructor with ${label} sets the documented properties`, (Koa, t) => {
      t.attempt(label, () => show(new Koa(options as AppOptions)));
    }),
  ),
  serves(
    'env is taken from NODE_ENV when no option says otherwise',
    (app, t, Koa) => t.record(app.env, new Koa({ env: 'given' }).env, app.toJSON()),
    [],
    { options: { env: { NODE_ENV: 'from-environment' } } },
  ),
  serves('env is development without NODE_ENV', (app, t) => t.record(app.env), [], { options: { env: { NODE_ENV: undefined } } }),
  builds('the properties of a fresh app are its own, in order', (Koa, t) => {
    const app = new Koa({ keys: ['k'] });
    t.record(Object.getOwnPropertyNames(app), Object.getOwnPropertySymbols(app).map(String));
  }),
  builds('each app has its own context, request and response that inherit from shared prototypes', (Koa, t) => {
    const [one, two] = [new Koa(), new Koa()];
    for (const name of ['context', 'request', 'response'] as const) {
      t.record(name, one[name] === two[name], Object.getPrototypeOf(one[name]) === Object.getPrototypeOf(two[name]));
      t.record(Object.keys(one[name]), Object.getPrototypeOf(Object.getPrototypeOf(one[name])) === Object.prototype);
    }
    t.record(one.middleware === two.middleware);
  }),
  builds('the context prototype has the documented members', (Koa, t) => {
    const proto = Object.getPrototypeOf(new Koa().context) as object;
    t.record(Object.keys(proto).sort());
    t.record(members(proto));
  }),
  ...(['request', 'response'] as const).map((part) =>
    builds(`the ${part} prototype has the documented members`, (Koa, t) => {
      const proto = Object.getPrototypeOf(new Koa()[part]) as object;
      t.record(Object.keys(proto).sort());
      t.record(members(proto));
    }),
  ),
  builds('the context prototype delegates by name', (Koa, t) => {
    const proto = Object.getPrototypeOf(new Koa().context) as object;
    const { request, response } = { request: { querystring: 'q', ip: 'i' }, response: { status: 201, has: (name: string) => name } };
    const bare = Object.create(proto, { request: { value: request }, response: { value: response } }) as Record<string, unknown>;
    t.record(bare['querystring'], bare['ip'], bare['status'], wrong(bare)['has']?.('x'));
    bare['status'] = 404;
    t.record(response.status);
  }),
  builds('inspecting the bare context, request and response prototypes does not throw', (Koa, t) => {
    const app = new Koa();
    for (const name of ['request', 'response'] as const) t.attempt(name, () => inspect(Object.getPrototypeOf(app[name])));
    t.attempt('context', () => typeof wrong(Object.getPrototypeOf(app.context))['inspect']?.());
    t.attempt('app.request', () => inspect(app.request));
    t.attempt('app.response', () => inspect(app.response));
  }),
  builds('toJSON and inspect of an app show its settings only', (Koa, t) => {
    const app = new Koa({ proxy: true, subdomainOffset: 4, env: 'e', keys: ['secret'] });
    t.record(app.toJSON(), app.inspect(), inspect(app), JSON.stringify(app));
    t.record(inspect(new Koa({ env: 'e' })));
  }),
  builds('toJSON leaves out what is null', (Koa, t) => {
    const app = new Koa({ env: 'e' });
    Object.assign(app, { proxy: null, subdomainOffset: undefined });
    t.record(app.toJSON());
  }),
  builds('settings can be changed after construction', (Koa, t) => {
    const app = new Koa();
    Object.assign(app, { proxy: true, proxyIpHeader: 'X-A', maxIpsCount: 1, subdomainOffset: 1, env: 'late', keys: ['x'] });
    t.record(show(app));
  }),
  builds(
    'asyncLocalStorage makes a storage or takes the one given',
    (Koa, t) => {
      const storage = new AsyncLocalStorage();
      for (const given of [true, storage, {}, 1, 'yes', false, null, undefined]) {
        const app = new Koa({ asyncLocalStorage: given as boolean });
        t.record(Object.hasOwn(app, 'ctxStorage'), app.ctxStorage instanceof AsyncLocalStorage, app.ctxStorage === storage);
      }
    },
    only3,
  ),
  builds(
    'asyncLocalStorage makes a storage',
    (Koa, t) => {
      for (const given of [true, new AsyncLocalStorage(), 1, false]) {
        const app = new Koa({ asyncLocalStorage: given as boolean });
        t.record(Object.hasOwn(app, 'ctxStorage'), app.ctxStorage instanceof AsyncLocalStorage, app.ctxStorage === given);
      }
      t.record(new Koa().currentContext, new Koa({ asyncLocalStorage: true }).currentContext);
    },
    only2,
  ),
  builds(
    'compose is the given function or koa-compose',
    (Koa, t) => {
      const compose = (): never => {
        throw new Error('never called here');
      };
      t.record(new Koa({ compose }).compose === compose, new Koa().compose === load('koa-compose'), new Koa().compose.name);
    },
    { versions: [2] },
  ),
  builds(
    'compose is an own property that can be replaced',
    (Koa, t) => {
      const compose = (): never => {
        throw new Error('composing failed');
      };
      const app = new Koa({ compose });
      t.record(app.compose === compose, Object.hasOwn(app, 'compose'), typeof new Koa().compose, new Koa().compose.length);
      t.attempt('callback', () => typeof app.callback());
      t.attempt('without array', () => wrong(new Koa())['compose']?.('text'));
      t.attempt('with a non-function', () => wrong(new Koa())['compose']?.([1]));
    },
    only3,
  ),
  builds('HttpError tells http errors of any copy of http-errors from others', (Koa, t) => {
    const createError = load<(...args: unknown[]) => Error>('http-errors');
    const lookalike = Object.assign(new Error('like'), { expose: false, status: 500, statusCode: 500 });
    for (const value of [createError(404), createError(500, 'x'), lookalike, new Error('plain'), null, 'text', { status: 404 }]) {
      t.record(value instanceof Koa.HttpError);
    }
    t.record(Object.assign(new Error('x'), { expose: true, status: 400, statusCode: 401 }) instanceof Koa.HttpError);
    t.attempt('HttpError is abstract', () => new Koa.HttpError());
  }),
  builds(
    'createHttpError and isHttpError work as in http-errors',
    (Koa, t) => {
      const error = Koa.createHttpError(418, 'short and stout', { a: 1 });
      t.record(error, error.name, error.expose, error instanceof Koa.HttpError, Koa.isHttpError(error), Koa.isHttpError(new Error('x')));
      t.record(
        Koa.createHttpError(),
        Koa.createHttpError('text'),
        Koa.createHttpError(new Error('wrapped'), 403),
        Koa.createHttpError(777),
      );
      class Narrow extends (Koa.HttpError as unknown as { new (): Error }) {}
      t.record(error instanceof Narrow, Object.keys(Koa.createHttpError).sort());
    },
    only3,
  ),
]);
