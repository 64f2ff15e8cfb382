/**
 * Globals that are parts of Node's core modules, each made when it is first used.
 */
import internal from 'fulmar:internal';
import type { InternalByName } from '../internal-modules.ts';
import { defineGlobals } from './define.ts';

/** Modules whose exports are the members of their default export, and the globals of the same names. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'node/buffer.cjs': ['Buffer', 'atob', 'btoa'],
  'node/timers.cjs': ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  'node/perf_hooks.cjs': ['performance'],
};

/** Parts of modules that are loaded by themselves. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'lazy/text-coding.cjs': ['TextEncoder', 'TextDecoder'],
  'lazy/structured-clone.cjs': ['structuredClone'],
};

export function defineCoreGlobals(): void {
  defineGlobals(['console'], () => (internal('node/console.cjs') as { default: unknown }).default);
  for (const module in MODULES) {
    defineGlobals(
      MODULES[module] as readonly string[],
      (name) => ((internal as InternalByName)(module) as { default: Record<string, unknown> }).default[name],
    );
  }
  for (const part in PARTS)
    defineGlobals(PARTS[part] as readonly string[], (name) => ((internal as InternalByName)(part) as Record<string, unknown>)[name]);
}
