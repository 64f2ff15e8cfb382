/** `fulmar-compiler/eslint`: rules for ESLint's flat configuration. ESLint's own types are not named. */

interface Place {
  line: number;
  column: number;
}

interface Rule {
  meta: { type: 'problem'; docs: { description: string }; schema: [] };
  create(context: {
    filename: string;
    physicalFilename: string;
    sourceCode: object;
    report(problem: { message: string; loc: { start: Place; end: Place } }): void;
  }): { Program?(): void };
}

interface Plugin {
  meta: { name: string; version: string };
  rules: Record<'typed-routes' | 'no-unreachable-union', Rule>;
}

export const meta: Plugin['meta'];
export const rules: Plugin['rules'];
export const configs: {
  /** Both rules as errors, under the names `fulmar/typed-routes` and `fulmar/no-unreachable-union`. */
  recommended: {
    name: string;
    plugins: { fulmar: Plugin };
    rules: { 'fulmar/typed-routes': 'error'; 'fulmar/no-unreachable-union': 'error' };
  };
};
