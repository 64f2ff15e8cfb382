/** What is told of a source beside what cannot be compiled, and where. */

export type RuleName = 'typed-routes' | 'no-unreachable-union';

/** Lines from 1, columns from 0, as ESLint has them. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  readonly rule: RuleName;
  readonly message: string;
  readonly start: Place;
  readonly end: Place;
}
