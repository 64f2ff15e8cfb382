/**
 * `nodeMiddleware(helmet(), morgan('tiny'))`: functions `(req, res, next)` of Express's kind around handlers of the
 * app. What stands behind them answers through their response, so that what they have put around its methods counts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageExchange } from '../../exchange/message-exchange.ts';
import type { Exchange } from '../../exchange/types.ts';
import { isThenable } from '../../host/thenable.ts';
import type { Middleware } from '../chain.ts';
import { shown } from '../checked-options.ts';
import type { AnyContext } from '../context.ts';
import { messages } from '../lazy.ts';
import { ANSWERED, type MessageListener } from '../mount.ts';
import { needNode } from '../needs-node.ts';
import { keepObserving } from '../observing.ts';
import { named } from './named.ts';

export type NodeMiddleware = (req: IncomingMessage & never, res: ServerResponse & never, next: (error?: unknown) => void) => unknown;

/** The first one outermost. @throws TypeError for what is no function */
export function nodeMiddleware(...list: readonly NodeMiddleware[]): Middleware {
  const wrong = list.find((one) => typeof one !== 'function');
  if (list.length === 0 || wrong !== undefined)
    throw new TypeError(`nodeMiddleware() takes functions (req, res, next), and this is ${list.length === 0 ? 'none' : shown(wrong)}.`);
  needNode('nodeMiddleware()', 'take the middleware of fulmar/middleware');
  // What its requests and responses are made for: one for each.
  const application: MessageListener = () => {};
  return named('nodeMiddleware', (c, next) => {
    return new Promise((resolve, reject) => {
      keepObserving(c.exchange);
      messages()(c.exchange, application, (given, made) => {
        const [req, res] = [given as unknown as IncomingMessage, made as unknown as ServerResponse];
        for (const [name, value] of c.lines?.entries() ?? []) made.appendHeader(name, value);
        let isBehind = false;
        res.once('close', () => {
          c.statusCode = res.statusCode;
          if (!isBehind) resolve(ANSWERED);
        });
        const takeOver = (): void => {
          // A reply that has begun can become no other: the app breaks it off.
          if (!isBehind && !res.headersSent) answerThrough(c, req, res);
          isBehind = true;
        };
        const goOn = (): void => {
          if (res.headersSent) return fail(new Error('next() was called by middleware that has begun a reply.'));
          takeOver();
          next().then(resolve, reject);
        };
        const fail = (error: unknown): void => {
          takeOver();
          reject(error as Error);
        };
        runAll(list as readonly Listener[], [req, res], { goOn, fail });
      });
    });
  });
}

type Messages = readonly [req: IncomingMessage, res: ServerResponse];
type Listener = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => unknown;

/** From here on the reply is written to the response: what is set there stays, unless it is set again. */
function answerThrough(c: AnyContext, req: IncomingMessage, res: ServerResponse): void {
  const exchange = messageExchange(req, res, { target: c.url });
  c.lines = null;
  (c as { exchange: Exchange }).exchange = exchange;
}

function runAll(
  list: readonly Listener[],
  [req, res]: Messages,
  { goOn, fail }: { goOn: () => void; fail: (error: unknown) => void },
): void {
  const step = (at: number): void => {
    const one = list[at];
    if (one === undefined) return goOn();
    let isCalled = false;
    const next = (error?: unknown): void => {
      if (isCalled) return fail(new Error('next() was called twice by one middleware.'));
      isCalled = true;
      if (error !== undefined && error !== null) fail(error);
      else step(at + 1);
    };
    try {
      const returned = one(req, res, next);
      if (isThenable(returned)) returned.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
  step(0);
}
