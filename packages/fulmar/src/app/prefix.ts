/**
 * Does a path lie under a prefix? `/admin` has `/admin` and `/admin/x` under it, and not `/administer`. Both are
 * compared as routes are, in the one spelling of paths: `/%61dmin` is `/admin` to middleware, too.
 */
import { toCommonSpelling } from './router/path-text.ts';

export type Under = 'always' | 'never' | 'maybe';

/** One of a pattern: text as requests are compared with it, or `null` for whatever stands there. */
type Segment = string | null;

const REST = /^\*/;
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
    if (text === null && wanted !== null) result = 'maybe';
    else if (wanted !== null && text !== wanted) return 'never';
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

/** Tells of paths that are asked for. Parameters of the prefix stand for any segment. */
export function underOf(prefix: string): (pathname: string) => boolean {
  const wanted = patternOf(prefix);
  return (pathname) => {
    const segments = segmentsOf(toCommonSpelling(pathname));
    return wanted.every((text, index) => {
      const has = segments[index];
      return has !== undefined && (text === null ? has !== '' : has === text);
    });
  };
}

const patternOf = (prefix: string): Segment[] => segmentsOf(prefix).map(spelled);

const spelled = (segment: string): Segment => (isVariable(segment) ? null : toCommonSpelling(segment.replaceAll(/\\(.)/g, '$1')));

/** Without the empty ones at both ends. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/**
 * The prefix that a path of `use()` is: `*` and `/api/*` are known from elsewhere, and there cover `/` and `/api` as
 * well. @throws TypeError for what is no path
 */
export function toPrefix(given: string): string {
  const prefix = given.replace(/\/?\*\w*$/, '') || '/';
  if (!prefix.startsWith('/') || segmentsOf(prefix).some((segment) => REST.test(segment)))
    throw new TypeError(`use() takes a path such as '/admin', and this is ${JSON.stringify(given)}.`);
  return prefix;
}

/** `/a/` and `/b` make `/a/b`; `/` at the end of a prefix is the prefix itself. */
export function joinPaths(prefix: string, path: string): string {
  const base = prefix.replace(/\/+$/, '');
  if (path === '/' || path === '') return base === '' ? '/' : base;
  return base + (path.startsWith('/') ? path : `/${path}`);
}
