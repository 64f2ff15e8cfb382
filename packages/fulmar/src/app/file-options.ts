/**
 * The options of `c.file()` and `c.download()`, checked when they are called.
 */
import { type Checks, checkOptions, isBoolean, isCount, shown } from './checked-options.ts';

export interface FileOptions {
  /** The folder that the path is below: a path from the working directory on, or a file: URL. */
  readonly root?: string | URL;
  /** What becomes of names that begin with a dot. Default: ignore, as if there were none. */
  readonly dotfiles?: 'allow' | 'deny' | 'ignore';
  /** Seconds for which a client may keep it unasked. Default: 0. */
  readonly maxAge?: number;
  /** It never changes. Default: false. */
  readonly immutable?: boolean;
  readonly etag?: boolean;
  readonly lastModified?: boolean;
  readonly cacheControl?: boolean;
  readonly acceptRanges?: boolean;
}

/** Beyond a year a client is told the same. */
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
const MS_PER_SECOND = 1000;

const CHECKS: Checks<FileOptions> = {
  root: [(value) => (typeof value === 'string' && value !== '') || value instanceof URL, 'a folder: its path or its file: URL'],
  dotfiles: [(value) => value === 'allow' || value === 'deny' || value === 'ignore', "'allow', 'deny' or 'ignore'"],
  maxAge: [(value) => isCount(0, value) && (value as number) <= MAX_AGE_SECONDS, `seconds, 0 to ${MAX_AGE_SECONDS}`],
  immutable: isBoolean,
  etag: isBoolean,
  lastModified: isBoolean,
  cacheControl: isBoolean,
  acceptRanges: isBoolean,
};

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');

/** @throws TypeError for options that are none, and for a path that could be anywhere */
export function toSendOptions(by: 'file' | 'download', path: string | URL, options: FileOptions = {}): FileOptions {
  checkOptions(by, options, CHECKS);
  if (typeof path !== 'string' && !(path instanceof URL))
    throw new TypeError(`${by}() takes a path or a file: URL, and this is ${shown(path)}.`);
  if (options.root === undefined && typeof path === 'string' && !isAbsolute(path)) {
    throw new TypeError(`${by}() takes an absolute path, or one below a folder: ${by}(${shown(path)}, { root: 'folder' }).`);
  }
  return options.maxAge === undefined ? options : { ...options, maxAge: options.maxAge * MS_PER_SECOND };
}
