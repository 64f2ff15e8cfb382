/**
 * Paths with `/`.
 */
import later from 'fulmar:later';
import { validateString } from '../shared/validators.ts';
import { extensionStart, formatted, normalParts, type ParsedPath, type Pieces, baseOf } from './common.ts';

const SLASH = 47;

function normalize(path: string): string {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const absolute = path.charCodeAt(0) === SLASH;
  const trailing = path.charCodeAt(path.length - 1) === SLASH;
  const normal = normalParts(path.split('/'), !absolute).join('/');
  if (normal === '') return absolute ? '/' : trailing ? './' : '.';
  return `${absolute ? '/' : ''}${normal}${trailing ? '/' : ''}`;
}

function join(...args: string[]): string {
  if (args.length === 0) return '.';
  let joined = '';
  for (const arg of args) {
    validateString(arg, 'path');
    if (arg.length > 0) joined = joined === '' ? arg : `${joined}/${arg}`;
  }
  return joined === '' ? '.' : normalize(joined);
}

function resolve(...args: string[]): string {
  let resolved = '';
  for (let index = args.length - 1; index >= 0 && resolved.charCodeAt(0) !== SLASH; index -= 1) {
    const path = args[index];
    validateString(path, `paths[${index}]`);
    if (path.length > 0) resolved = resolved === '' ? path : `${path}/${resolved}`;
  }
  if (resolved.charCodeAt(0) !== SLASH) resolved = `${process.cwd()}/${resolved}`;
  const normal = normalParts(resolved.split('/'), false).join('/');
  return `/${normal}`;
}

function relative(from: string, to: string): string {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const [start, end] = [resolve(from), resolve(to)];
  if (start === end) return '';
  const [a, b] = [start.split('/').filter(Boolean), end.split('/').filter(Boolean)];
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
  return [...a.slice(common).fill('..'), ...b.slice(common)].join('/');
}

function dirname(path: string): string {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const absolute = path.charCodeAt(0) === SLASH;
  let end = path.length - 1;
  while (end > 0 && path.charCodeAt(end) === SLASH) end -= 1;
  end = path.lastIndexOf('/', end);
  if (end <= 0) return absolute ? '/' : '.';
  if (absolute && end === 1) return '//';
  return path.slice(0, end);
}

/** The last part without slashes that follow it, and where it starts. */
function lastPart(path: string): [start: number, part: string] {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end -= 1;
  const start = end === 0 ? 0 : path.lastIndexOf('/', end - 1) + 1;
  return [start, path.slice(start, end)];
}

function basename(path: string, suffix?: string): string {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const [start, last] = lastPart(path);
  return baseOf(path, suffix, start, last);
}

function extname(path: string): string {
  validateString(path, 'path');
  const [, base] = lastPart(path);
  return base.slice(extensionStart(base));
}

function parse(path: string): ParsedPath {
  validateString(path, 'path');
  const absolute = path.charCodeAt(0) === SLASH;
  const root = absolute ? '/' : '';
  const [, base] = lastPart(path);
  // Node takes the second dot of `/..` for an extension.
  const dot = path.startsWith('/..') && /^\/\.\.\/*$/.test(path) ? 1 : extensionStart(base);
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end -= 1;
  const before = end - base.length - 1;
  const dir = base === '' ? root : before > 0 ? path.slice(0, before) : root;
  return { root, dir, base, ext: base.slice(dot), name: base.slice(0, dot) };
}

export const posix = {
  resolve,
  normalize,
  isAbsolute(path: string): boolean {
    validateString(path, 'path');
    return path.charCodeAt(0) === SLASH;
  },
  join,
  relative,
  toNamespacedPath: (path: unknown): unknown => path,
  dirname,
  basename,
  extname,
  format: (pathObject: Pieces): string => formatted('/', pathObject),
  parse,
  matchesGlob: (path: string, pattern: string): boolean => later<typeof import('./glob.later.ts')>().matchesGlob(path, pattern, 'posix'),
  sep: '/',
  delimiter: ':',
  win32: null as unknown,
  posix: null as unknown,
  _makeLong: null as unknown,
};
posix.posix = posix;
posix._makeLong = posix.toNamespacedPath;
