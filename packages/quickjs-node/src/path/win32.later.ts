/**
 * Windows' paths: drives, shares, both slashes.
 */
import later from 'fulmar:later';
import { extensionStart, formatted, normalParts, type ParsedPath, type Pieces, baseOf } from './common.ts';
import { validateString } from '../shared/validators.ts';

const SEPARATORS = /[\\/]+/;
const SHARE = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/;
const DRIVE = /^[a-zA-Z]:/;

function isSlash(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 47 || code === 92;
}

interface Root {
  /** `C:`, `\\server\share`, `\\.\device`, or empty */
  device: string;
  /** Where the rest starts. */
  end: number;
  absolute: boolean;
}

/** `\\?\…` and `\\.\…` name devices: only the first part belongs to the root. */
function rootOf(path: string): Root {
  const share = SHARE.exec(path);
  if (share !== null) {
    const [whole, server, name] = share as unknown as [string, string, string];
    if (server === '.' || server === '?') return { device: `\\\\${server}`, end: 4, absolute: true };
    const next = isSlash(path, whole.length) ? 1 : 0;
    return { device: `\\\\${server}\\${name}`, end: whole.length + next, absolute: true };
  }
  if (isSlash(path, 0)) return { device: '', end: 1, absolute: true };
  if (DRIVE.test(path)) {
    const absolute = isSlash(path, 2);
    return { device: path.slice(0, 2), end: absolute ? 3 : 2, absolute };
  }
  return { device: '', end: 0, absolute: false };
}

function normalize(path: string): string {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSlash(path, 0) ? '\\' : path;
  const { device, end, absolute } = rootOf(path);
  if (device.startsWith('\\\\') && end >= path.length) return `${device}\\`;
  const rest = path.slice(end);
  let tail = normalParts(rest.split(SEPARATORS), !absolute).join('\\');
  if (tail === '' && !absolute) tail = '.';
  if (tail !== '' && isSlash(path, path.length - 1)) tail += '\\';
  if (!absolute && device === '' && reservedColon(path, tail)) return `.\\${tail}`;
  return `${device}${absolute ? '\\' : ''}${tail}`;
}

/** A relative path must not become one with a drive (`a/../C:`). */
function reservedColon(path: string, tail: string): boolean {
  if (!path.includes(':')) return false;
  if (DRIVE.test(tail)) return true;
  for (let index = path.indexOf(':'); index !== -1; index = path.indexOf(':', index + 1)) {
    if (index === path.length - 1 || isSlash(path, index + 1)) return true;
  }
  return false;
}

function join(...args: string[]): string {
  if (args.length === 0) return '.';
  const given = args.filter((arg) => {
    validateString(arg, 'path');
    return arg.length > 0;
  });
  const [first] = given;
  if (first === undefined) return '.';
  let joined = given.join('\\');
  // Two slashes at the start are a share's only when the first part itself has them.
  const slashes = /^[\\/]*/.exec(first)?.[0].length ?? 0;
  const share = slashes === 2 && first.length > 2;
  if (!share || slashes > 2) joined = joined.replace(/^[\\/]{2,}/, '\\');
  return normalize(joined);
}

function currentFolder(device: string): string {
  const folder = process.cwd();
  if (device === '') return folder;
  const own = process.env[`=${device}`] ?? folder;
  return own.slice(0, 2).toLowerCase() !== device.toLowerCase() && own.charAt(2) === '\\' ? `${device}\\` : own;
}

function resolve(...args: string[]): string {
  let device = '';
  let tail = '';
  let absolute = false;
  for (let index = args.length - 1; index >= -1; index -= 1) {
    let path: string;
    if (index >= 0) {
      const given = args[index];
      validateString(given, `paths[${index}]`);
      if (given.length === 0) continue;
      path = given;
    } else {
      path = currentFolder(device);
    }
    const root = rootOf(path);
    if (root.device !== '') {
      if (device !== '' && root.device.toLowerCase() !== device.toLowerCase()) continue;
      device ||= root.device;
    }
    if (!absolute) {
      tail = `${path.slice(root.end)}\\${tail}`;
      absolute = root.absolute;
    }
    if (absolute && device !== '') break;
  }
  const normal = normalParts(tail.split(SEPARATORS), !absolute).join('\\');
  return absolute ? `${device}\\${normal}` : `${device}${normal}` || '.';
}

