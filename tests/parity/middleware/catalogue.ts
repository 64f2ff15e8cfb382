/** Which acts a random program is made of, and what they are done with. */
import type { Random } from '../harness/random/random.ts';
import { borrowedActs, ownActs } from './acts-borrowed.ts';
import { expressActs, koaActs } from './acts-late.ts';
import { messageActs } from './acts.ts';
import type { Do } from './env.ts';
import type { Act, Framework } from './model.ts';

/** Not a HEAD for what came as something else: what is measured and not sent leaves Node's client waiting. */
const METHODS = ['GET', 'POST', 'PUT', 'OPTIONS'];
const URLS = ['/', '/a', '/sub/a', '/hello.txt', '/a?z=1', '/page.html?q', '', 'a', '/%zz', 'http://other.test/a', '//a'];
const FIELDS_IN: readonly (readonly [string, readonly unknown[]])[] = [
  ['content-length', ['3', '7', '70', '200000', 'x', '']],
  ['content-type', ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'text/plain; charset=utf-16le', ';']],
  ['content-encoding', ['identity', 'gzip', 'zip']],
  ['transfer-encoding', ['chunked']],
  ['if-none-match', ['*', '"tag"']],
  ['cookie', ['a=changed']],
  ['accept', ['text/plain', 'application/json']],
  ['host', ['changed.test:81']],
  ['x-forwarded-proto', ['https']],
];
const FIELDS_OUT = ['X-Out', 'Vary', 'ETag', 'Cache-Control', 'Content-Type', 'Set-Cookie', 'Last-Modified'];
const VALUES_OUT: Readonly<Record<string, string>> = {
  ETag: '"tag"',
  'Content-Type': 'text/plain',
  'Last-Modified': 'Mon, 06 May 2024 07:08:09 GMT',
};
/**
 * Acts that are off, each with its reason: a short way of ours is there to be told apart by nothing else, or
 * the order of the end of a request and of its reply is not Node's (from-koa.md, K4). PARITY_ACTS=known adds
 * them.
 *
 * - a getter for `fresh` in place of Express's: freshness is asked only of requests with a condition
 * - `ctx.onerror` replaced within a middleware: the end of a reply without an error is reported only to one that was there before
 * - `write` of the class of responses replaced: a file in memory is ended, not written
 * - `res.emit` replaced: nobody is told of a reply's end when nobody listens
 * - a getter for `query` in Express 4: its requests have the application's members before the query is parsed
 * - a getter without a setter for a member of Koa's request: assigning through the context throws here, and does nothing upstream
 * - status and reason changed between the first write and its tick: they count here, and do not upstream
 * - `_parsedUrl` of Koa's requests, which upstream leaves there when it takes a target apart: ours does so without an object
 * - `req.emit`, `on`, `read`, `resume` replaced: a request that nobody reads or listens to is not read to its end, and tells nobody of it
 */
const IS_KNOWN_ON = process.env['PARITY_ACTS'] === 'known';

const RES_METHODS = ['end', 'write', 'writeHead', 'setHeader', 'removeHeader', 'on', 'once'];
const REQ_METHODS = ['pipe', 'unpipe'];
const EVENTS = ['res.finish', 'res.close', 'res.prefinish', 'res.error', 'res.pipe', 'req.end', 'req.close', 'req.error', 'req.data'];
const EXPRESS_RES = ['send', 'json', 'set', 'status', 'type', 'redirect', 'sendStatus', 'sendFile', 'jsonp', 'append', 'cookie'];
const EXPRESS_SETTINGS: readonly (readonly [string, readonly unknown[]])[] = [
  ['etag', ['strong', 'weak', false]],
  ['x-powered-by', [true, false]],
  ['json spaces', [0, 2]],
  ['json escape', [true]],
  ['query parser', ['simple', 'extended', false]],
  ['trust proxy', [true, false, 1]],
  ['env', ['production', 'test']],
  ['case sensitive routing', [true]],
  ['subdomain offset', [1]],
];
const KOA_SETTINGS: readonly (readonly [string, readonly unknown[]])[] = [
  ['proxy', [true, false]],
  ['subdomainOffset', [1]],
  ['proxyIpHeader', ['X-Real-Ip']],
  ['maxIpsCount', [1]],
  ['silent', [true, false]],
  ['keys', [['key']]],
];
const KOA_MEMBERS = ['set', 'get', 'remove', 'vary', 'redirect', 'append', 'has'];

