/**
 * The prototype of all responses: status, message, socket, redirection, as far as both versions of Koa agree.
 * Header fields and body have files of their own.
 */
import assert from 'node:assert';
import { inspect } from 'node:util';
import escapeHtml from 'escape-html';
import { isReplyWritable } from '../http/index.ts';
import { assemble, only } from './members.ts';
import { headerMembers } from './response-headers.ts';
import type { Edition, KoaResponse, Statuses } from './types.ts';

const ABSOLUTE = /^https?:\/\//i;
const STATUS_MIN = 100;
const STATUS_MAX = 999;
const REDIRECT_DEFAULT = 302;

const self = (value: unknown): KoaResponse => value as KoaResponse;

const replyMembers = {
  get socket(): unknown {
    return self(this).res.socket;
  },
  get writable(): boolean {
    const { res } = self(this);
    const known = isReplyWritable(res);
    if (known !== undefined) return known;
    if (res.writableEnded || (res as { finished?: boolean }).finished) return false;
    return res.socket ? res.socket.writable : true;
  },
};

function checkStatus(code: number): void {
  if (Number.isInteger(code) && code >= STATUS_MIN && code <= STATUS_MAX) return;
  assert(Number.isInteger(code), 'status code must be a number');
  assert(code >= STATUS_MIN && code <= STATUS_MAX, `invalid status code: ${code}`);
}

function statusMembers(statuses: Statuses): object {
  return {
    get status(): number {
      return self(this).res.statusCode;
    },
    set status(code: number) {
      const response = self(this);
      if (response.headerSent) return;
      checkStatus(code);
      response._explicitStatus = true;
      response.res.statusCode = code;
      if (response.req.httpVersionMajor < 2) response.res.statusMessage = statuses.text(code) as string;
      if (response.body && statuses.empty[code]) response.body = null;
    },
    get message(): unknown {
      return self(this).res.statusMessage || statuses.text(self(this).status);
    },
    set message(text: string) {
      self(this).res.statusMessage = text;
    },
  };
}

/** Answers with a redirection; the target is encoded, and escaped where it is shown. */
export function redirectTo(response: KoaResponse, { statuses, encodeUrl }: Edition, url: string): void {
  // An absolute URL is formatted anew, so that no parser reads it in another way.
  const target = ABSOLUTE.test(url) ? new URL(url).toString() : url;
  response.set('Location', encodeUrl()(target));
  if (!statuses.redirect[response.status]) response.status = REDIRECT_DEFAULT;
  const isHtml = Boolean(response.ctx.accepts('html'));
  response.type = isHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  response.body = `Redirecting to ${isHtml ? escapeHtml(target) : target}.`;
}

/** The page the client comes from, if it is one of this host. */
export function referrerOf({ ctx }: KoaResponse): string | undefined {
  const referrer = ctx.get('Referrer');
  return referrer && new URL(referrer, ctx.href).host === ctx.host ? referrer : undefined;
}

function inspectResponse(this: KoaResponse): unknown {
  return this.res ? { ...this.toJSON(), body: this.body } : undefined;
}

const inspectMembers = {
  inspect: inspectResponse,
  toJSON(this: KoaResponse): object {
    return only(this, ['status', 'message', 'header']);
  },
  [inspect.custom]: inspectResponse,
};

/** Makes the prototype for one version of Koa; `own` are the members in which it differs. */
export function createResponsePrototype(edition: Edition, ...own: readonly object[]): object {
  return assemble(replyMembers, statusMembers(edition.statuses), ...headerMembers(edition), inspectMembers, ...own);
}
