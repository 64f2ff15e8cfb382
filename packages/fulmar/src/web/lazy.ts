/**
 * Libraries that many applications never use, behind functions, so that there is one place that decides when they are
 * loaded: on their first call in the built package.
 */
import iconv_ from 'iconv-lite';
import mime_ from 'mime-types';
import qs_ from 'qs';
import rawBody_ from 'raw-body';
import typeIs_ from 'type-is';

export const iconv = (): typeof iconv_ => iconv_;
export const mime = (): typeof mime_ => mime_;
export const qs = (): typeof qs_ => qs_;
export const rawBody = (): typeof rawBody_ => rawBody_;
export const typeIs = (): typeof typeIs_ => typeIs_;

/** Node's own, but expensive to load: OpenSSL and the compressors come with them. */
export const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');
export const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib');
