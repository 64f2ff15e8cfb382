/**
 * Loads a package under test. The packages bring no types, or types of another express: the caller says what
 * it uses.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function load<T>(name: string): T {
  return require(name) as T;
}
