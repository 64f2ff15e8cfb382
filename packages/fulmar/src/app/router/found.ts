/** What a look-up answers: the route's value, and the values of its parameters, decoded once. */
import { MalformedPath } from './malformed-path.ts';
import { malformedAt, toValueSpelling } from './path-text.ts';
import type { Leaf } from './route-tree.ts';

/** Values by name, without a prototype. */
export type Params = Record<string, string>;

export interface Found<T> {
  readonly value: T;
  readonly params: Params;
}

const SLASH = 0x2f;
const { create, freeze } = Object;
const NO_PARAMS: Params = freeze(create(null) as Params);

/** For a path without parameters: one object for all requests. */
export function createTextFound<T>(value: T): Found<T> {
  return freeze({ value, params: NO_PARAMS });
}

/** `marks` has the begin and the end of each value in `path`, which has no '%'. */
export function createFound<T>({ value, names }: Leaf<T>, path: string, marks: readonly number[]): Found<T> {
  const params = create(null) as Params;
  for (let i = 0; i < names.length; i++) params[names[i] as string] = path.slice(marks[2 * i], marks[2 * i + 1]);
  return { value, params };
}

/** The same for a path with escapes, `pathname` as it was sent. Throws `MalformedPath`. */
export function createDecodedFound<T>({ value, names }: Leaf<T>, pathname: string, marks: readonly number[]): Found<T> {
  const spelling = toValueSpelling(pathname);
  const params = create(null) as Params;
  for (let i = 0; i < names.length; i++) {
    const from = marks[2 * i] as number;
    const to = marks[2 * i + 1] as number;
    const malformed = malformedAt(spelling, from);
    if (malformed !== -1 && malformed < to) throw new MalformedPath(segmentAt(pathname, spelling, malformed));
    params[names[i] as string] = decodeURIComponent(spelling.slice(from, to));
  }
  return { value, params };
}

/** The segment as it was sent: both spellings have the same slashes. */
function segmentAt(pathname: string, spelling: string, at: number): string {
  let slashes = 0;
  for (let i = 0; i < at; i++) if (spelling.charCodeAt(i) === SLASH) slashes += 1;
  return pathname.split('/')[slashes] as string;
}
