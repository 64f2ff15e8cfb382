/** `res.jsonp`: JSON as a call of the function that the client names. Loaded when first used. */
import type { ExpressResponse } from './message-types.ts';
import { stringify } from './json-text.ts';

export function sendJsonp(res: ExpressResponse, value: unknown): ExpressResponse {
  let body = stringify(res, value);
  const { query } = res.req;
  let callback = query[res.app.get('jsonp callback name') as string];
  if (!res.get('Content-Type')) {
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Content-Type', 'application/json');
  }
  if (Array.isArray(callback)) callback = callback[0] as unknown;
  if (typeof callback === 'string' && callback.length !== 0) {
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Content-Type', 'text/javascript');
    body = wrapInCallback(callback, body);
  }
  return res.send(body);
}

function wrapInCallback(callback: string, body: string | undefined): string {
  const name = callback.replace(/[^[\]\w$.]/g, '');
  // Characters that JSON allows in strings and JavaScript did not.
  const text = body === undefined ? '' : body.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  // The comment guards against "Rosetta Flash" abuse; the typeof check keeps clients' error logs clean.
  return `/**/ typeof ${name} === 'function' && ${name}(${text});`;
}
