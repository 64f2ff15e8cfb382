/**
 * What the probe writes and the command reads. Types, and the choice among the routes.
 */

export interface FoundRoute {
  readonly method: string;
  readonly path: string;
  /** It holds parameters or wildcards: only the user knows values that work. */
  readonly needsValues: boolean;
}

export interface ProbeResult {
  readonly frameworks: readonly string[];
  readonly routes: readonly FoundRoute[];
}

/** Paths that can be asked for as they stand, each once, in order of registration. */
export function plainPaths({ routes }: ProbeResult): string[] {
  const paths = routes.filter(({ method, needsValues }) => method === 'GET' && !needsValues).map(({ path }) => path);
  return [...new Set(paths)];
}

/** Patterns of GET routes that need values. */
export function patternsOf({ routes }: ProbeResult): string[] {
  const paths = routes.filter(({ method, needsValues }) => method === 'GET' && needsValues).map(({ path }) => path);
  return [...new Set(paths)];
}
