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

/** A last part without a suffix that is not all of it. */
export function withoutSuffix(base: string, suffix: string | undefined): string {
  if (suffix === undefined || suffix === '' || base === suffix || !base.endsWith(suffix)) return base;
  return base.slice(0, -suffix.length);
}
