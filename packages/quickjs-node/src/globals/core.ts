/**
 * Globals that are parts of Node's core modules, each made when it is first used.
 */
import later, { type LateFile } from 'fulmar:later';
import { defineGlobals } from './define.ts';

/** Modules whose exports are the members of their default export, and the globals of the same names. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  [later.file<typeof import('../buffer/index.ts')>()]: ['Buffer', 'atob', 'btoa'],
  [later.file<typeof import('../timers/index.ts')>()]: [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
  ],
  [later.file<typeof import('../perf_hooks/index.ts')>()]: ['performance'],
};

/** Parts of modules that are loaded by themselves. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  [later.file<typeof import('../util/text-coding.later.ts')>()]: ['TextEncoder', 'TextDecoder'],
  [later.file<typeof import('./structured-clone.later.ts')>()]: ['structuredClone'],
};

export function defineCoreGlobals(): void {
  defineGlobals(['console'], () => (later<typeof import('../console/index.ts')>() as { default: unknown }).default);
  for (const module in MODULES) {
    defineGlobals(
      MODULES[module] as readonly string[],
      (name) => later(module as LateFile<{ default: Record<string, unknown> }>).default[name],
    );
  }
  for (const part in PARTS)
    defineGlobals(PARTS[part] as readonly string[], (name) => later(part as LateFile<Record<string, unknown>>)[name]);
}
