/**
 * Does a path lie under a prefix? `/admin` has `/admin` and `/admin/x` under it, and not `/administer`.
 */

export type Under = 'always' | 'never' | 'maybe';

const isVariable = (segment: string): boolean => /[:*]/.test(segment.replaceAll(/\\./g, ''));

/** What can be said by the patterns alone. */
export function relationOf(pattern: string, prefix: string): Under {
  const route = segmentsOf(pattern);
  let result: Under = 'always';
  for (const [index, wanted] of segmentsOf(prefix).entries()) {
    const has = route[index];
    if (has === undefined) return 'never';
    if (has.startsWith('*')) return 'maybe';
    if (isVariable(has) && !isVariable(wanted)) result = 'maybe';
    else if (!isVariable(wanted) && has !== wanted) return 'never';
  }
  return result;
}

/** Of a path that was asked for. Parameters of the prefix stand for any segment. */
export function isUnder(pathname: string, prefix: string): boolean {
  const segments = segmentsOf(pathname);
  return segmentsOf(prefix).every((wanted, index) => {
    const has = segments[index];
    return has !== undefined && (isVariable(wanted) ? has !== '' : has === wanted);
  });
}

/** Without the empty ones at both ends. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/** `/a/` and `/b` make `/a/b`; `/` at the end of a prefix is the prefix itself. */
export function joinPaths(prefix: string, path: string): string {
  const base = prefix.replace(/\/+$/, '');
  if (path === '/' || path === '') return base === '' ? '/' : base;
  return base + (path.startsWith('/') ? path : `/${path}`);
}
