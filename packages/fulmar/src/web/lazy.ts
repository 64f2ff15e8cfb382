/**
 * Libraries that many applications never use, behind functions, so that there is one place that decides when
 * they are loaded: on their first call in the built package. Names that end in a digit are of an older
 * version, which behaves in another way.
 */
import accepts_ from 'accepts';
import accepts4_ from 'accepts4';
import cookieSignature_ from 'cookie-signature';
import iconv_ from 'iconv-lite';
import mime_ from 'mime-types';
import proxyAddr_ from 'proxy-addr';
import qs_ from 'qs';
import rawBody_ from 'raw-body';
import typeIs_ from 'type-is';
import typeIs4_ from 'type-is4';

export const accepts = (): typeof accepts_ => accepts_;
/** Of Express 4 and of Koa. */
export const accepts4 = (): typeof accepts4_ => accepts4_;
export const cookieSignature = (): typeof cookieSignature_ => cookieSignature_;
export const iconv = (): typeof iconv_ => iconv_;
export const mime = (): typeof mime_ => mime_;
export const proxyAddr = (): typeof proxyAddr_ => proxyAddr_;
export const qs = (): typeof qs_ => qs_;
export const rawBody = (): typeof rawBody_ => rawBody_;
export const typeIs = (): typeof typeIs_ => typeIs_;
/** Of Express 4 and of Koa 2. */
export const typeIs4 = (): typeof typeIs4_ => typeIs4_;

/** Node's own, but expensive to load: OpenSSL and the compressors come with them. */
export const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');
export const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib');
