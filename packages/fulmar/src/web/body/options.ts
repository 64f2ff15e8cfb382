/** Options that all body parsers share, checked when a parser is made. */
import bytes from 'bytes';
import { typeIs } from '../lazy.ts';
import type { WebRequest, WebResponse } from '../message-types.ts';

export type Verify = (req: WebRequest, res: WebResponse, body: Buffer, encoding: string | null) => void;
type ShouldParse = (req: WebRequest) => unknown;

export interface BodyOptions {
  readonly inflate?: boolean;
  readonly limit?: number | string | null;
  readonly type?: string | string[] | ShouldParse;
  readonly verify?: Verify | false;
  readonly defaultCharset?: string;
}

export interface CommonOptions {
  readonly inflate: boolean;
  readonly limit: number;
  readonly verify: Verify | false;
  readonly defaultCharset: string;
  readonly shouldParse: ShouldParse;
}

const DEFAULT_LIMIT_BYTES = 100 * 1024;

export function normalizeOptions(options: BodyOptions | undefined, defaultType: string): CommonOptions {
  const limit = options?.limit == null ? DEFAULT_LIMIT_BYTES : bytes.parse(options.limit);
  const type = options?.type || defaultType;
  const verify = options?.verify || false;
  if (limit === null) throw new TypeError(`option limit "${String(options?.limit)}" is invalid`);
  if (verify !== false && typeof verify !== 'function') throw new TypeError('option verify must be function');
  return {
    inflate: options?.inflate !== false,
    limit,
    verify,
    defaultCharset: options?.defaultCharset || 'utf-8',
    shouldParse: typeof type === 'function' ? type : createTypeCheck(type, defaultType),
  };
}

function createTypeCheck(type: string | string[], defaultType: string): ShouldParse {
  // Nearly every request carries the very text of the default type.
  if (type === defaultType) {
    return (req) => req.headers['content-type'] === type || Boolean(typeIs()(req, type));
  }
  return (req) => Boolean(typeIs()(req, type as string));
}
