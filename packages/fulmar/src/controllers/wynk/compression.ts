/**
 * `compression()`: replies in a coding that the client takes, by the application's own `compression` package, with
 * WynkJS's options. For `app.use()`.
 */
import { checkOptions, type Checks, isCount, isListOf } from '../../app/checked-options.ts';
import { requireFromApplication } from '../../app/openapi/application-package.ts';

export type CompressionEncoding = 'br' | 'gzip' | 'deflate';
export interface CompressionOptions {
  /** Shorter replies stay as they are, in bytes. Default: 1024. */
  readonly threshold?: number;
  /** Those that are taken. Default: all of them. */
  readonly encodings?: readonly CompressionEncoding[];
  /** Of `node:zlib`, `{ params }`. */
  readonly brotliOptions?: { readonly params?: Readonly<Record<number, number>> };
  readonly zlibOptions?: { readonly level?: number; readonly memLevel?: number; readonly strategy?: number };
}

type Middleware = (req: any, res: any, next: (error?: unknown) => void) => void;

const ENCODINGS: readonly unknown[] = ['br', 'gzip', 'deflate'];
const THRESHOLD_BYTES = 1024;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Checks<CompressionOptions> = {
  threshold: [(value) => isCount(0, value), 'a number of bytes'],
  encodings: [(value) => isListOf((one) => ENCODINGS.includes(one), value) && value.length > 0, `a list of ${ENCODINGS.join(', ')}`],
  brotliOptions: [isObject, 'an object, { params }'],
  zlibOptions: [isObject, 'an object, { level, memLevel, strategy }'],
};

/** @throws TypeError for options that are none; Error without the package */
export function compression(options: CompressionOptions = {}): Middleware {
  checkOptions('compression', options, CHECKS);
  const { threshold = THRESHOLD_BYTES, encodings, brotliOptions, zlibOptions } = options;
  const make = requireFromApplication('compression', 'compression() compresses replies by the middleware of that name') as (
    given: object,
  ) => Middleware;
  const compress = make({ threshold, ...zlibOptions, ...(brotliOptions !== undefined && { brotli: brotliOptions }) });
  if (encodings === undefined) return compress;
  return (req: { headers: Record<string, string | undefined> }, res, next) => {
    const accepted = without(req.headers['accept-encoding'], encodings);
    const headers = { value: { ...req.headers, 'accept-encoding': accepted } };
    compress(Object.create(req, { headers }), res, next);
  };
}

/** What a client takes, without codings that are not to be used. */
function without(accepted: string | undefined, encodings: readonly string[]): string | undefined {
  if (accepted === undefined) return undefined;
  const others = ENCODINGS.filter((one) => !encodings.includes(one as string)).map((one) => `${String(one)};q=0`);
  const named = accepted
    .split(',')
    .filter(
      (one) =>
        !ENCODINGS.includes(one.split(';', 1)[0]?.trim().toLowerCase()) ||
        encodings.includes(one.split(';', 1)[0]?.trim().toLowerCase() as string),
    );
  return [...named, ...others].join(',');
}
