/**
 * `lookup` and `lookupService` through the system's resolver: arguments, order and errors as in Node.
 */
import ops from 'fulmar:ops';
import { invalidArgType, invalidArgValue, missingArgs } from '../shared/errors.ts';
import { dnsException } from '../shared/errno.ts';
import { isIP } from '../net/ip.ts';
import { validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString } from '../shared/validators.ts';
import { HINTS, orders } from './codes.ts';
import type { Order } from './codes.ts';

export interface Found {
  address: string;
  family: number;
}

export interface Query {
  readonly family: number;
  readonly hints: number;
  readonly all: boolean;
  readonly order: Order;
}

const FAMILIES: readonly number[] = [0, 4, 6];

/** The order of addresses unless a call says otherwise. */
const settings: { order: Order } = { order: 'verbatim' };

export function setDefaultResultOrder(order: Order): void {
  validateOneOf(order, 'dnsOrder', orders);
  settings.order = order;
}

export const getDefaultResultOrder = (): Order => settings.order;

function hintsOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  validateNumber(value, 'options.hints');
  const hints = value >>> 0;
  const known: number = HINTS.ADDRCONFIG | HINTS.ALL | HINTS.V4MAPPED;
  if ((hints & ~known) !== 0) throw invalidArgValue('hints', hints);
  return hints;
}

function familyOf(value: unknown, named: boolean): number {
  if (value === undefined || value === null) return 0;
  if (named && value === 'IPv4') return 4;
  if (named && value === 'IPv6') return 6;
  validateOneOf(value, 'options.family', FAMILIES);
  return value + 0;
}

function orderOf(options: { verbatim?: unknown; order?: unknown }): Order {
  const { verbatim, order } = options;
  let chosen = settings.order;
  if (verbatim !== undefined && verbatim !== null) {
    validateBoolean(verbatim, 'options.verbatim');
    chosen = verbatim ? 'verbatim' : 'ipv4first';
  }
  if (order === undefined || order === null) return chosen;
  validateOneOf(order, 'options.order', orders);
  return order;
}

/** The options of a lookup; `named`: families may be words. */
export function queryOf(given: unknown, named: boolean): Query {
  if (typeof given === 'number') {
    validateOneOf(given, 'family', FAMILIES);
    return { family: given + 0, hints: 0, all: false, order: settings.order };
  }
  if (given !== undefined && typeof given !== 'object') throw invalidArgType('options', ['integer', 'object'], given);
  const options = (given ?? {}) as { hints?: unknown; family?: unknown; all?: unknown; verbatim?: unknown; order?: unknown };
  const hints = hintsOf(options.hints);
  const family = familyOf(options.family, named);
  const { all } = options;
  if (all !== undefined && all !== null) validateBoolean(all, 'options.all');
  return { family, hints, all: all === true, order: orderOf(options) };
}

/** Addresses of the preferred family first; within a family the order is the system's. */
function sorted(found: Found[], order: Order): Found[] {
  if (order === 'verbatim') return found;
  const first = order === 'ipv4first' ? 4 : 6;
  return [...found.filter(({ family }) => family === first), ...found.filter(({ family }) => family !== first)];
}

/** getaddrinfo's numbers → uv's, which Node shows. */
const STATUS: Readonly<Record<string, number>> = {
  '-1': -3002,
  '-2': -3008,
  '-3': -3001,
  '-4': -3004,
  '-5': -3007,
  '-6': -3005,
  '-7': -3011,
  '-8': -3010,
  '-9': -3000,
  '-10': -3006,
};

const failure = (status: number, call: string, name: string): Error => dnsException(STATUS[String(status)] ?? -3004, call, name);

type Done = (error: Error | null, found: Found[]) => void;

/** Asks the system; `done` is never called at once. */
export function ask(name: string, query: Query, done: Done): void {
  ops.lookup(name, query.family, query.hints, (status, addresses) => {
    if (status !== 0) {
      done(failure(status, 'getaddrinfo', name), []);
      return;
    }
    const found = addresses.map((address) => ({ address, family: isIP(address) as number }));
    done(null, sorted(found, query.order));
  });
}

type LookupCallback = (error: Error | null, address?: string | Found[], family?: number) => void;

const NUL = '\0';

export function checkName(name: unknown): void {
  if (!name) return;
  validateString(name, 'hostname');
  if (name.includes(NUL)) throw invalidArgValue('hostname', name, 'must be a string without null bytes');
}

/** `(hostname, options?, callback)` */
export function lookup(hostname: string, given: unknown, last?: unknown): object {
  checkName(hostname);
  const options = typeof given === 'function' ? undefined : given;
  const callback = (typeof given === 'function' ? given : last) as LookupCallback;
  validateFunction(callback, 'callback');
  const query = queryOf(options, true);
  if (!hostname) throw invalidArgValue('hostname', hostname, 'must be a non-empty string');
  const family = isIP(hostname);
  if (family !== 0) {
    if (query.all) process.nextTick(callback, null, [{ address: hostname, family }]);
    else process.nextTick(callback, null, hostname, family);
    return {};
  }
  ask(hostname, query, (error, found) => {
    if (error !== null) callback(error);
    else if (query.all) callback(null, found);
    else callback(null, found[0]?.address as string, found[0]?.family as number);
  });
  return {};
}

type ServiceCallback = (error: Error | null, hostname?: string, service?: string) => void;

function checkService(address: unknown, port: unknown): number {
  validateString(address, 'address');
  if (isIP(address) === 0) throw invalidArgValue('address', address);
  return validatePort(port);
}

export function askService(address: string, port: unknown, done: ServiceCallback): void {
  ops.lookupService(address, checkService(address, port), (status, [hostname, service]) => {
    if (status !== 0) done(failure(status, 'getnameinfo', address));
    else done(null, hostname, service);
  });
}

export function lookupService(...args: unknown[]): object {
  const [address, port, callback] = args;
  if (args.length !== 3) throw missingArgs('address', 'port', 'callback');
  checkService(address, port);
  validateFunction(callback, 'callback');
  askService(address as string, port, callback as ServiceCallback);
  return {};
}
