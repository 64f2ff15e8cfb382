/**
 * Content in a coding: a whole one in one pass, by the engine where that takes it, pieces through a stream
 * whose content leaves while its source makes a pause. Loaded with the first `compress()`.
 */
import type { Transform } from 'node:stream';
import nodeZlib from 'node:zlib';
import { promisify } from 'node:util';
import zlib from '../zlib/index.ts';
import { deflateWhole } from '../zlib/whole-deflate.ts';
import type { Coding } from './middleware/content-codings.ts';
import { EncodedPieces } from './encoded-pieces.ts';

interface How {
  readonly coding: Coding;
  readonly level: number;
}

type Options = Record<string, unknown>;
type Compress = (content: Uint8Array, options: Options) => Promise<Uint8Array>;

/** What a host may not have. */
const members = nodeZlib as unknown as Readonly<Record<string, unknown>>;
const NAMES: Readonly<Record<Coding, readonly [stream: string, whole: string]>> = {
  zstd: ['createZstdCompress', 'zstdCompress'],
  br: ['createBrotliCompress', 'brotliCompress'],
  gzip: ['createGzip', 'gzip'],
  deflate: ['createDeflate', 'deflate'],
};

const has = (coding: Coding): boolean => NAMES[coding].every((name) => typeof members[name] === 'function');

function optionsOf({ coding, level }: How, length: number): Options {
  const constants = nodeZlib.constants as unknown as Readonly<Record<string, number>>;
  if (coding === 'zstd') return { params: { [constants['ZSTD_c_compressionLevel'] as number]: level } };
  if (coding !== 'br') return { level };
  const hint = length > 0 ? { [constants['BROTLI_PARAM_SIZE_HINT'] as number]: length } : {};
  return { params: { [constants['BROTLI_PARAM_QUALITY'] as number]: level, ...hint } };
}

/** At once where the engine does it. */
function whole(content: Uint8Array, how: How): Uint8Array | Promise<Uint8Array> {
  const { coding, level } = how;
  const done = coding === 'gzip' || coding === 'deflate' ? deflateWhole(content, { isGzip: coding === 'gzip', level }) : undefined;
  if (done !== undefined) return done;
  const compress = promisify(members[NAMES[coding][1]] as never) as unknown as Compress;
  return compress(content, optionsOf(how, content.byteLength));
}

/** `isFlushed`: what has come leaves while the source makes a pause. */
function pieces(source: object, how: How & { readonly isFlushed: boolean }): AsyncIterable<Uint8Array> {
  const { coding, isFlushed } = how;
  const make = (zlib as unknown as Readonly<Record<string, (options: Options) => Transform>>)[NAMES[coding][0]] as (
    options: Options,
  ) => Transform;
  const kind = coding === 'gzip' || coding === 'deflate' ? [nodeZlib.constants.Z_SYNC_FLUSH] : [];
  const stream = make(optionsOf(how, 0)) as Transform & { flush(...kind: number[]): void };
  return new EncodedPieces(source, stream, isFlushed ? () => stream.flush(...kind) : null);
}

export default { has, pieces, whole };
