/**
 * Entity tags of reply bodies: the SHA-1 of the bytes, as upstream's `etag` package makes them, without
 * copying a string body to hash it. Used by `res.send`; files have tags of their own.
 */
import { DIGEST_CHARS } from '../exchange/format.ts';
import { crypto } from './lazy.ts';

const EMPTY_TAG = '"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"';

type Bytes = string | Buffer;

type Generator = (body: Bytes, encoding?: BufferEncoding) => string;

/** Tag of a body; strings count as the bytes of `encoding`. */
export const strongEtag = createGenerator('');
export const weakEtag = createGenerator('W/');

function createGenerator(prefix: string): Generator {
  // Upstream's name, because `app.settings` shows it.
  return function generateETag(body, encoding) {
    return prefix + entityTag(toHashable(body, encoding));
  };
}

/** Tag of a UTF-8 string whose length in bytes is known already. */
export function weakTextEtag(body: string, bytes: number): string {
  return bytes === 0 ? `W/${EMPTY_TAG}` : `W/"${bytes.toString(16)}-${sha1(body)}"`;
}

function entityTag(body: Bytes): string {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return bytes === 0 ? EMPTY_TAG : `"${bytes.toString(16)}-${sha1(body)}"`;
}

function sha1(body: Bytes): string {
  return crypto().hash('sha1', body, 'base64').slice(0, DIGEST_CHARS);
}

function toHashable(body: Bytes, encoding: BufferEncoding | undefined): Bytes {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string' && (encoding === undefined || encoding === 'utf8')) return body;
  return Buffer.from(body, encoding);
}
