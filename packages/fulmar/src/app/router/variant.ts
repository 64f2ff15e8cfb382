/**
 * What a pattern means once its optional parameters are there or not: '/a/:b?/:c?' is '/a/:b/:c', '/a/:b' and
 * '/a'. Each variant is one place in the tree of routes, and two routes are alike when variants of theirs
 * are.
 */
import { namesOf, type Segment } from './pattern.ts';

export interface Variant {
  readonly segments: readonly Segment[];
  readonly names: readonly string[];
  /** Of variants that end at one place of the tree, the lowest is taken (`rankOf`). */
  readonly rank: number;
  readonly isText: boolean;
}

/** More than any pattern has optional parameters: each takes two characters at least of a string's length. */
const WILDCARD_RANK = 2 ** 30;
const SPECIAL = /[:*\\]/;
const ROOT: Segment = { kind: 'text', text: '' };

/**
 * The variants of a pattern. With `isStrict` false, '/a/' is '/a', and a wildcard may be left out with its
 * slash.
 */
export function variantsOf(written: readonly Segment[], isStrict: boolean): readonly Variant[] {
  const pattern = isStrict ? written : withoutTrailingSlash(written);
  const last = pattern.at(-1);
  const rest = last?.kind === 'rest' ? last : undefined;
  const fixed = rest === undefined ? pattern : pattern.slice(0, -1);
  let optionals = 0;
  for (const segment of fixed) if (segment.kind === 'parameter' && segment.isOptional) optionals += 1;
  const variants: Variant[] = [];
  for (let absent = 0; absent <= optionals; absent++) {
    const there = absent === 0 ? fixed : fixed.slice(0, fixed.length - absent);
    const rank = rankOf(absent, rest !== undefined);
    if (rest === undefined) variants.push(createVariant(there.length === 0 ? [ROOT] : there, namesOf(there), rank));
    else variants.push(createVariant([...there, rest], namesOf([...there, rest]), rank));
    if (rest !== undefined && !isStrict && there.length > 0) variants.push(createVariant(there, namesOf([...there, rest]), rank));
  }
  return variants;
}

/**
 * A parameter that is left out comes before a wildcard in its place, and behind nothing at all: '/a' before
 * '/a/:b?' before '/a/:b?/:c?', but '/a/:b?/:c?/*d' before '/a/:b?/*d' before '/a/*d'.
 */
function rankOf(absent: number, hasRest: boolean): number {
  return hasRest ? WILDCARD_RANK - absent : absent;
}

function createVariant(segments: readonly Segment[], names: readonly string[], rank: number): Variant {
  return { segments, names, rank, isText: names.length === 0 };
}

/** The same for variants that nothing can tell apart. */
export const shapeOf = ({ segments, rank }: Variant): string => textOfSegments(segments) + (rank === 0 ? '' : ` ${rank}`);

function withoutTrailingSlash(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  return segments.length > 1 && last?.kind === 'text' && last.text === '' ? segments.slice(0, -1) : segments;
}

function textOfSegments(segments: readonly Segment[]): string {
  let shape = '';
  for (const segment of segments) {
    if (segment.kind === 'text') shape += `/${escapeText(segment.text)}`;
    else if (segment.kind === 'mixed') shape += `/${segment.texts.map(escapeText).join(':')}`;
    else shape += segment.kind === 'rest' ? '/*' : '/:';
  }
  return shape;
}

function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[:*\\]/g, '\\$&') : text;
}

/** The path of a variant without parameters, in the common spelling. */
export function textOf(segments: readonly Segment[]): string {
  let path = '';
  for (const segment of segments) if (segment.kind === 'text') path += `/${segment.text}`;
  return path;
}
