/**
 * `dns.Resolver` and `resolve*`: questions to name servers. The questions themselves are asked by
 * `dns/client.later.ts`, which is loaded with the first of them.
 */
import later from 'fulmar:later';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { isIP } from '../net/ip.ts';
import { validateArray, validateFunction, validateInt32, validateString } from '../shared/validators.ts';
import type * as Client from './client.later.ts';

/** Method → what is asked for. */
export const QUERIES: Readonly<Record<string, string>> = {
  resolveAny: 'ANY',
  resolve4: 'A',
  resolve6: 'AAAA',
  resolveCaa: 'CAA',
  resolveCname: 'CNAME',
  resolveMx: 'MX',
  resolveNs: 'NS',
  resolveTlsa: 'TLSA',
  resolveTxt: 'TXT',
  resolveSrv: 'SRV',
  resolvePtr: 'PTR',
  resolveNaptr: 'NAPTR',
  resolveSoa: 'SOA',
};

const TRIES = 4;
const PORT = 53;

export interface ResolverOptions {
  timeout: number;
  tries: number;
  /** `address` or `address:port`, without the default port. Undefined: the system's. */
  servers: string[] | undefined;
  /** Ends what is under way. */
  pending: Set<() => void>;
  local: { v4?: string; v6?: string };
}

export function resolverOptions(given: unknown): ResolverOptions {
  const { timeout = -1, tries = TRIES } = (given ?? {}) as { timeout?: unknown; tries?: unknown };
  validateInt32(timeout, 'options.timeout', -1);
  validateInt32(tries, 'options.tries', 1);
  return { timeout, tries, servers: undefined, pending: new Set(), local: {} };
}

const client = (): typeof Client => later<typeof import('./client.later.ts')>();

/** `[v6]:port`, `v4:port` or an address, as it is shown. */
function serverOf(text: unknown, index: number): string {
  validateString(text, `servers[${index}]`);
  if (isIP(text) !== 0) return text;
  const bracketed = /^\[([^[\]]*)\](?::(\d+))?$/.exec(text);
  const plain = /^([^:]+):(\d+)$/.exec(text);
  const match = bracketed ?? plain;
  if (match === null || isIP(match[1]) === 0) throw coded(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${text}`);
  const [, address, port] = match;
  if (port === undefined || Number(port) === PORT) return address as string;
  return bracketed === null ? text : `[${address}]:${port}`;
}

export function setServers(options: ResolverOptions, servers: unknown): void {
  validateArray(servers, 'servers');
  options.servers = servers.map(serverOf);
}

export const getServers = (options: ResolverOptions): string[] => options.servers ?? client().systemServers();

type Done = (error: Error | null, records?: unknown) => void;

/** Asks for records of a kind. */
export function query(options: ResolverOptions, method: string, name: unknown, ttl: boolean, done: Done): void {
  validateString(name, 'name');
  client().query(options, { method, kind: QUERIES[method] as string, name, ttl }, done);
}

export function reverse(options: ResolverOptions, address: unknown, done: Done): void {
  validateString(address, 'name');
  client().reverse(options, address, done);
}

/** `resolve`'s second argument → method. */
export function methodOf(rrtype: unknown): string {
  validateString(rrtype, 'rrtype');
  const found = Object.keys(QUERIES).find((method) => QUERIES[method] === rrtype);
  if (found === undefined) throw invalidArgValue('rrtype', rrtype);
  return found;
}

export function cancel(options: ResolverOptions): void {
  for (const end of options.pending) end();
}

export function setLocalAddress(options: ResolverOptions, v4: unknown, v6: unknown): void {
  validateString(v4, 'ipv4');
  if (v6 !== undefined) validateString(v6, 'ipv6');
  for (const address of v6 === undefined ? [v4] : [v4, v6]) {
    const family = isIP(address);
    if (family === 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid IP address.');
    options.local[family === 4 ? 'v4' : 'v6'] = address;
  }
}

/** Checks a callback that stands last. */
export function callbackOf(given: unknown, last: unknown): { options: { ttl?: unknown } | undefined; callback: Done } {
  const callback = typeof given === 'function' || last === undefined ? given : last;
  validateFunction(callback, 'callback');
  if (typeof given === 'function') return { options: undefined, callback: callback as Done };
  if (given !== undefined && given !== null && typeof given !== 'object') throw invalidArgType('options', 'Object', given);
  return { options: (given ?? undefined) as { ttl?: unknown } | undefined, callback: callback as Done };
}
