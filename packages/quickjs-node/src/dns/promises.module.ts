/**
 * `node:dns/promises`.
 */
import { invalidArgValue, missingArgs } from '../shared/errors.ts';
import { isIP } from '../net/ip.ts';
import { CODES } from './codes.ts';
import { ask, askService, checkName, getDefaultResultOrder, queryOf, setDefaultResultOrder } from './lookup.ts';
import type { Found } from './lookup.ts';
import { bindDefault, defaultResolver } from './default-resolver.ts';
import { methodOf, QUERIES, query, reverse, setServers } from './resolver.ts';
import { optionsOf, ResolverBase } from './resolver-base.ts';

/** Arguments are checked at once, the rest comes as a promise. */
function lookup(hostname: string, options?: unknown): Promise<Found | Found[]> {
  checkName(hostname);
  const wanted = queryOf(options, false);
  return new Promise((resolve, reject) => {
    if (!hostname) {
      reject(invalidArgValue('hostname', hostname, 'must be a non-empty string'));
      return;
    }
    const family = isIP(hostname);
    if (family !== 0) {
      const found = { address: hostname, family };
      resolve(wanted.all ? [found] : found);
      return;
    }
    ask(hostname, wanted, (error, found) => {
      if (error === null) resolve(wanted.all ? found : (found[0] as Found));
      else reject(error);
    });
  });
}

function lookupService(...args: unknown[]): Promise<object> {
  if (args.length !== 2) throw missingArgs('address', 'port');
  const [address, port] = args;
  let settle!: (error: Error | null, hostname?: string, service?: string) => void;
  const promise = new Promise<object>((resolve, reject) => {
    settle = (error, hostname, service) => (error === null ? resolve({ hostname, service }) : reject(error));
  });
  askService(address as string, port, settle);
  return promise;
}

type Start = (done: (error: Error | null, records?: unknown) => void) => void;

/** What `start` throws is thrown, what it reports rejects. */
function promised(start: Start): Promise<unknown> {
  let settle!: (error: Error | null, records?: unknown) => void;
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = (error, records) => (error === null ? resolve(records) : reject(error));
  });
  start(settle);
  return promise;
}

class Resolver extends ResolverBase {
  reverse(address: unknown): Promise<unknown> {
    return promised((done) => reverse(optionsOf(this), address, done));
  }

  resolve(name: unknown, rrtype?: unknown): Promise<unknown> {
    const method = rrtype === undefined ? 'resolve4' : methodOf(rrtype);
    return promised((done) => query(optionsOf(this), method, name, false, done));
  }
}

for (const method of Object.keys(QUERIES)) {
  const value = {
    [method](this: object, name: unknown, options?: { ttl?: unknown }): Promise<unknown> {
      return promised((done) => query(optionsOf(this), method, name, Boolean(options?.ttl), done));
    },
  }[method];
  Object.defineProperty(Resolver.prototype, method, { value, writable: true, enumerable: true, configurable: true });
}

export default {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: (servers: unknown): void => setServers(defaultResolver.options, servers),
  ...CODES,
  ...bindDefault(Resolver.prototype, defaultResolver),
};
