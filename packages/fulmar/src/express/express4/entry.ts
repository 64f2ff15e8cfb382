// The two layers every version 4 application starts with (A2, Q1): `query` and `expressInit`. They are in the stack as
// upstream's are; the dispatcher does their work without calling them as long as nobody has replaced anything about them.
import type { Application } from '../application-type.ts';
import { setPoweredBy } from '../fast-path.ts';
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../messages.ts';
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
export function init(app: Application): Middleware {
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

/** What the dispatcher needs to do the work of both layers; `undefined` when it must call them. */
export function createEntry(
  app: Application,
  layers: readonly Layer[],
  handles: { query: Handler; init: Handler },
): RouterEntry | undefined {
  const parser = app.get('query parser fn') as QueryParser;
  const [queryLayer, initLayer] = layers;
  if (typeof parser !== 'function' || queryLayer?.handle !== handles.query || initLayer?.handle !== handles.init) return undefined;
  return { app, parser, query: queryLayer, queryHandle: handles.query, init: initLayer, initHandle: handles.init };
}

/** Whether both layers are where they were, and what they were. */
export function isUntouched(entry: RouterEntry, stack: RouteStack): boolean {
  const { query: first, init: second } = entry;
  return (
    stack.layers[0] === first &&
    stack.layers[1] === second &&
    first.handle === entry.queryHandle &&
    second.handle === entry.initHandle &&
    first.handle_request === ownHandleRequest &&
    second.handle_request === ownHandleRequest
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
