/**
 * Path patterns of version 4 (R1): path-to-regexp 0.1, as upstream. Patterns of text and whole-segment
 * parameters also get a walk, so that the index answers for them without their expression. Runs at
 * registration.
 */
import pathToRegexp from 'path-to-regexp4';
import type { IndexedPattern, PatternOptions, Walk } from '../router/pattern.ts';

/** A named or numbered group of an expression. */
export type Key = pathToRegexp.Key;

/** Upstream marks some expressions, so that they need not run. */
export type LayerExpression = RegExp & { fast_star?: boolean; fast_slash?: boolean };

/**
 * Segments of text or `:name`. Text has no character that means something to path-to-regexp or in an
 * expression; a dot is literal in 0.1. What is matched so by segments is matched so by the expression.
 */
const WALKABLE = /^(?:\/(?:[\w.~!@,;=&%'-]+|:\w+))+\/?$|^\/$/;
const SEGMENT = /:(\w+)|[^/]+/g;

export function compilePath(path: unknown, keys: Key[], options: PatternOptions): LayerExpression {
  return pathToRegexp(path, keys, options);
}

/** What the index is to know of a path; the path may be a list. */
export function toIndexedPatterns(path: unknown, options: PatternOptions): readonly IndexedPattern[] {
  // An empty list makes an expression that matches everything.
  const paths: readonly unknown[] = Array.isArray(path) && path.length !== 0 ? path : [path];
  return paths.map((item) => ({ options, walk: typeof item === 'string' ? toWalk(item, options) : null }));
}

export function toWalk(path: string, options: PatternOptions): Walk | null {
  if (!WALKABLE.test(path)) return null;
  const isRoot = path === '/';
  // `use(['/'])` takes a slash of some paths and none of others: left to the expression.
  if (isRoot && options.end === false) return null;
  const names: string[] = [];
  const textLengths: number[] = [];
  const segments: (string | null)[] = [];
  let pending = 0;
  for (const [segment, name] of path.matchAll(SEGMENT)) {
    pending++;
    if (name === undefined) {
      pending += segment.length;
      segments.push(options.sensitive ? segment : segment.toLowerCase());
    } else {
      names.push(name);
      textLengths.push(pending);
      pending = 0;
      segments.push(null);
    }
  }
  const endsWithSlash = Boolean(options.strict) && !isRoot && path.endsWith('/');
  textLengths.push(endsWithSlash || isRoot ? pending + 1 : pending);
  if (isRoot) segments.push('');
  return { segments, textLengths, names, endsWithSlash };
}
