/**
 * What an issue says beside its message: what was expected, as far as its library tells, and what came. A
 * value is never among it: it may be a secret, and it may be long.
 */
import type { StandardIssue } from './standard-schema.ts';

const WORDS_MAX = 200;

export interface IssueWords {
  readonly expected?: string;
  readonly received?: string;
}

/** Members by which libraries tell: zod's `values` and `format`, everybody's `expected`. */
interface Telling {
  readonly expected?: unknown;
  readonly received?: unknown;
  readonly values?: unknown;
  readonly format?: unknown;
  readonly pattern?: unknown;
  /** Of zod: what has the bound, and the bound. */
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
}

/** `value`: what was given to the schema; `path`: of the issue. `isOwn`: the issue is our own, which says what came itself. */
export function wordsOf(issue: StandardIssue, value: unknown, path: readonly (string | number)[], isOwn: boolean): IssueWords {
  const telling = issue as Telling;
  const expected = expectedOf(telling);
  if (expected === undefined) return {};
  const received = isOwn && typeof telling.received === 'string' ? telling.received : kindAt(value, path);
  return { expected: expected.length > WORDS_MAX ? `${expected.slice(0, WORDS_MAX)}…` : expected, received };
}

function expectedOf(telling: Telling): string | undefined {
  const { expected, values, format } = telling;
  if (typeof expected === 'string' && expected !== '') return expected;
  if (Array.isArray(values))
    return values.map((value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' | ');
  if (format === 'regex' && typeof telling.pattern === 'string') return `string matching ${telling.pattern}`;
  return typeof format === 'string' ? format : boundOf(telling);
}

function boundOf({ origin, minimum, maximum, inclusive }: Telling): string | undefined {
  const equal = inclusive === false ? '' : '=';
  if (typeof origin !== 'string') return undefined;
  if (typeof minimum === 'number') return `${origin} >${equal} ${minimum}`;
  return typeof maximum === 'number' ? `${origin} <${equal} ${maximum}` : undefined;
}

function kindAt(value: unknown, path: readonly (string | number)[]): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return 'undefined';
    found = (found as Record<string | number, unknown>)[key];
  }
  if (found === null) return 'null';
  return Array.isArray(found) ? 'array' : typeof found;
}
