/**
 * Members of `express.response` that depend on what the client accepts, and rendering: `format`, `redirect`,
 * `render`.
 */
import depd from 'depd';
import escapeHtml from 'escape-html';
import createError from 'http-errors';
import statuses from 'statuses';
import { normalizeType } from '../web/accepted-type.ts';
import type { ExpressResponse, Next } from './message-types.ts';

const deprecate = depd('express');

type Formats = Record<string, (...args: unknown[]) => unknown>;
type RenderDone = (err: unknown, html?: string) => void;

/** Makes `res.format` of a version: `toType` gives the media type of a key. */
export function createFormat(toType: (key: string) => string): (this: ExpressResponse, obj: Formats) => ExpressResponse {
  // A handler that is no function fails with the engine's message, which quotes this source: `obj` is
  // upstream's name.
  return function format(this: ExpressResponse, obj: Formats): ExpressResponse {
    const { req } = this;
    const next = req.next as Next;
    const keys = Object.keys(obj).filter((name) => name !== 'default');
    const key = keys.length > 0 ? req.accepts(keys) : false;
    this.vary('Accept');
    if (key) {
      this.set('Content-Type', toType(key));
      obj[key]!(req, this, next);
    } else if (obj.default) {
      obj.default(req, this, next);
    } else {
      next(createError(406, { types: keys.map((type) => toType(type)) }));
    }
    return this;
  };
}

const format = createFormat((key) => normalizeType(key).value);

/** What a redirection says, in a form that the client accepts; `page` gives the HTML. */
export function redirectBody(
  res: ExpressResponse,
  address: string,
  status: unknown,
  page: (message: string | undefined) => string,
): string {
  const message = statuses.message[status as number];
  let body = '';
  res.format({
    text: () => {
      body = `${message}. Redirecting to ${address}`;
    },
    html: () => {
      body = page(message);
    },
    default: () => {
      body = '';
    },
  });
  return body;
}

/** Ends a redirection. */
export function endWith(res: ExpressResponse, body: string): void {
  res.set('Content-Length', Buffer.byteLength(body));
  if (res.req.method === 'HEAD') res.end();
  else res.end(body);
}

function redirect(this: ExpressResponse, ...args: [unknown, unknown?]): void {
  const [status, given] = args.length === 2 ? args : [302, args[0]];
  if (!given) deprecate('Provide a url argument');
  if (typeof given !== 'string') deprecate('Url must be a string');
  if (typeof status !== 'number') deprecate('Status must be a number');
  const address = this.location(given as string).get('Location') as string;
  const page = (message: string | undefined): string =>
    `<!DOCTYPE html><head><title>${message}</title></head>` + `<body><p>${message}. Redirecting to ${escapeHtml(address)}</p></body>`;
  const body = redirectBody(this, address, status, page);
  this.status(status as number);
  endWith(this, body);
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
