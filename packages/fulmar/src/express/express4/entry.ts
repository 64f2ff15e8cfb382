/**
 * The two layers every version 4 application starts with (A2, Q1): `query` and `expressInit`. They are in the
 * stack as upstream's are; the dispatcher does their work without calling them as long as nobody has replaced
 * anything about them.
 */
import type { Application } from '../application-types.ts';
import { setPoweredBy } from '../fast-path.ts';
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { adopt } from '../prototypes.ts';
import type { RouteStack } from '../router/route-stack.ts';
import type { QueryParser } from '../settings.ts';
import { type Layer, ownHandleRequest } from './layer.ts';
import { prepareQuery } from './query.ts';

type Middleware = (req: ExpressRequest, res: ExpressResponse, next: Next) => void;

/** The layers as they were made. */
export interface RouterEntry {
  readonly app: Application;
  readonly parser: QueryParser;
  readonly query: Layer;
  readonly queryHandle: Handler;
  readonly init: Layer;
  readonly initHandle: Handler;
}

/** Introduces request and response to each other and makes them the application's. */
function init(app: Application): Middleware {
  return function expressInit(req, res, next) {
    if (app.enabled('x-powered-by')) setPoweredBy(res);
    req.res = res;
    res.req = req;
    req.next = next;
    adopt(app, req, res);
    // `res.locals` is made when it is first read, by the response prototype.
    next();
  };
}

/**
 * What `express/lib/middleware/init` exports; applications take `init` from here when they make their router.
 */
export const middleware = { init };

/** Remembers an application's first two layers, made with `handles`; `undefined` when they are not there. */
export function createEntry(
  app: Application,
  layers: readonly Layer[],
  handles: { query: Handler; init: Handler },
): RouterEntry | undefined {
  // Somebody's own `init` has to be called.
  if (middleware.init !== init) return undefined;
  const [first, second] = layers;
  if (first === undefined || second === undefined) return undefined;
  const parser = app.get('query parser fn') as QueryParser;
  return { app, parser, query: first, queryHandle: handles.query, init: second, initHandle: handles.init };
}

/** Whether an application's messages are still prepared before anything else sees them. */
export function isFirst(entry: RouterEntry, stack: RouteStack): boolean {
  return stack.layers[0] === entry.query && stack.layers[1] === entry.init;
}

/** Whether both layers are where they were, and what they were, so that the dispatcher may do their work. */
export function isUntouched(entry: RouterEntry, stack: RouteStack): boolean {
  const { query: first, init: second } = entry;
  return (
    stack.layers[0] === first &&
    stack.layers[1] === second &&
    first.handle === entry.queryHandle &&
    second.handle === entry.initHandle &&
    first.handle_request === ownHandleRequest &&
    second.handle_request === ownHandleRequest &&
    typeof entry.parser === 'function'
  );
}

/** Does what both layers do. */
export function runEntry({ app, parser }: RouterEntry, req: ExpressRequest, res: ExpressResponse): void {
  prepareQuery(req, parser);
  if (app.settings['x-powered-by']) setPoweredBy(res);
  req.res = res;
  res.req = req;
  adopt(app, req, res);
}
