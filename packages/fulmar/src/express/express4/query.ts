// `req.query` of version 4: a property of the request, written by the `query` layer that every application's router begins
// with (Q1 in docs/internals/express4.md). While nobody can see that layer run, it only notes the target, and the query is
// parsed when it is first read; from then on it is an own property, as upstream's is from the start.
import parseUrl from 'parseurl';
import { qs4 } from '../lazy.ts';
import type { ExpressRequest, ExpressResponse, Next } from '../messages.ts';
import type { QueryParser } from '../settings.ts';
import { merge } from './merge.ts';
import { parseExtendedQuery } from './settings.ts';

type QueryHandler = (req: ExpressRequest, res: ExpressResponse, next: Next) => void;
type ParseWithOptions = (query: string | null, options: object | undefined) => unknown;

/** The target whose query is to be parsed when it is asked for: handlers may have rewritten `req.url` by then. */
const kTarget = Symbol('fulmar.queryTarget');

interface Noted {
  url: string;
  query: unknown;
  [kTarget]?: string;
}

/** `express.query()`: the layer that parses the query of requests that have none yet. */
export function query(options?: unknown): QueryHandler {
  let parse = qs4().parse as unknown as ParseWithOptions;
  let parseOptions: Record<string, unknown> | undefined = merge({}, options as object | undefined);
  if (typeof options === 'function') {
    parse = options as ParseWithOptions;
    parseOptions = undefined;
  } else if (parseOptions.allowPrototypes === undefined) {
    parseOptions.allowPrototypes = true;
  }
  return function query(req, _res, next) {
    const message = req as unknown as Noted;
    if (!message.query) message.query = parse(queryOf(req, message.url), parseOptions);
    next();
  };
}

/**
 * Does what the layer of an application with `parse` does, as late as that parser allows: the usual one cannot throw and
 * has no effects.
 */
export function prepareQuery(req: ExpressRequest, parse: QueryParser): void {
  const message = req as unknown as Noted;
  if (message[kTarget] !== undefined) return;
  if (Object.hasOwn(message, 'query') && message.query) return;
  if (parse === parseExtendedQuery) message[kTarget] = message.url;
  else setOwn(message, parse(queryOf(req, message.url)));
}

/** Lets requests show a query that was only noted. */
export function defineQuery(request: object): void {
  Object.defineProperty(request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: Noted) {
      const target = this[kTarget];
      if (target === undefined) return undefined;
      // Most targets have none: the library is not loaded for them.
      const value = target.includes('?') ? parseExtendedQuery(queryOf(this, target)) : {};
      setOwn(this, value);
      return value;
    },
    set: function (this: Noted, value: unknown) {
      setOwn(this, value);
    },
  });
}

function queryOf(req: object, target: string): string | null {
  // The request itself remembers how its target was parsed; another target needs an object of its own.
  const message = (req as Noted).url === target ? req : { url: target };
  return (parseUrl(message as ExpressRequest) as { query: string | null }).query;
}

function setOwn(req: object, value: unknown): void {
  Object.defineProperty(req, 'query', { value, configurable: true, enumerable: true, writable: true });
}