const TABLES: readonly Readonly<Record<string, Do>>[] = [messageActs, borrowedActs, ownActs];

/** Is it done to a request or a reply, not to the application? */
export const isOfMessage = (name: string): boolean => Object.hasOwn(messageActs, name);

/** What an act does, in a framework. */
export function doOf(framework: Framework, name: string): Do | undefined {
  const late = framework.startsWith('koa') ? koaActs : expressActs;
  return late[name] ?? TABLES.find((table) => table[name] !== undefined)?.[name];
}

/** Makers of acts; each is chosen as often as the others. */
export function actsOf(framework: Framework, random: Random): readonly (() => Act)[] {
  const usual = [
    ...messageMakers(random, framework.startsWith('koa')),
    ...(framework.startsWith('koa') ? koaMakers(random) : expressMakers(random, framework)),
  ];
  return [...usual, ...plain(borrowedActs, 'X-Borrowed'), ...(framework.startsWith('koa') ? [] : plain(ownActs, ''))];
}

const plain = (table: Readonly<Record<string, Do>>, name: string): (() => Act)[] =>
  Object.keys(table).map((key) => () => ({ do: key, name, value: 'borrowed' }));

function messageMakers(r: Random, isKoa: boolean): (() => Act)[] {
  const fieldIn = (): Act => {
    const [name, values] = r.pick(FIELDS_IN);
    return { do: 'header-in', name, value: r.pick(values) };
  };
  const fieldOut = (kind: string) => (): Act => {
    const name = r.pick(FIELDS_OUT);
    return { do: kind, name, value: VALUES_OUT[name] ?? r.pick(['1', 'a, b']) };
  };
  return [
    fieldIn,
    fieldIn,
    fieldIn,
    () => ({ do: 'no-header-in', name: r.pick(FIELDS_IN)[0] }),
    () => ({ do: 'headers-in', value: { host: 'new.test', 'content-type': 'application/json', 'content-length': r.pick(['7', '8']) } }),
    () => ({ do: 'define-headers-in' }),
    () => ({ do: 'raw-header-in' }),
    () => ({ do: 'url', value: r.pick(URLS) }),
    () => ({ do: 'method', value: r.pick(METHODS) }),
    () => ({ do: 'original-url', value: r.pick(URLS) }),
    () => ({ do: 'own', name: r.pick(['body', '_body', 'user', 'session', 'cookies', 'params']), value: r.pick(['text', true, { a: 1 }]) }),
    () => ({
      do: 'define-own',
      name: r.pick(['query', 'ip', 'protocol', ...(IS_KNOWN_ON ? ['fresh'] : []), 'user']),
      value: r.pick(['text', true, { a: 1 }]),
    }),
    // What flows in Koa has ended before the next microtask.
    () => (isKoa ? { do: 'look' } : { do: 'resume' }),
    fieldOut('header-out'),
    fieldOut('header-out'),
    fieldOut('append-out'),
    fieldOut('no-header-out'),
    fieldOut('read-out'),
    () => ({ do: 'status', value: r.pick([200, 201, 404, 500, 204, 304]) }),
    () => ({ do: 'reason', value: 'Made Up' }),
    () => ({ do: 'no-date' }),
    () => ({ do: 'res-own', name: r.pick(['locals', 'sentry', '_startTime']), value: { set: true } }),
    () => ({ do: 'wrap', name: `res.${r.pick(RES_METHODS)}` }),
    () => ({ do: 'wrap', name: `res.${r.pick(RES_METHODS)}` }),
    () => ({ do: 'wrap', name: `req.${r.pick(IS_KNOWN_ON ? [...REQ_METHODS, 'on', 'emit', 'resume', 'read'] : REQ_METHODS)}` }),
    () => ({ do: 'wrap-header', name: r.pick(['end', 'write', 'writeHead']) }),
    () => ({ do: 'wrap-end-later' }),
    () => ({ do: r.pick(['on', 'once', 'prepend', 'on-off', 'self-removing']), name: r.pick(isKoa ? EVENTS.slice(0, -1) : EVENTS) }),
    () => ({ do: r.pick(['on', 'once', 'prepend', 'on-off', 'self-removing']), name: r.pick(isKoa ? EVENTS.slice(0, -1) : EVENTS) }),
    () => ({ do: 'look' }),
    () => ({ do: 'look-fields' }),
  ];
}

