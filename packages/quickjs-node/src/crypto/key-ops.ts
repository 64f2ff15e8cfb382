/**
 * The host's functions for keys, signatures and ciphers, made when they are first needed.
 */
import ops from 'fulmar:ops';
import type { MoreCryptoOps } from './more-ops.ts';

let made: MoreCryptoOps | undefined;

export function keyOps(): MoreCryptoOps {
  return (made ??= ops.crypto());
}

/** A view's or string's bytes, where only views and strings are expected. */
export function toBytes(value: string | ArrayBuffer | ArrayBufferView, encoding?: string): string | ArrayBuffer | ArrayBufferView {
  return typeof value === 'string' && encoding !== undefined && encoding !== 'utf8' && encoding !== 'buffer'
    ? Buffer.from(value, encoding as BufferEncoding)
    : value;
}
