/**
 * A path as controllers write it (path-to-regexp's syntax, as in Express) in patterns of the app's table: together they
 * take every path that it takes. Where they take more, or order matters, the path's own expression decides.
 */
import { parse, type Token } from 'path-to-regexp';

/** `rest`: one or more segments. */
export type CoverSegment = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'parameter' | 'part' | 'rest' };

export interface Cover {
  readonly pattern: string;
  readonly segments: readonly CoverSegment[];
  /** The pattern takes nothing else, and its parameters are those of the path. */
  readonly isExact: boolean;
}

/** Optional groups are written out; more than that many and the path is looked for by its expression alone. */
const VARIANTS_MAX = 64;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** What older sources write for wildcards, as Nest still takes it. */
export function convertLegacy(path: string): string {
  const ended = path.endsWith('/') ? path : `${path}/`;
  if (ended.endsWith('/(.*)/')) return path.replace('(.*)', '{*path}');
  if (ended.endsWith('/*/')) return path.replace('*', '{*path}');
  if (ended.endsWith('/+/')) return path.replace('/+', '/*path');
  return ended.includes('/*/') ? path.replaceAll(/\/\*(?=\/)/g, (_match, at: number) => `/*path${at}`) : path;
}

/** Texts and parameters that are whole segments: what most paths are. */
const SIMPLE = /^(?:\/(?::[A-Za-z_$][\w$]*|[\w.~%-]+))+$/;

/** Null: it has more to it. */
function simpleCover(path: string): Cover | null {
  if (!SIMPLE.test(path)) return null;
  const parts = path.slice(1).split('/');
  const names = parts.filter((part) => part.startsWith(':'));
  if (new Set(names).size < names.length) return null;
  const segments = parts.map((part): CoverSegment =>
    part.startsWith(':') ? { kind: 'parameter' } : { kind: 'text', text: part.toLowerCase() },
  );
  return { pattern: path, segments, isExact: true };
}

/** @throws TypeError for what is no path */
export function coversOf(path: string): Cover[] {
  const simple = simpleCover(path);
  if (simple !== null) return [simple];
  const variants = expand(parse(path).tokens);
  return variants.length > VARIANTS_MAX ? [coverOf([{ type: 'wildcard', name: 'path' }])] : variants.map(coverOf);
}

type Flat = Exclude<Token, { type: 'group' }>;

function expand(tokens: readonly Token[]): Flat[][] {
  let all: Flat[][] = [[]];
  for (const token of tokens) {
    const ways = token.type === 'group' ? [[], ...expand(token.tokens)] : [[token]];
    all = all.flatMap((before) => ways.map((way) => [...before, ...way]));
    if (all.length > VARIANTS_MAX) return all;
  }
  return all;
}

function coverOf(tokens: readonly Flat[]): Cover {
  const segments: CoverSegment[] = [];
  const written: string[] = [];
  const names = new Set<string>();
  let isExact = true;
  const all = split(tokens);
  for (const [at, parts] of all.entries()) {
    const [only] = parts;
    // The table knows no `//a`, which is left of `{*path}/a` without its group.
    const isDoubled = parts.length === 0 && at === 0 && all.length > 1;
    if (isDoubled || parts.some(({ type }) => type === 'wildcard')) {
      segments.push({ kind: 'rest' });
      written.push('*');
      isExact = false;
      break;
    }
    if (parts.length === 0 || (parts.length === 1 && only?.type === 'text')) {
      const text = only?.type === 'text' ? only.value : '';
      if (text === '' && segments.length > 0) continue;
      segments.push({ kind: 'text', text: text.toLowerCase() });
      written.push(text.replaceAll(/[:*?\\]/g, String.raw`\$&`));
      continue;
    }
    const name = only?.type === 'param' && parts.length === 1 ? only.name : null;
    const isOwn = name !== null && NAME.test(name) && !names.has(name);
    if (isOwn) names.add(name);
    else isExact = false;
    segments.push({ kind: name === null ? 'part' : 'parameter' });
    written.push(`:${isOwn ? name : `p${segments.length}`}`);
  }
  return { pattern: `/${written.join('/')}`, segments, isExact };
}

/** By the slashes of texts. */
function split(tokens: readonly Flat[]): Flat[][] {
  const segments: Flat[][] = [];
  for (const token of tokens) {
    if (token.type !== 'text') {
      if (segments.length === 0) segments.push([]);
      segments.at(-1)?.push(token);
      continue;
    }
    for (const [at, text] of token.value.split('/').entries()) {
      if (at > 0) segments.push([]);
      if (text !== '') {
        if (segments.length === 0) segments.push([]);
        segments.at(-1)?.push({ type: 'text', value: text });
      }
    }
  }
  return segments.length === 0 ? [[]] : segments;
}

/** Of `/`: no parameter is empty. */
const isNothing = (segment: CoverSegment | undefined): boolean => segment === undefined || (segment.kind === 'text' && segment.text === '');

export type Relation = 'apart' | 'over' | 'under' | 'across' | 'alike';

/** What `one` is to `other`: takes all that it takes, is part of it, shares some. */
export function relationOf(one: readonly CoverSegment[], other: readonly CoverSegment[]): Relation {
  let isOver = true;
  let isUnder = true;
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const left = one[at];
    const right = other[at];
    if (left?.kind === 'rest' || right?.kind === 'rest') {
      if (isNothing(left) || isNothing(right)) return 'apart';
      if (left?.kind !== 'rest') isOver = false;
      if (right?.kind !== 'rest') isUnder = false;
      break;
    }
    if (left === undefined || right === undefined) return 'apart';
    if (left.kind === 'text' && right.kind === 'text') {
      if (left.text !== right.text) return 'apart';
      continue;
    }
    if (isNothing(left) || isNothing(right)) return 'apart';
    if (left.kind !== 'parameter') isOver = false;
    if (right.kind !== 'parameter') isUnder = false;
  }
  if (isOver && isUnder) return 'alike';
  return isOver ? 'over' : isUnder ? 'under' : 'across';
}
