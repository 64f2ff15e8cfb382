/**
 * undici's dispatcher: what `fetch` and `WebSocket` send their requests with. Ours is `node:http`'s client;
 * an application that brings undici itself may set its own.
 */
import { dispatcher } from './dispatcher.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';

/** Where undici keeps it, in every version. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
/**
 * What undici has put there because it was loaded (`packages/cli/src/build/native/undici.ts`): of no use
 * here, and nobody's wish.
 */
const DEFAULT = 'fulmar.undiciDefault';

export function getGlobalDispatcher(): unknown {
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const given = globals[DISPATCHER];
  return given === undefined || given === readGlobal(DEFAULT) ? dispatcher : given;
}

export function setGlobalDispatcher(agent: unknown): void {
  Object.defineProperty(globalThis, DISPATCHER, { value: agent, writable: true, configurable: true });
}
