/**
 * Globals and the hooks of the event loop. The host's other modules get at this state by
 * `later<typeof import('./setup.ts')>()`.
 */
import '../globals/symbols.ts';
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import { defineCoreGlobals } from '../globals/core.ts';
import { defineGlobals } from '../globals/define.ts';
import { defineWebGlobals } from '../globals/web.ts';
import { installFunctionText } from '../globals/functions.ts';
import { installJson } from '../globals/json.ts';
import { holdShapes } from '../globals/shapes.ts';
import type { Loader } from './loader.ts';
import { context } from '../process/context.ts';
import { empty, uncaught } from '../process/lifecycle.ts';
import { createProcess } from '../process/object.ts';
import { onRejection } from '../process/rejections.ts';
import { installStacks } from '../process/stacks.ts';
import { nextTick, processTicks, runNextTicks } from '../process/ticks.ts';
import { setGlobal } from '../../../fulmar/src/host/globals.ts';

export { context, nextTick, processTicks, runNextTicks, uncaught };

/** Set by `node:timers` when it is loaded. */
export const loop = {
  runImmediates: (): void => {},
  /** Code was ended in the middle: what its `finally` blocks would have done. */
  repairTimers: (): void => {},
  repairImmediates: (): void => {},
};

function interrupted(): void {
  loop.repairTimers();
  loop.repairImmediates();
}

export function setup(loader: Loader): void {
  const globals = globalThis as unknown as Record<string | symbol, unknown>;
  globals['global'] = globalThis;
  installStacks();
  installJson();
  installFunctionText();
  define('process', createProcess(loader));
  ops.setHooks({ processTicks, uncaught, empty, immediates: () => loop.runImmediates(), rejection: onRejection, interrupted });
  defineGlobals(['queueMicrotask'], () => loader.internal(later.file<typeof import('../process/microtask.later.ts')>()).queueMicrotask);
  setGlobal('fulmar.engine', () => ops.engine());
  setGlobal('fulmar.guest-engine', guestFunctions);
  setGlobal('fulmar.host', { frames: context, holdShapes, hasMessages: false, onMessages: [] });
  defineCoreGlobals();
  defineWebGlobals();
}

/** What `polyglot` has of the engine: none of what receives or sends. */
function guestFunctions(): object {
  return Object.fromEntries(Object.entries(ops.engine()).filter(([name]) => name.startsWith('guest')));
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}
