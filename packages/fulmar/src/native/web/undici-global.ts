/**
 * undici's dispatcher: what `fetch` and `WebSocket` send their requests with. Ours is `node:http`'s client; an application that brings
 * undici itself may set its own.
 */
import { dispatcher } from './dispatcher.ts';

/** Where undici keeps it, in every version. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

export function getGlobalDispatcher(): unknown {
  return (globalThis as unknown as Record<symbol, unknown>)[DISPATCHER] ?? dispatcher;
}

export function setGlobalDispatcher(agent: unknown): void {
  Object.defineProperty(globalThis, DISPATCHER, { value: agent, writable: true, configurable: true });
}
