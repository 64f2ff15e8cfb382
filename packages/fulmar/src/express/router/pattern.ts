/**
 * A path pattern as registered, compiled once: how it is matched afterwards depends on its kind, and only
 * what cannot be walked segment by segment ever becomes a regular expression. Never looks at a request; never
 * keeps state per request.
 */
import { parse, type Token } from 'path-to-regexp';
import type { Params } from '../message-types.ts';
import { createMatcher } from './matcher.ts';
import { decodeParam, loosen } from './path-text.ts';

/** What a match yields: the matched part of the path and the values of its parameters. */
export interface PathMatch {
  readonly params: Params;
  readonly path: string;
}

export interface PatternOptions {
  readonly sensitive?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly end?: boolean | undefined;
}

export type Matcher = (path: string) => PathMatch | false;

/** Text pieces and parameter names of a walkable pattern, alternating and starting with text. */
export interface Walk {
  /** Path segments, lower case unless case matters; `null` stands for a parameter. */
  readonly segments: readonly (string | null)[];
  /** Length of the text before each parameter, then of the text after the last one. */
  readonly textLengths: readonly number[];
  readonly names: readonly string[];
  /** A strict pattern that ends with a slash matches only paths that do. */
  readonly endsWithSlash: boolean;
}

const NON_ASCII = /[^\x20-\x7e]/;
/** Text and `:name`, which need no parser. */
const PLAIN = /^(?:[^{}()[\]+?!*:\\]|:[A-Za-z_$][\w$]*)*$/;
const PIECE = /:([\w$]+)|[^:]+/g;

/** What the index knows of a path pattern. */
export interface IndexedPattern {
  readonly options: PatternOptions;
  /** Present when the pattern is text and whole-segment parameters only. */
  readonly walk: Walk | null;
}

/** One path of a layer. */
export class PathPattern implements IndexedPattern {
  readonly raw: unknown;
  readonly options: PatternOptions;
  readonly walk: Walk | null;
  #matcher: Matcher | null;

  constructor(raw: unknown, options: PatternOptions) {
    this.raw = raw;
    this.options = options;
    this.#matcher = null;
    this.walk = typeof raw === 'string' ? toWalk(raw, options) : null;
    // Anything else is compiled now, because a wrong pattern must throw where it is registered.
    if (this.walk === null) this.#matcher = createMatcher(raw, options);
  }

  /** The regular expression behind the pattern, made when first needed. */
  get matcher(): Matcher {
    return (this.#matcher ??= createMatcher(this.raw, this.options));
  }
}

/** Writes the values of a walkable pattern's parameters, in a path it is known to match, into `params`. */
export function walkParams(walk: Walk, path: string, params: Params): Params {
  const { names, textLengths } = walk;
  let at = 0;
  for (let i = 0; i < names.length; i++) {
    at += textLengths[i] as number;
    let end = path.indexOf('/', at);
    if (end === -1) end = path.length;
    params[names[i] as string] = decodeParam(path.slice(at, end));
    at = end;
  }
  return params;
}

/** Length of the part of `path` that a walkable prefix pattern, known to match, takes. */
export function walkPrefixLength(walk: Walk, path: string): number {
  const { names, textLengths } = walk;
  let at = 0;
  for (let i = 0; i < names.length; i++) {
    at = path.indexOf('/', at + (textLengths[i] as number));
    if (at === -1) return path.length;
  }
  at += textLengths[names.length] as number;
  // A single slash that ends the path belongs to the match.
  return at === path.length - 1 ? path.length : at;
}

function toWalk(raw: string, options: PatternOptions): Walk | null {
  const text = options.strict ? raw : loosen(raw);
  if (text.charCodeAt(0) !== 0x2f || text.includes('//') || NON_ASCII.test(text)) return null;
  const names: string[] = [];
  const textLengths: number[] = [];
  let shape = '';
  let pending = 0;
  let afterParam = false;
  for (const token of tokensOf(text)) {
    if (token.type === 'text') {
      if (afterParam && !token.value.startsWith('/')) return null;
      pending += token.value.length;
      shape += token.value;
      afterParam = false;
    } else if (token.type === 'param') {
      if (!shape.endsWith('/')) return null;
      names.push(token.name);
      textLengths.push(pending);
      pending = 0;
      // NUL cannot be part of a pattern that gets here: it marks the parameter's place.
      shape += '\0';
      afterParam = true;
    } else {
      return null;
    }
  }
  textLengths.push(pending);
  if (shape.includes('//')) return null;
  const endsWithSlash = shape.length > 1 && shape.endsWith('/');
  // `use('/x/')` is loosened before it gets here, so only `use(['/'])` does: it takes '/' alone, an oddity
  // left to the regular expression.
  if (shape.endsWith('/') && options.end === false) return null;
  const parts = (endsWithSlash ? shape.slice(1, -1) : shape.slice(1)).split('/');
  const segments = parts.map((part) => (part === '\0' ? null : options.sensitive ? part : part.toLowerCase()));
  return { segments, textLengths, names, endsWithSlash };
}

function tokensOf(text: string): readonly Token[] {
  if (!PLAIN.test(text)) return parse(text).tokens;
  if (!text.includes(':')) return [{ type: 'text', value: text }];
  return Array.from(text.matchAll(PIECE), ([value, name]): Token =>
    name === undefined ? { type: 'text', value } : { type: 'param', name },
  );
}
