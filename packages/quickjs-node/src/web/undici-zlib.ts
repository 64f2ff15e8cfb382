/**
 * `node:zlib` for undici, loaded when a compressed reply comes.
 */
import type * as Zlib from 'node:zlib';

const zlib = (): typeof Zlib => process.getBuiltinModule('node:zlib');

export const createGunzip: typeof Zlib.createGunzip = (options) => zlib().createGunzip(options);
export const createInflate: typeof Zlib.createInflate = (options) => zlib().createInflate(options);
export const createInflateRaw: typeof Zlib.createInflateRaw = (options) => zlib().createInflateRaw(options);
export const createBrotliDecompress: typeof Zlib.createBrotliDecompress = (options) => zlib().createBrotliDecompress(options);
export const createZstdDecompress: typeof Zlib.createZstdDecompress = (options) => zlib().createZstdDecompress(options);
/** The numbers that undici asks for, as zlib has them. */
export const constants = { Z_SYNC_FLUSH: 2, BROTLI_OPERATION_FLUSH: 1, ZSTD_e_continue: 0, ZSTD_e_end: 2, Z_DEFAULT_WINDOWBITS: 15 };
export const Z_DEFAULT_WINDOWBITS = 15;
