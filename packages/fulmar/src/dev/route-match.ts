/**
 * Parameters of a path where the framework has put them away by the time its last resort answers, as Express has: found
 * again by the routes there are. Only for patterns of plain segments; of others nothing is told rather than something wrong.
 */
import type { FoundRoute } from '../app/registry/index.ts';
import type { Field } from './request-log.ts';

const SEGMENTS_MAX = 64;
const PARAMETER = /^:([A-Za-z_]\w*)$/;

/** Null: no route of the method is certain to be that of the path. */
export function paramsByRoutes(routes: readonly Pick<FoundRoute, 'method' | 'path'>[], method: string, target: string): Field[] | null {
  const segments = segmentsOf(target.split('?', 1)[0] as string);
  if (segments.length > SEGMENTS_MAX) return null;
  for (const route of routes) {
    if (route.method !== '*' && route.method !== method) continue;
    const found = matched(segmentsOf(route.path), segments);
    if (found !== null) return found;
  }
  return null;
}

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

function matched(pattern: readonly string[], segments: readonly string[]): Field[] | null {
  if (pattern.length !== segments.length) return null;
  const fields: Field[] = [];
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] as string;
    const name = PARAMETER.exec(part)?.[1];
    if (name !== undefined && segment !== '') fields.push([name, decoded(segment)]);
    else if (part !== segment) return null;
  }
  return fields;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
