/**
 * `req` and `res` as Express has them, for an exchange, and middleware written for them: made where a route, a guard or
 * a filter asks, by an Express application of ours that has no routes. Loaded with the first that asks.
 */
import { keepObserving } from '../../app/observing.ts';
import express, { type Express, type Request, type Response } from '../../express/index.ts';
import type { Exchange } from '../../exchange/types.ts';
import { createServer, serveMessages } from '../../http/index.ts';

export interface Messages {
  readonly req: Request & Record<string, any>;
  readonly res: Response;
}

export interface ExpressDoor {
  /** Settings and middleware. */
  readonly app: Express;
  readonly parsers: Pick<typeof express, 'json' | 'urlencoded' | 'raw' | 'text' | 'static'>;
  hasMiddleware(): boolean;
  /** Of the same settings: what comes behind the routes of controllers. */
  readonly late: Express;
  hasLate(): boolean;
  /** Its middleware and routes, then `next`. */
  passLate(messages: Messages, next: (error?: unknown) => void): void;
  /** The last word of Express, where there is nothing more. */
  end(messages: Messages): void;
  /** At once; `within` is called with them before anything is read of the content. */
  open(exchange: Exchange, within?: (messages: Messages) => void): Messages;
}

type Handle = (req: unknown, res: unknown, next?: (error?: unknown) => void) => void;

export default function openDoor(): ExpressDoor {
  const app = express();
  const late = express();
  Object.assign(late, { settings: app.settings as unknown, engines: (app as unknown as { engines: unknown }).engines });
  const empty = express().disable('x-powered-by');
  const server = createServer(app as never);
  return {
    app,
    parsers: express,
    hasMiddleware: () => app.router.stack.length > 0,
    late,
    hasLate: () => late.router.stack.length > 0,
    passLate: ({ req, res }, next) => (late.router as unknown as Handle)(req, res, next),
    end: ({ req, res }) => (empty as unknown as Handle)(req, res),
    open(exchange, within) {
      let made: Messages | null = null;
      // A log of the app, or a signal that somebody has asked for: messages put in an observer of their own.
      keepObserving(exchange);
      serveMessages(server as never, exchange, (req, res) => {
        made = { req, res } as Messages;
        // As the application itself does with requests that a server gives it.
        made.req.res = made.res;
        (made.res as { req: Request }).req = made.req;
        if (app.enabled('x-powered-by')) made.res.setHeader('X-Powered-By', 'Express');
        within?.(made);
      });
      return made as unknown as Messages;
    },
  };
}
