/**
 * URLs of files and their paths.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { validateString } from '../shared/validators.ts';
import { Buffer } from '../buffer/class.ts';

interface FileOptions {
  readonly windows?: boolean;
}

function isUrl(value: unknown): value is URL {
  const url = value as { href?: unknown; protocol?: unknown; auth?: unknown; path?: unknown } | null | undefined;
  return Boolean(url?.href && url.protocol && url.auth === undefined && url.path === undefined);
}

function fileUrl(path: unknown): URL {
  const url = typeof path === 'string' ? new URL(path) : path;
  if (!isUrl(url)) throw invalidArgType('path', ['string', 'URL'], url);
  if (url.protocol !== 'file:') throw coded(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  return url;
}

function wrongPath(reason: string, input: URL): Error {
  return Object.assign(coded(TypeError, 'ERR_INVALID_FILE_URL_PATH', `File URL path ${reason}`), { input });
}

function windowsPath(url: URL): string {
  if (/%2f|%5c/i.test(url.pathname)) throw wrongPath('must not include encoded \\ or / characters', url);
  const path = decodeURIComponent(url.pathname.replaceAll('/', '\\'));
  if (url.hostname !== '') return `\\\\${ops.domainToUnicode(url.hostname)}${path}`;
  if (!/^\\[a-zA-Z]:/.test(path)) throw wrongPath('must be absolute', url);
  return path.slice(1);
}

function checkLocal(url: URL): void {
  if (url.hostname === '') return;
  throw coded(TypeError, 'ERR_INVALID_FILE_URL_HOST', `File URL host must be "localhost" or empty on ${process.platform}`);
}

export function fileURLToPath(path: unknown, options?: FileOptions): string {
  const url = fileUrl(path);
  if (options?.windows === true) return windowsPath(url);
  checkLocal(url);
  const { pathname } = url;
  if (/%2f/i.test(pathname)) throw wrongPath('must not include encoded / characters', url);
  return pathname.includes('%') ? decodeURIComponent(pathname) : pathname;
}

export function fileURLToPathBuffer(path: unknown, options?: FileOptions): Uint8Array {
  const url = fileUrl(path);
  if (options?.windows === true) return Buffer.from(windowsPath(url));
  checkLocal(url);
  const text = Buffer.from(url.pathname).toString('latin1');
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Characters of a path that would mean something else in a URL. */
const IN_PATH = /[%\\\n\r\t?#[\]^|~]/g;

export function pathToFileURL(path: unknown, options?: FileOptions): URL {
  validateString(path, 'path');
  const paths = process.getBuiltinModule('node:path');
  const windows = options?.windows === true;
  const share = windows && path.startsWith('\\\\');
  let resolved = share ? path : windows ? paths.win32.resolve(path) : paths.posix.resolve(path);
  const slashed = path.endsWith('/') || (windows && path.endsWith('\\'));
  if (!share && slashed && !resolved.endsWith(windows ? '\\' : '/')) resolved += '/';
  let host = '';
  if (share) {
    const start = resolved.startsWith('\\\\?\\UNC\\') ? 8 : 2;
    const end = resolved.indexOf('\\', start);
    if (end === -1) throw invalidArgValue('path', resolved, 'Missing UNC resource path');
    if (end === 2) throw invalidArgValue('path', resolved, 'Empty UNC servername');
    host = resolved.slice(start, end);
    resolved = resolved.slice(end);
  }
  if (windows) resolved = resolved.replaceAll('\\', '/');
  const escaped = resolved.replace(IN_PATH, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  return new URL(`file://${host}${windows && host === '' && !escaped.startsWith('/') ? '/' : ''}${escaped}`);
}
