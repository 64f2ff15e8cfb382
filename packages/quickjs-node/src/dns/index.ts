/**
 * `node:dns`: names through the system's resolver (`lookup`) and through name servers (`resolve*`).
 */
import { validateFunction } from '../shared/validators.ts';
import { CODES, HINTS } from './codes.ts';
import { getDefaultResultOrder, lookup, lookupService, setDefaultResultOrder } from './lookup.ts';
import { bindDefault, defaultResolver } from './default-resolver.ts';
import { callbackOf, methodOf, QUERIES, query, reverse, setServers } from './resolver.ts';
import { optionsOf, ResolverBase } from './resolver-base.ts';

class Resolver extends ResolverBase {
  reverse(address: unknown, callback: unknown): object {
    validateFunction(callback, 'callback');
    reverse(optionsOf(this), address, callback as never);
    return {};
  }

  resolve(name: unknown, rrtype: unknown, callback?: unknown): object {
    const method = typeof rrtype === 'function' ? 'resolve4' : methodOf(rrtype);
    const done = typeof rrtype === 'function' ? rrtype : callback;
    return (Reflect.get(Resolver.prototype, method) as (name: unknown, done: unknown) => object).call(this, name, done);
  }
}

for (const method of Object.keys(QUERIES)) {
  const value = {
    [method](this: object, name: unknown, given: unknown, last?: unknown): object {
      const { options, callback } = callbackOf(given, last);
      query(optionsOf(this), method, name, Boolean(options?.ttl), callback);
      return {};
    },
  }[method];
  Object.defineProperty(Resolver.prototype, method, { value, writable: true, enumerable: true, configurable: true });
}

const api: Record<string, unknown> = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: (servers: unknown): void => setServers(defaultResolver.options, servers),
  ...HINTS,
  ...CODES,
  ...bindDefault(Resolver.prototype, defaultResolver),
};

Object.defineProperty(api, 'promises', {
  get: () => process.getBuiltinModule('node:dns/promises'),
  enumerable: true,
  configurable: true,
});

/** What `util.promisify` gives: objects with these names. */
const promisifyArgs = Symbol.for('nodejs.util.promisify.customArgs');
for (const [method, names] of [
  [lookup, ['address', 'family']],
  [lookupService, ['hostname', 'service']],
] as const) {
  Object.defineProperty(method, promisifyArgs, { value: names, enumerable: false });
}

export default api;
