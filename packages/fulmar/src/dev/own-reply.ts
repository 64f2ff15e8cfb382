/** Replies of `fulmar dev` itself: whole ones with their fields, never kept by a cache, never in another site's frame. */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange } from '../exchange/types.ts';

export const HTML = 'text/html; charset=utf-8';
export const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const SCRIPT = 'text/javascript; charset=utf-8';

/** `nonce`: of the page's own script and style. */
export const fieldsFor = (type: string, nonce = ''): string =>
  `Content-Type: ${type}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n` +
  (nonce === ''
    ? ''
    : `Content-Security-Policy: default-src 'none'; style-src 'nonce-${nonce}'; script-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'self'\r\n`);

export const flagsFor = (exchange: Exchange): number =>
  ReplyFlag.date | (exchange.keepAlive ? ReplyFlag.keepAlive : ReplyFlag.closeField | ReplyFlag.closeAfter);

export function replyWith(exchange: Exchange, status: number, fields: string, body: string): void {
  const noContent = exchange.method === 'HEAD' || status === 204 ? ReplyFlag.noContent : 0;
  const length = status === 204 ? 0 : ReplyFlag.contentLength;
  exchange.reply(status, null, fields, flagsFor(exchange) | length | noContent, body, 'utf8');
}
