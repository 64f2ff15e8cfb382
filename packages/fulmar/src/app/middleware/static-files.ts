/**
 * `staticFiles()`: the files of a folder, for GET and HEAD. As middleware it leaves to those behind it what it
 * has no file for; as a handler it answers. What of a path stands for the folder follows from where it is
 * used.
 */
import { kBound, type Next } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { files } from '../lazy.ts';
import { needNode } from '../needs-node.ts';
import type { PrecompressedCoding } from './content-codings.ts';
import { checkOptions, type Checks, isBoolean, isCount, isFieldText, isListOf, isToken, shown } from '../checked-options.ts';
import { type FileServer, serveFile } from './serve-file.ts';

export interface StaticFilesOptions {
  /** The folder: a path, from the working directory on, or a URL (`new URL('public', import.meta.url)`). */
  readonly root: string | URL;
  /** A path that stands for the folder, beside what follows from where this is used. Default: none. */
  readonly prefix?: string;
  /** Files that answer for a folder, in this order; false: none. Default: index.html. */
  readonly index?: string | readonly string[] | false;
  /** What becomes of names that begin with a dot. Default: ignore, as if there were none. */
  readonly dotfiles?: 'allow' | 'deny' | 'ignore';
  /** Seconds for which a client may keep a file unasked. Default: 0. */
  readonly maxAge?: number;
  /** The files of this folder never change. Default: false. */
  readonly immutable?: boolean;
  /** Those behind it are asked for what is no file here. Default: true; false: 404. */
  readonly fallthrough?: boolean;
  /** Tried behind a name that has none, without their dot. Default: none. */
  readonly extensions?: readonly string[];
  /** Files beside the file that hold it compressed: `.br`, `.zst`, `.gz`. Default: none is looked for; true: all. */
  readonly precompressed?: boolean | readonly PrecompressedCoding[];
  /** A file of the folder for pages that a browser asks for and nobody else has: of an application in the browser. */
  readonly fallback?: string;
  readonly etag?: boolean;
  readonly lastModified?: boolean;
  readonly cacheControl?: boolean;
  readonly acceptRanges?: boolean;
  /** Fields of the reply, or a function that gives them for a file. */
  readonly headers?: FileHeaders;
}

export type FileHeaders =
  | Readonly<Record<string, string>>
  | ((file: string, c: AnyContext) => Readonly<Record<string, string>> | undefined | void);

/** Middleware, and a handler too. */
export type StaticFiles = (c: AnyContext, next?: Next) => unknown;

const PRECOMPRESSED: readonly PrecompressedCoding[] = ['br', 'zstd', 'gzip'];
/** Beyond a year a client is told the same. */
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('\0');
const isFieldList = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.entries(value).every(([name, text]) => isToken(name) && isFieldText(text));

const CHECKS: Checks<StaticFilesOptions> = {
  root: [(value) => isName(value) || (value instanceof URL && value.protocol === 'file:'), 'a folder: its path or its file: URL'],
  prefix: [(value) => typeof value === 'string' && /^\/[^?#]*$/.test(value), "a path, such as '/assets'"],
  index: [(value) => value === false || isName(value) || isListOf(isName, value), 'a name, a list of names or false'],
  dotfiles: [(value) => value === 'allow' || value === 'deny' || value === 'ignore', "'allow', 'deny' or 'ignore'"],
  maxAge: [(value) => isCount(0, value) && (value as number) <= MAX_AGE_SECONDS, `seconds, 0 to ${MAX_AGE_SECONDS}`],
  immutable: isBoolean,
  fallthrough: isBoolean,
  extensions: [
    (value) => isListOf((one) => isName(one) && !(one as string).startsWith('.'), value),
    "a list of extensions without their dot, such as ['html']",
  ],
  precompressed: [
    (value) => typeof value === 'boolean' || isListOf((one) => PRECOMPRESSED.includes(one as PrecompressedCoding), value),
    `true or a list of ${PRECOMPRESSED.join(', ')}`,
  ],
  fallback: [isName, 'the name of a file of the folder'],
  etag: isBoolean,
  lastModified: isBoolean,
  cacheControl: isBoolean,
  acceptRanges: isBoolean,
  headers: [(value) => typeof value === 'function' || isFieldList(value), 'fields by name, or a function (file, c) that gives them'],
};

const MS_PER_SECOND = 1000;

/** @throws TypeError for options that are none, and where there is no file system */
export function staticFiles(given: string | URL | StaticFilesOptions): StaticFiles {
  const options = typeof given === 'string' || given instanceof URL ? { root: given } : given;
  checkOptions('staticFiles', options, CHECKS);
  if (options.root === undefined)
    throw new TypeError("staticFiles() needs a folder: staticFiles('public') or staticFiles({ root: 'public' }).");
  needNode('staticFiles()', 'leave files to the platform');
  const server = toServer(options);
  const { fallthrough = true } = options;
  const at =
    (base: (c: AnyContext) => number): StaticFiles =>
    (c, next) =>
      answer(c, next, { server, base: base(c), fallthrough });
  const handler = at((c) => (/\/\*[^/]*$/.test(c.route) ? segmentsIn(c.route) - 1 : 0));
  const bind = (prefix: string): StaticFiles => {
    const segments = segmentsIn(prefix);
    return at(() => segments);
  };
  return Object.assign<StaticFiles, object>(handler, { [kBound]: bind });
}

function toServer(options: StaticFilesOptions): FileServer {
  const { root, prefix = '', maxAge = 0, index = ['index.html'], precompressed = false, headers, fallback } = options;
  const ours = files();
  const settings = ours.settingsOf({ ...options, index, maxAge: maxAge * MS_PER_SECOND, root: ours.toPath(root) });
  const fallbackFile = fallback === undefined ? null : ours.resolvePath(encodeURIComponent(fallback), settings);
  if (typeof fallbackFile === 'number')
    throw new TypeError(`staticFiles(): fallback is the name of a file in the folder, and this is ${shown(fallback)}.`);
  return {
    settings,
    prefix: prefix.replace(/\/+$/, ''),
    precompressed: precompressed === true ? PRECOMPRESSED : precompressed === false ? [] : precompressed,
    fallback: fallbackFile,
    headersOf: typeof headers === 'function' ? headers : headers === undefined ? null : () => headers,
  };
}

const segmentsIn = (path: string): number => path.split('/').filter((segment) => segment !== '').length;

interface Way {
  readonly server: FileServer;
  /** Segments of the path that stand for where this is used. */
  readonly base: number;
  readonly fallthrough: boolean;
}

function answer(c: AnyContext, next: Next | undefined, { server, base, fallthrough }: Way): unknown {
  const isLast = next === undefined || !fallthrough;
  const otherwise = (status: number): unknown => {
    if (!isLast) return next();
    throw status === 404 ? new HttpError(404, `Nothing is at ${c.pathname}.`) : new HttpError(status);
  };
  if (c.method !== 'GET' && c.method !== 'HEAD') {
    if (!isLast) return next();
    throw new HttpError(405, `${c.method} is not a method of ${c.pathname}; GET, HEAD are.`, { headers: { Allow: 'GET, HEAD' } });
  }
  const isPage = isLast || c.route === '';
  const value = serveFile(c, server, { base, isPage });
  if (value instanceof Promise) return value.then((settled) => (typeof settled === 'number' ? otherwise(settled) : settled));
  return typeof value === 'number' ? otherwise(value) : value;
}
