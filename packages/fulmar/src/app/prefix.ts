/**
 * Does a path lie under a prefix? `/admin` has `/admin` and `/admin/x` under it, and not `/administer`. Both are
 * compared as routes are, in the one spelling of paths: `/%61dmin` is `/admin` to middleware, too.
 */
import { toCommonSpelling } from './router/path-text.ts';
import { type MixedSegment, parsePattern } from './router/pattern.ts';
import { takesSegment } from './router/route-tree.ts';

export type Under = 'always' | 'never' | 'maybe';

/** One of a pattern: text as requests are compared with it, a parameter with text around it, or `null` for whatever stands there. */
type Segment = string | MixedSegment | null;

const REST = /^\*/;
/** More than a parameter alone. */
const AROUND = /^(?!:[A-Za-z_$][\w$]*\??$)(?!\*)/;
const isVariable = (segment: string): boolean => /[:*]/.test(segment.replaceAll(/\\./g, ''));

/** What can be said by the patterns alone. */
export function relationOf(pattern: string, prefix: string): Under {
  const route = segmentsOf(pattern);
  let result: Under = 'always';
  for (const [index, wanted] of patternOf(prefix).entries()) {
    const has = route[index];
    if (has === undefined) return 'never';
    if (REST.test(has)) return 'maybe';
    const text = spelled(has);
    if (wanted === null) continue;
    if (typeof text !== 'string') result = 'maybe';
    else if (!isOf(wanted, text)) return 'never';
  }
  return result;
}

/** The part of a path behind a prefix, as it was sent; null for one that does not lie under it. */
export function behindPrefix(prefix: string): (pathname: string) => string | null {
  if (prefix === '/') return (pathname) => pathname;
  const isUnder = underOf(prefix);
  const { length } = patternOf(prefix);
  return (pathname) => (isUnder(pathname) ? `/${segmentsOf(pathname).slice(length).join('/')}` : null);
}

/** Tells of paths that are asked for. Parameters of the prefix stand for any segment that has the text around them. */
export function underOf(prefix: string): (pathname: string) => boolean {
  const wanted = patternOf(prefix);
  return (pathname) => {
    const segments = segmentsOf(toCommonSpelling(pathname));
    return wanted.every((text, index) => {
      const has = segments[index];
      return has !== undefined && (text === null ? has !== '' : isOf(text, has));
    });
  };
}

/**
 * How particular a prefix is, segment by segment as the router tries them: text before a parameter with text around it, that
 * before one without. Of two prefixes that begin alike the longer one is.
 */
export const particularOf = (prefix: string): readonly number[] =>
  patternOf(prefix).map((segment) => {
    if (segment === null) return PARAMETER;
    return typeof segment === 'string' ? TEXT : TEXT - 1 / (segment.texts.join('').length + 1);
  });

const PARAMETER = 1;
const TEXT = 2;

const isOf = (wanted: string | MixedSegment, text: string): boolean =>
  typeof wanted === 'string' ? wanted === text : takesSegment(wanted, text);

const patternOf = (prefix: string): Segment[] => segmentsOf(prefix).map(spelled);

function spelled(segment: string): Segment {
  if (!isVariable(segment)) return toCommonSpelling(segment.replaceAll(/\\(.)/g, '$1'));
  if (!AROUND.test(segment)) return null;
  const [parsed] = parsePattern(`/${segment}`);
  return parsed?.kind === 'mixed' ? parsed : null;
}

/** Without the empty ones at both ends. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/**
 * The prefix that a path of `use()` is: `*` and `/api/*` are known from elsewhere, and there cover `/` and `/api` as
 * well. @throws TypeError for what is no path, RouteError for a segment that is no pattern
 */
export function toPrefix(given: string): string {
  const prefix = given.replace(/\/?\*\w*$/, '') || '/';
  if (!prefix.startsWith('/') || segmentsOf(prefix).some((segment) => REST.test(segment)))
    throw new TypeError(`use() takes a path such as '/admin', and this is ${JSON.stringify(given)}.`);
  // What is wrong with it is told here, not to a request.
  patternOf(prefix);
  return prefix;
}

/** `/a/` and `/b` make `/a/b`; `/` at the end of a prefix is the prefix itself. */
export function joinPaths(prefix: string, path: string): string {
  const base = prefix.replace(/\/+$/, '');
  if (path === '/' || path === '') return base === '' ? '/' : base;
  return base + (path.startsWith('/') ? path : `/${path}`);
}
