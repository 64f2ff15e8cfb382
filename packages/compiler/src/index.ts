/**
 * `fulmar-compiler`, as `fulmar run`, `fulmar build` and `fulmar/register` find it: what was compiled before
 * comes from the cache, and TypeScript is loaded for the rest.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cacheKey, readKept, typescriptVersion, writeKept } from './cache.ts';
import { findConfig } from './program/config.ts';

export interface Compiled {
  readonly code: string;
  /** Files besides the source that it was made of: whoever watches the source watches them, too. */
  readonly files: readonly string[];
  readonly map: {
    readonly version: number;
    readonly mappings: string;
    readonly names: readonly string[];
    readonly sources: readonly string[];
    readonly sourcesContent?: readonly (string | null)[] | undefined;
  };
}

const require = createRequire(__filename);

/**
 * The source with code for the types that it uses; `undefined` where it uses none. `cache`: a folder of the
 * caller's that is nobody else's to write. @throws SyntaxError for types that have no form outside of a program
 */
export function compile(file: string, text: string, cache: string | null): Compiled | undefined {
  const key = cache === null ? undefined : cacheKey([file, text, findConfig(dirname(file)) ?? '']);
  const kept = cache === null || key === undefined ? undefined : readKept(cache, key);
  if (kept !== undefined) return kept;
  typescriptVersion();
  const { transform } = require('./compile.cjs') as typeof import('./compile.ts');
  const made = transform(file, text);
  if (made === undefined) return undefined;
  if (cache !== null && key !== undefined) writeKept(cache, key, made);
  return made;
}

/**
 * Makes ready for `compile()` of this file once it has changed: TypeScript is loaded, its program read. For who has time
 * now. What is wrong with the file is told by `compile()`.
 */
export function prepare(file: string, text: string): void {
  try {
    typescriptVersion();
    const { transform } = require('./compile.cjs') as typeof import('./compile.ts');
    transform(file, text);
  } catch {
    // It is told then.
  }
}
