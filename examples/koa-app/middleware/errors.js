/** 404 and every error that middleware throws, as a page, JSON or text, whichever the client prefers. */
import { STATUS_CODES } from 'node:http';

export async function answerErrors(ctx, next) {
  try {
    await next();
    if (ctx.status === 404 && !ctx.body) ctx.throw(404, `There is nothing at ${ctx.path}`);
  } catch (error) {
    const status = error.status ?? error.statusCode ?? 500;
    // What went wrong inside stays inside.
    const message = status < 500 ? error.message : 'Something went wrong on our side';
    if (status >= 500) ctx.app.emit('error', error, ctx);
    ctx.status = status;
    await show(ctx, { status, message, fields: error.fields });
  }
}

async function show(ctx, problem) {
  const name = STATUS_CODES[problem.status];
  const kinds = ctx.path.startsWith('/api') ? ['json', 'html', 'text'] : ['html', 'json', 'text'];
  switch (ctx.accepts(kinds)) {
    case 'json':
      ctx.body = { error: problem.message, status: problem.status, fields: problem.fields };
      break;
    case 'html':
      // Errors of the middleware in front of the templates are told as text.
      if (ctx.render) await ctx.render('error', { ...problem, name, title: name });
      else ctx.body = `${problem.status} ${name}`;
      break;
    default:
      ctx.type = 'text';
      ctx.body = `${problem.status} ${name}: ${problem.message}\n`;
  }
}

/** For `app.on('error')`: what middleware could not answer, and what a stream or a connection did afterwards. */
export function reportError(error, ctx) {
  if (error.expose || error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET') return;
  console.error(`${ctx?.method} ${ctx?.url} failed: ${error.message}`);
}
