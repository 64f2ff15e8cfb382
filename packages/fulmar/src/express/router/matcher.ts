/**
 * The regular expression behind a pattern that cannot be walked, and for tools that ask a layer for one.
 * Loaded when first used.
 */
import { match as compileMatch } from 'path-to-regexp';
import type { Params } from '../message-types.ts';
import { decodeParam, loosen } from './path-text.ts';
import type { Matcher, PatternOptions } from './pattern.ts';

const MATCHING_GROUP = /\((?:\?<(.*?)>)?(?!\?)/g;

export function createMatcher(raw: unknown, options: PatternOptions): Matcher {
  if (raw instanceof RegExp) return createRegExpMatcher(raw);
  const path = options.strict ? raw : loosen(raw);
  return compileMatch(path as string, {
    sensitive: options.sensitive ?? false,
    end: options.end ?? true,
    trailing: !options.strict,
    decode: decodeParam,
  }) as Matcher;
}

function createRegExpMatcher(expression: RegExp): Matcher {
  const names: (string | number)[] = [];
  let unnamed = 0;
  for (const group of expression.source.matchAll(MATCHING_GROUP)) names.push(group[1] || unnamed++);
  return (path) => {
    const found = expression.exec(path);
    if (!found) return false;
    const params: Params = {};
    for (let i = 1; i < found.length; i++) {
      const value = decodeParam(found[i]);
      if (value !== undefined) params[names[i - 1] as string] = value;
    }
    return { params, path: found[0] };
  };
}
