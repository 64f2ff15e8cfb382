/** Members of `express.response` that depend on what the client accepts, and rendering: `format`, `redirect`, `render`. */
import depd from 'depd';
import escapeHtml from 'escape-html';
import createError from 'http-errors';
import statuses from 'statuses';
import { normalizeType } from '../web/accepted-type.ts';
import type { ExpressResponse, Next } from './message-types.ts';

const deprecate = depd('express');

type Formats = Record<string, (...args: unknown[]) => unknown>;
type RenderDone = (err: unknown, html?: string) => void;

// A handler that is no function fails with the engine's message, which quotes this source: `obj` is upstream's name.
function format(this: ExpressResponse, obj: Formats): ExpressResponse {
  const { req } = this;
  const next = req.next as Next;
  const keys = Object.keys(obj).filter((name) => name !== 'default');
  const key = keys.length > 0 ? req.accepts(keys) : false;
  this.vary('Accept');
  if (key) {
    this.set('Content-Type', normalizeType(key).value);
    obj[key]!(req, this, next);
  } else if (obj.default) {
    obj.default(req, this, next);
  } else {
    next(createError(406, { types: keys.map((type) => normalizeType(type).value) }));
  }
  return this;
}

function redirect(this: ExpressResponse, ...args: [unknown, unknown?]): void {
  const [status, given] = args.length === 2 ? args : [302, args[0]];
  if (!given) deprecate('Provide a url argument');
  if (typeof given !== 'string') deprecate('Url must be a string');
  if (typeof status !== 'number') deprecate('Status must be a number');
  const address = this.location(given as string).get('Location') as string;
  const message = statuses.message[status as number];
  let body = '';
  this.format({
    text: () => {
      body = `${message}. Redirecting to ${address}`;
    },
    html: () => {
      body =
        `<!DOCTYPE html><head><title>${message}</title></head>` + `<body><p>${message}. Redirecting to ${escapeHtml(address)}</p></body>`;
    },
    default: () => {
      body = '';
    },
  });
  this.status(status as number);
  this.set('Content-Length', Buffer.byteLength(body));
  if (this.req.method === 'HEAD') this.end();
  else this.end(body);
}

function render(this: ExpressResponse, view: string, options?: unknown, callback?: RenderDone): void {
  const { req } = this;
  const given = (typeof options === 'function' ? {} : options || {}) as { _locals?: unknown };
  let done = (typeof options === 'function' ? options : callback) as RenderDone | undefined;
  given._locals = this.locals;
  done ||= (err, html) => {
    if (err) (req.next as Next)(err);
    else this.send(html);
  };
  req.app.render(view, given, done);
}

export const negotiationMembers = { format, redirect, render };
