/**
 * A route among others: does it take a request, by its path, its host and its version? In the order in which they
 * were registered, as Express looks; the app's table finds the first candidate in one step.
 */
import { pathToRegexp } from 'path-to-regexp';
import type { AnyContext } from '../../app/index.ts';
import { BadRequestException } from '../exceptions/family.ts';
import type { GoOn, Run } from '../pipeline/run.ts';
import type { Cover } from './path-cover.ts';

export type HostMatch = (hostname: string) => Readonly<Record<string, string>> | null;
export type VersionMatch = (c: AnyContext) => boolean;

export interface Entry {
  readonly index: number;
  /** `*`: all. */
  readonly method: string;
  readonly path: string;
  readonly name: string;
  /** The controller's own method, for lists that say where it stands. */
  readonly target: unknown;
  readonly covers: readonly Cover[];
  readonly isExact: boolean;
  readonly host: HostMatch | null;
  readonly version: VersionMatch | null;
  /** Both are put together when one is first called. */
  run: Run;
  goOn: GoOn;
  readonly matcher: PathMatcher;
}

type Params = Readonly<Record<string, string | string[]>>;

interface Expression {
  readonly regexp: RegExp;
  readonly keys: readonly { readonly name: string; readonly type: string }[];
}

/** The path's own expression, compiled when somebody needs it. */
export class PathMatcher {
  readonly #path: string;
  #compiled: Expression | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  get #expression(): Expression {
    return (this.#compiled ??= pathToRegexp(this.#path, { sensitive: false, trailing: true }));
  }

  test(pathname: string): boolean {
    return this.#expression.regexp.test(pathname);
  }

  /** Null: another path. @throws BadRequestException for a value that cannot be decoded */
  params(pathname: string): Params | null {
    const { regexp, keys } = this.#expression;
    const found = regexp.exec(pathname);
    if (found === null) return null;
    const params = Object.create(null) as Record<string, string | string[]>;
    for (const [at, { name, type }] of keys.entries()) {
      const value = found[at + 1];
      if (value === undefined) continue;
      params[name] = type === 'wildcard' ? value.split('/').map(decoded) : decoded(value);
    }
    return params;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new BadRequestException(`Failed to decode param '${value}'`, { cause });
  }
}
