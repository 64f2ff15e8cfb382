/**
 * What both kinds of paths share.
 */
import { validateObject } from '../shared/validators.ts';

export interface ParsedPath {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}

export type Pieces = Partial<ParsedPath>;

/** `a/./b//../c` by its parts: `['a', 'c']`; `..` that leads above is kept when `above`. */
export function normalParts(parts: readonly string[], above: boolean): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (above) kept.push('..');
  }
  return kept;
}

export function formatted(sep: string, pathObject: Pieces): string {
  validateObject(pathObject, 'pathObject');
  const dir = pathObject.dir || pathObject.root;
  const { ext } = pathObject;
  const base = pathObject.base || `${pathObject.name || ''}${ext ? `${ext.startsWith('.') ? '' : '.'}${ext}` : ''}`;
  if (!dir) return base;
  return dir === pathObject.root ? dir + base : dir + sep + base;
}

/** Where the extension of a last part starts; its length when it has none. */
export function extensionStart(base: string): number {
  const dot = base.lastIndexOf('.');
  return dot <= 0 || base === '..' ? base.length : dot;
}

/** What `basename` says of `last`, the last part of `path`, which starts at `start`. */
export function baseOf(path: string, suffix: string | undefined, start: number, last: string): string {
  if (suffix === undefined || suffix === '') return last;
  if (suffix === path) return '';
  if (last === suffix) return last;
  if (last.endsWith(suffix)) return last.slice(0, -suffix.length);
  // Node's answer where the suffix goes on in front of the last part: what follows that, slashes, stays.
  return suffix.endsWith(last) && suffix.length <= path.length ? path.slice(start) : last;
}
