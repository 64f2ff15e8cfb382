/**
 * The body of the reply as far as both versions of Koa agree: text and bytes, and the length of what is
 * there.
 */
import type { KoaResponse } from './types.ts';

const self = (value: unknown): KoaResponse => value as KoaResponse;
const LOOKS_LIKE_HTML = /^\s*</;

/** Sets type and length for a body of text or bytes. False: it is of another kind. */
export function setLeafBody(response: KoaResponse, value: unknown, setType: boolean): boolean {
  if (typeof value === 'string') {
    if (setType) response.type = LOOKS_LIKE_HTML.test(value) ? 'html' : 'text';
    response.length = Buffer.byteLength(value);
    return true;
  }
  if (!Buffer.isBuffer(value)) return false;
  if (setType) response.type = 'bin';
  response.length = value.length;
  return true;
}

/** `response.length`: the field, or the size the body will have. */
export function bodyLengthMembers(isStream: (value: unknown) => boolean): object {
  return {
    set length(bytes: number) {
      const response = self(this);
      if (!response.has('Transfer-Encoding')) response.set('Content-Length', bytes);
    },
    get length(): number | undefined {
      const response = self(this);
      if (response.has('Content-Length')) return Number.parseInt(response.get('Content-Length') as string, 10) || 0;
      const { body } = response;
      if (!body || isStream(body)) return undefined;
      if (typeof body === 'string') return Buffer.byteLength(body);
      return Buffer.isBuffer(body) ? body.length : Buffer.byteLength(JSON.stringify(body));
    },
  };
}
