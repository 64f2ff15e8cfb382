/**
 * `ctx.onerror`: tells the application, then answers with the error's status unless a reply is already under
 * way. Never throws what it was given; a value that is no error becomes one.
 */
import type { ServerResponse } from 'node:http';
import { format } from 'node:util';
import { readGlobal } from '../host/globals.ts';
import { isNativeError } from './members.ts';
import type { ErrorLike, KoaContext, Statuses } from './types.ts';

const STATUS_DEFAULT = 500;

/** Where versions of Koa differ. */
export interface ErrorRules {
  /** Puts the header fields that an error brings on the reply. */
  readonly setHeaders: (ctx: KoaContext, headers: Record<string, unknown> | undefined) => void;
  /** The status an error asks for, before unknown ones become 500. */
  readonly statusOf: (error: ErrorLike) => unknown;
}

export function createErrorHandler(statuses: Statuses, rules: ErrorRules): (this: KoaContext, error: unknown) => void {
  return function onerror(this: KoaContext, given: unknown): void {
    if (given === null || given === undefined) return;
    const error: ErrorLike = isNativeError(given) ? given : new Error(format('non-error thrown: %j', given));
    const isLate = this.headerSent || !this.writable;
    if (isLate) error.headerSent = true;
    const dev = readGlobal('fulmar.dev');
    if (dev !== undefined && statusFor(error) >= STATUS_DEFAULT) dev.failed(this.req, error);
    this.app.emit('error', error, this);
    if (isLate) return;
    answer(this, error);
  };

  function statusFor(error: ErrorLike): number {
    const wanted = rules.statusOf(error);
    return typeof wanted === 'number' && statuses.text(wanted) ? wanted : STATUS_DEFAULT;
  }

  function answer(ctx: KoaContext, error: ErrorLike): void {
    const { res } = ctx;
    clearHeaders(res);
    rules.setHeaders(ctx, error.headers);
    ctx.type = 'text';
    const status = statusFor(error);
    const message = error.expose ? error.message : (statuses.text(status) as string);
    error.status = status;
    ctx.status = status;
    ctx.length = Buffer.byteLength(message);
    res.end(message);
  }
}

interface AncientResponse {
  _headers: object;
}

/** Foreign responses may be of a kind that has no list of names. */
function clearHeaders(res: ServerResponse): void {
  if (typeof res.getHeaderNames !== 'function') {
    (res as unknown as AncientResponse)._headers = {};
    return;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
}
