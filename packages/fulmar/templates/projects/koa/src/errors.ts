/** What clients are told when something fails: what is wrong with their request, and nothing of what is within. */
import type { Middleware } from 'koa';
import { z } from 'zod';

/** Stands around all that is used behind it. */
export const answerErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) ctx.throw(404, `Nothing is at ${ctx.path}.`);
  } catch (error) {
    const { status, body } = toReply(error);
    if (status === 500) ctx.app.emit('error', error, ctx);
    ctx.status = status;
    ctx.body = body;
  }
};

function toReply(error: unknown): { status: number; body: object } {
  if (error instanceof z.ZodError) {
    const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return { status: 422, body: { error: 'The input is not valid.', errors } };
  }
  // Those of `ctx.throw()` and of the body parser say whether their message is for the client.
  const { expose, status, message } = (error ?? {}) as { expose?: unknown; status?: unknown; message?: unknown };
  if (expose === true && typeof status === 'number') return { status, body: { error: message } };
  return { status: 500, body: { error: 'Internal Server Error' } };
}
