/** Options of the plugin, and what follows from them at once: which requests are the app's. */
import { checkOptions, type Checks } from '../app/checked-options.ts';

export interface FulmarOptions {
  /** The module that exports the app, from the root of Vite on. */
  readonly entry: string;
  /** Where the app answers: a path with all below it, or several. Default: `/api`. */
  readonly path?: string | readonly string[];
}

export interface Settings {
  readonly entry: string;
  readonly paths: readonly string[];
}

const isPath = (value: unknown): boolean => typeof value === 'string' && /^\/[^?#]*[^/?#]$/.test(value);

const CHECKS: Checks<FulmarOptions> = {
  entry: [(value) => typeof value === 'string' && value !== '', "the module that exports the app, such as 'server/app.ts'"],
  path: [
    (value) => isPath(value) || (Array.isArray(value) && value.length > 0 && value.every(isPath)),
    "a path such as '/api', or a list of paths",
  ],
};

/** @throws TypeError for an option that is none, or is something else than it may be */
export function toSettings(options: FulmarOptions): Settings {
  checkOptions('fulmar', options, CHECKS);
  if (options.entry === undefined)
    throw new TypeError("fulmar() needs the module that exports the app: fulmar({ entry: 'server/app.ts' }).");
  return { entry: options.entry, paths: [options.path ?? '/api'].flat() };
}

/** Is the target at one of the paths, or below it? */
export function isBelow(target: string, paths: readonly string[]): boolean {
  return paths.some((path) => target.startsWith(path) && (target.length === path.length || '/?'.includes(target.charAt(path.length))));
}
