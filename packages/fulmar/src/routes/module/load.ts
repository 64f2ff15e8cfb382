/**
 * Loads a file of routes. Of CommonJS, whatever wrote it, the exports are what `module.exports` has: what `import()` makes of
 * that depends on how a compiler has written it down.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ModuleExports } from './declared.ts';

/** @throws what the module throws */
export async function loadModule(path: string): Promise<ModuleExports> {
  const found = (await import(pathToFileURL(path).href)) as ModuleExports;
  const common = createRequire(path).cache[path];
  return common === undefined ? found : fromCommonJs(common.exports);
}

/** What `module.exports` says. */
export function fromCommonJs(exports: unknown): ModuleExports {
  if (typeof exports === 'object' && exports !== null && Object.getPrototypeOf(exports) === Object.prototype) return { ...exports };
  return { default: exports };
}