function relative(from: string, to: string): string {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const [start, end] = [resolve(from), resolve(to)];
  if (start.toLowerCase() === end.toLowerCase()) return '';
  const parts = (path: string): string[] => path.split('\\').filter((part) => part !== '');
  const [a, b] = [parts(start), parts(end)];
  let common = 0;
  while (common < a.length && common < b.length && a[common]?.toLowerCase() === b[common]?.toLowerCase()) common += 1;
  if (common === 0 && a.length > 0 && b.length > 0) return end;
  return [...a.slice(common).fill('..'), ...b.slice(common)].join('\\');
}

function toNamespacedPath(path: unknown): unknown {
  if (typeof path !== 'string' || path.length === 0) return path;
  const resolved = resolve(path);
  if (resolved.length <= 2) return path;
  if (/^\\\\[^?.]/.test(resolved)) return `\\\\?\\UNC\\${resolved.slice(2)}`;
  return /^[a-zA-Z]:\\/.test(resolved) ? `\\\\?\\${resolved}` : resolved;
}

/** The part of a path that is kept as its root: `C:\`, `C:`, `\\server\share\`, `\`. */
function rootText(path: string): string {
  const share = SHARE.exec(path);
  if (share !== null) return path.slice(0, share[0].length + (isSlash(path, share[0].length) ? 1 : 0));
  if (isSlash(path, 0)) return path.slice(0, 1);
  return DRIVE.test(path) ? path.slice(0, isSlash(path, 2) ? 3 : 2) : '';
}

function withoutTrailing(path: string, from: number): number {
  let end = path.length;
  while (end > from && isSlash(path, end - 1)) end -= 1;
  return end;
}

/** Where the last part starts, not before `from`. */
function lastStart(path: string, from: number, end: number): number {
  let start = end;
  while (start > from && !isSlash(path, start - 1)) start -= 1;
  return start;
}

function dirname(path: string): string {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSlash(path, 0) ? path : '.';
  const root = rootText(path);
  const end = withoutTrailing(path, root.length);
  if (end <= root.length) return root === '' ? '.' : root;
  const start = lastStart(path, root.length, end);
  if (start <= root.length) return root === '' ? '.' : root;
  return path.slice(0, start - 1);
}

function lastPart(path: string): [start: number, part: string] {
  const from = DRIVE.test(path) ? 2 : 0;
  const end = withoutTrailing(path, from);
  const start = lastStart(path, from, end);
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
  const root = rootText(path);
  const end = withoutTrailing(path, root.length);
  const start = lastStart(path, root.length, end);
  const base = path.slice(start, end);
  const dot = extensionStart(base);
  const dir = start > root.length ? path.slice(0, start - 1) : root;
  return { root, dir, base, ext: base.slice(dot), name: base.slice(0, dot) };
}

export const win32 = {
  resolve,
  normalize,
  isAbsolute(path: string): boolean {
    validateString(path, 'path');
    return isSlash(path, 0) || (DRIVE.test(path) && isSlash(path, 2));
  },
  join,
  relative,
  toNamespacedPath,
  dirname,
  basename,
  extname,
  format: (pathObject: Pieces): string => formatted('\\', pathObject),
  parse,
  matchesGlob: (path: string, pattern: string): boolean => later<typeof import('./glob.later.ts')>().matchesGlob(path, pattern, 'win32'),
  sep: '\\',
  delimiter: ';',
  win32: null as unknown,
  posix: null as unknown,
  _makeLong: toNamespacedPath,
};
win32.win32 = win32;