function expressMakers(r: Random, framework: Framework): (() => Act)[] {
  const setting = (kind: string) => (): Act => {
    const [name, values] = r.pick(EXPRESS_SETTINGS);
    return { do: kind, name, value: r.pick(values) };
  };
  return [
    () => ({ do: 'use', name: r.pick(['a', 'b']) }),
    () => ({ do: 'use-first', name: r.pick(['a', 'b']) }),
    () => ({ do: 'late-route', name: r.pick(['late', 'a', 'sub']) }),
    () => ({ do: 'drop-layer', value: r.int(4) }),
    () => ({ do: 'swap-layers' }),
    () => ({ do: 'wrap-layer', value: r.int(4) }),
    setting('set'),
    setting('set'),
    setting('setting'),
    () => ({ do: 'engine' }),
    () => ({ do: 'app-locals', name: 'late' }),
    () => ({ do: 'response-member', name: r.pick(EXPRESS_RES) }),
    () => ({ do: 'wrap', name: `res.${r.pick(EXPRESS_RES)}` }),
    () => ({
      do: 'request-getter',
      name: r.pick([
        'protocol',
        'ip',
        'hostname',
        ...(IS_KNOWN_ON ? ['fresh'] : []),
        ...(framework === 'express' ? ['query'] : []),
        'path',
      ]),
      value: 'late',
    }),
    () => ({ do: 'request-member', name: r.pick(['xLate', 'user']), value: 'late' }),
    () => ({ do: r.pick(['assign-response', 'assign-request', 'swap-prototype']) }),
    () => ({ do: 'look-app' }),
    () => ({ do: 'param' }),
    () => ({ do: 'express-prototype', name: r.pick(EXPRESS_RES) }),
    () => ({ do: 'http-prototype', name: r.pick(['end', 'writeHead', 'setHeader']) }),
  ];
}

function koaMakers(r: Random): (() => Act)[] {
  return [
    () => ({ do: 'use', name: r.pick(['a', 'b']) }),
    () => ({ do: 'use', name: r.pick(['a', 'b']) }),
    () => ({ do: 'use-first', name: r.pick(['a', 'b']) }),
    () => ({ do: 'drop-layer', value: r.int(4) }),
    () => ({ do: 'swap-layers' }),
    () => ({ do: 'replace-middleware', name: 'c' }),
    () => {
      const [name, values] = r.pick(KOA_SETTINGS);
      return { do: 'setting', name, value: r.pick(values) };
    },
    () => ({ do: 'context-member', name: r.pick(['xMember', 'state']), value: { late: true } }),
    () => ({ do: 'response-member', name: r.pick(KOA_MEMBERS) }),
    () => ({
      do: 'request-getter',
      name: r.pick(['protocol', 'ip', 'hostname', ...(IS_KNOWN_ON ? ['fresh'] : []), 'query']),
      value: 'late',
    }),
    () => ({ do: r.pick(['assign-context', 'assign-response']) }),
    () => ({ do: 'look-app' }),
    () => ({ do: 'wrap-app', name: r.pick(['createContext', 'handleRequest', 'onerror']) }),
    () => ({ do: 'wrap-ctx', name: r.pick(['set', 'get', ...(IS_KNOWN_ON ? ['onerror'] : []), 'throw']) }),
    () => ({ do: 'on-error' }),
    () => ({ do: 'http-prototype', name: r.pick(['end', 'writeHead', 'setHeader']) }),
  ];
}
