/**
 * A request in an application: context made, middleware run, reply given, errors told. Between the http
 * server and the middleware.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import onFinished from 'on-finished';
import { onConnectionError } from '../http/index.ts';
import { Blueprint } from './blueprint.ts';
import type { Composed, KoaApplication, KoaContext } from './types.ts';

const BLUEPRINT = Symbol('blueprint');

type Own = KoaApplication & { [BLUEPRINT]?: Blueprint };

/** Runs middleware on contexts and answers, for one version of Koa. */
export interface Handling {
  readonly respond: (ctx: KoaContext) => unknown;
  /**
   * The version's own `ctx.onerror`: while it is in place, a connection that ends in order need not be
   * reported.
   */
  readonly onerror: (error: unknown) => void;
  readonly composeOf: (app: KoaApplication) => Composed;
}

const NOT_FOUND = 404;

type Report = (error: unknown) => void;

/**
 * Tells the context when its connection breaks before the reply is out; a replaced `ctx.onerror` learns of
 * every end.
 */
function watch(ctx: KoaContext, onerror: Report, ownHandler: unknown): void {
  const { res } = ctx;
  if (ctx.onerror === ownHandler && onConnectionError(res, inStorage(ctx.app, onerror))) return;
  onFinished(res, onerror);
}

/**
 * Word from the engine comes outside of the request: `app.currentContext` is carried along where the
 * application has asked for it.
 */
function inStorage({ ctxStorage }: KoaApplication, report: Report): Report {
  const store = ctxStorage?.getStore();
  return store === undefined ? report : (error) => ctxStorage?.run(store, report, error);
}

function blueprintOf(app: Own): Blueprint {
  const known = app[BLUEPRINT];
  if (known?.fits(app)) return known;
  const made = new Blueprint(app);
  Object.defineProperty(app, BLUEPRINT, { value: made, configurable: true, writable: true });
  return made;
}

/** Methods of an application that are on the way of a request. */
export function handlingMembers({ respond, onerror: ownHandler, composeOf }: Handling): object {
  return {
    callback(this: KoaApplication): (req: IncomingMessage, res: ServerResponse) => Promise<unknown> {
      const composed = composeOf(this);
      if (!this.listenerCount('error')) this.on('error', this.onerror);
      const handleRequest = (req: IncomingMessage, res: ServerResponse): Promise<unknown> => {
        const ctx = this.createContext(req, res);
        if (!this.ctxStorage) return this.handleRequest(ctx, composed);
        return this.ctxStorage.run(ctx, async () => await this.handleRequest(ctx, composed));
      };
      return handleRequest;
    },

    handleRequest(this: KoaApplication, ctx: KoaContext, composed: Composed): Promise<unknown> {
      ctx.res.statusCode = NOT_FOUND;
      const onerror = (error: unknown): void => ctx.onerror(error);
      const handleResponse = (): unknown => {
        try {
          return respond(ctx);
        } catch (error) {
          return onerror(error);
        }
      };
      watch(ctx, onerror, ownHandler);
      return composed(ctx).then(handleResponse, onerror);
    },

    createContext(this: KoaApplication, req: IncomingMessage, res: ServerResponse): KoaContext {
      return blueprintOf(this).create(this, req, res);
    },
  };
}
