/**
 * From the path of a URL to a file's, contained: nothing leads out of the root, whatever it is written as.
 * Pure; asks no file system, so that links within the root are followed.
 */
import path from 'node:path';
import type { NormalOptions } from './send-options.ts';

/** A path with a component that goes up. */
const UP_PATH = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/** The file's path, or the status that refuses it. */
export function resolvePath(text: string, { root, dotfiles }: Pick<NormalOptions, 'root' | 'dotfiles'>): string | number {
  let file = decode(text);
  if (file === undefined || file.includes('\0')) return 400;
  let parts: string[];
  if (root !== null) {
    if (file) file = path.normalize(`.${path.sep}${file}`);
    if (UP_PATH.test(file)) return 403;
    parts = file.split(path.sep);
    file = path.normalize(path.join(root, file));
  } else {
    if (UP_PATH.test(file)) return 403;
    parts = path.normalize(file).split(path.sep);
    file = path.resolve(file);
  }
  if (dotfiles !== 'allow' && parts.some(isDotfile)) {
    if (dotfiles === 'deny') return 403;
    if (dotfiles === 'ignore' || (parts.at(-1) as string)[0] === '.') return 404;
  }
  return file;
}

function isDotfile(part: string): boolean {
  return part.length > 1 && part[0] === '.';
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
