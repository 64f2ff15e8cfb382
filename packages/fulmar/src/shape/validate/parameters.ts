/** Issues of a list of parameters that are judged one by one: the first step of a path is the parameter's number. */
import type { Issue } from './rule-types.ts';

export function tooMany(given: number, taken: number): Issue {
  const [expected, received] = [`${taken} parameters`, `${given}`];
  return { path: [], expected, received, message: `Expected ${expected}, received ${received}.` };
}

export const ofParameter = <One extends { readonly path: readonly (string | number)[] }>(at: number, issues: readonly One[]): One[] =>
  issues.map((issue) => ({ ...issue, path: [at, ...issue.path] }));
