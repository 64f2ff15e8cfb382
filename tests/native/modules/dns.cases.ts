/** node:dns: names that need no network, and checks of arguments. */
import dns from 'node:dns';
import { cases } from '../harness/cases.ts';

/** What a callback is given. */
const called = (start: (done: (...args: unknown[]) => void) => unknown): Promise<unknown[]> =>
  new Promise((resolve) => start((...args) => resolve(args)));

const CODES = [
  'NODATA',
  'FORMERR',
  'SERVFAIL',
  'NOTFOUND',
  'NOTIMP',
  'REFUSED',
  'BADQUERY',
  'BADNAME',
  'BADFAMILY',
  'BADRESP',
  'CONNREFUSED',
  'TIMEOUT',
  'EOF',
  'FILE',
  'NOMEM',
  'DESTRUCTION',
  'BADSTR',
  'BADFLAGS',
  'NONAME',
  'BADHINTS',
  'NOTINITIALIZED',
  'LOADIPHLPAPI',
  'ADDRGETNETWORKPARAMS',
  'CANCELLED',
  'ADDRCONFIG',
  'ALL',
  'V4MAPPED',
] as const;
const QUERIES = [
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCaa',
  'resolveCname',
  'resolveMx',
  'resolveNaptr',
  'resolveNs',
  'resolvePtr',
  'resolveSoa',
  'resolveSrv',
  'resolveTlsa',
  'resolveTxt',
] as const;
const all = dns as unknown as Record<string, (...args: unknown[]) => unknown>;
const resolver = (): Record<string, (...args: unknown[]) => unknown> => new dns.Resolver() as never;

export default cases('dns', {
  lookup: [
    () => called((done) => dns.lookup('127.0.0.1', done)),
    () => called((done) => dns.lookup('::1', { all: true }, done)),
    () => called((done) => dns.lookup('localhost', 4, done)),
    () => called((done) => dns.lookup('localhost', { family: 4, all: true }, done)),
    () => called((done) => dns.lookup('127.0.0.1', { family: 6 }, done)),
    () => dns.lookup(1 as never, () => undefined),
    () => dns.lookup('a', { family: 5 }, () => undefined),
    () => dns.lookup('a', 4, 'x' as never),
  ],
  lookupService: [() => dns.lookupService('nonsense', 80, () => undefined), () => dns.lookupService('127.0.0.1', 70_000, () => undefined)],
  getDefaultResultOrder: [() => dns.getDefaultResultOrder()],
  setDefaultResultOrder: [
    () => {
      dns.setDefaultResultOrder('ipv4first');
      const order = dns.getDefaultResultOrder();
      dns.setDefaultResultOrder('verbatim');
      return order;
    },
    () => dns.setDefaultResultOrder('x' as never),
  ],
  getServers: [() => Array.isArray(dns.getServers())],
  setServers: [
    () => {
      const before = dns.getServers();
      dns.setServers(['1.2.3.4', '[::1]:5353', '1.2.3.5:53']);
      const after = dns.getServers();
      dns.setServers(before);
      return after;
    },
    () => dns.setServers(['nonsense']),
    () => dns.setServers(1 as never),
  ],
  promises: [() => dns.promises.lookup('127.0.0.1')],
  Resolver: [
    () => new dns.Resolver() instanceof dns.Resolver,
    () => new dns.Resolver({ timeout: 'a' as never }),
    () => typeof new dns.Resolver().cancel(),
  ],
  'Resolver#resolve': [() => resolver()['resolve']?.('a', 'NONSENSE', () => undefined)],
  'Resolver#reverse': [() => resolver()['reverse']?.('127.0.0.1', 1)],
  resolve: [() => all['resolve']?.('a', 'NONSENSE', () => undefined), () => all['resolve']?.(1, () => undefined)],
  reverse: [() => all['reverse']?.('127.0.0.1')],
  ...Object.fromEntries(QUERIES.map((name) => [name, [() => all[name]?.('a', 'no function'), () => all[name]?.(1, () => undefined)]])),
  ...Object.fromEntries(
    QUERIES.map((name) => [
      `Resolver#${name}`,
      [() => resolver()[name]?.('a', 'no function'), () => resolver()[name]?.(1, () => undefined)],
    ]),
  ),
  ...Object.fromEntries(CODES.map((name) => [name, [() => dns[name]]])),
});
