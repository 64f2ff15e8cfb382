/**
 * `req.query` of version 4: a property of the request, written by the `query` layer that every application's
 * router begins with (Q1 in docs/internals/express4.md). Parsed once, when the application takes the request.
 */
import parseUrl from 'parseurl';
import { qs4 } from '../lazy.ts';
import type { ExpressRequest, ExpressResponse, Next } from '../message-types.ts';
import type { QueryParser } from '../settings.ts';
import { merge } from './merge.ts';
import { parseExtendedQueryString } from './settings.ts';

type QueryHandler = (req: ExpressRequest, res: ExpressResponse, next: Next) => void;
type ParseWithOptions = (query: string | null, options: object | undefined) => unknown;

interface WithQuery {
  url: string;
  query: unknown;
}

/** `express.query()`: the layer that parses the query of requests that have none yet. */
export function query(options?: unknown): QueryHandler {
  let parse: ParseWithOptions | undefined;
  let parseOptions: Record<string, unknown> | undefined;
  if (typeof options === 'function') {
    parse = options as ParseWithOptions;
  } else {
    parseOptions = merge({}, options as object | undefined);
    if (parseOptions.allowPrototypes === undefined) parseOptions.allowPrototypes = true;
  }
  return function query(req, _res, next) {
    const message = req as unknown as WithQuery;
    if (!message.query) {
      parse ??= qs4().parse as unknown as ParseWithOptions;
      message.query = parse(queryOf(req), parseOptions);
    }
    next();
  };
}

/** Does what the layer of an application with `parse` does. */
export function prepareQuery(req: ExpressRequest, parse: QueryParser): void {
  const message = req as unknown as WithQuery;
  if (message.query) return;
  // Most targets have none, and the usual parser makes an empty object of that: the library is not loaded for
  // them.
  message.query = parse === parseExtendedQueryString && !message.url.includes('?') ? {} : parse(queryOf(req));
}

function queryOf(req: ExpressRequest): string | null {
  return (parseUrl(req) as { query: string | null }).query;
}
