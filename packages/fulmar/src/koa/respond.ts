/**
 * The reply from what middleware left on the context. Runs once per request, after the middleware; never when
 * `ctx.respond` is false.
 */
import type { ServerResponse } from 'node:http';
import { jsonText } from '../http/index.ts';
import type { Edition, KoaContext } from './types.ts';

/** Makes the responder of one version of Koa. */
export function createResponder(edition: Edition): (ctx: KoaContext) => unknown {
  const { major, statuses, sendStream } = edition;
  return function respond(ctx: KoaContext): unknown {
    if (ctx.respond === false) return undefined;
    const { res } = ctx;
    if (!ctx.writable) return major === 2 ? undefined : res.end();
    const { body } = ctx;
    if (statuses.empty[ctx.status]) {
      ctx.body = null;
      return res.end();
    }
    if (ctx.method === 'HEAD') return answerHead(ctx, res);
    if (body === null || body === undefined) return answerStatus(ctx, res, major);
    if (typeof body === 'string' || Buffer.isBuffer(body)) return res.end(body);
    const stream = edition.toStream(body);
    return stream === null ? answerJson(ctx, res, body) : sendStream(ctx, stream);
  };
}

function answerHead(ctx: KoaContext, res: ServerResponse): unknown {
  if (!res.headersSent && !ctx.response.has('Content-Length')) {
    const { length } = ctx.response;
    if (Number.isInteger(length)) ctx.length = length;
  }
  return res.end();
}

/** No body: nothing at all if that was said, else the status as text. */
function answerStatus(ctx: KoaContext, res: ServerResponse, major: 2 | 3): unknown {
  if (ctx.response._explicitNullBody) {
    ctx.response.remove('Content-Type');
    ctx.response.remove('Transfer-Encoding');
    if (major === 3) ctx.length = 0;
    return res.end();
  }
  const code = ctx.status;
  const text = ctx.req.httpVersionMajor >= 2 ? String(code) : ctx.message || String(code);
  if (!res.headersSent) {
    ctx.type = 'text';
    ctx.length = Buffer.byteLength(text);
  }
  return res.end(text);
}

function answerJson(ctx: KoaContext, res: ServerResponse, body: unknown): undefined {
  const text = jsonText(body) as string;
  if (!res.headersSent) ctx.length = Buffer.byteLength(text);
  res.end(text);
}
