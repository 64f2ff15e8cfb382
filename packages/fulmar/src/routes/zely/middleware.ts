/**
 * `zelyMiddleware((ctx, next) => …)`: middleware of Zely around routes of any kind, also `(req, res, next)` of Zely 2. What it
 * leaves on request and response is there for pages of Zely; where it answers, nothing behind it runs.
 */
import type { Middleware } from '../../app/chain.ts';
import type { AnyContext } from '../../app/index.ts';
import { kindText } from '../../app/checked-options.ts';
import { asking } from './handler.ts';
import { throughMessages } from './messages.ts';

type Next = (error?: unknown) => void;
/** As Zely's config has them. */
export type ZelyMiddleware = Contexts | Messages;
type Contexts = (ctx: any, next: Next) => unknown;
type Messages = (req: any, res: any, next: Next) => unknown;

/** Of `(req, res, next)`. */
const MESSAGES_PARAMETERS = 3;

/** @throws TypeError for what is no function */
export function zelyMiddleware(given: ZelyMiddleware): Middleware {
  if (typeof given !== 'function') throw new TypeError(`zelyMiddleware() takes a function (ctx, next), and this is ${kindText(given)}.`);
  const isMessages = given.length >= MESSAGES_PARAMETERS;
  return ((c: AnyContext, next: () => Promise<unknown>) =>
    throughMessages(
      c,
      (request, response, goOn) => {
        const { ctx } = asking(c, { request, response, params: c.params as never });
        return isMessages ? (given as Messages)(request, response, goOn) : (given as Contexts)(ctx, goOn);
      },
      next,
    )) as unknown as Middleware;
}
