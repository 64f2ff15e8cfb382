/**
 * Node's own http, net and stream, taken from the process itself: `fulmar run` maps `node:http` to this
 * package, and an import would come back to us. Everything in this folder reaches Node's classes through this
 * file and no other way.
 */
import type * as NodeHttp from 'node:http';
import type * as NodeNet from 'node:net';
import { readGlobal } from '../host/globals.ts';

/**
 * `fulmar run` leaves Node's function here: `process.getBuiltinModule` leads the application, and tools that
 * hook modules, back to us.
 */
const kept = readGlobal('fulmar.getBuiltinModule');

export const nodeHttp: typeof NodeHttp =
  kept === undefined ? process.getBuiltinModule('node:http') : (kept('node:http') as typeof NodeHttp);
export const nodeNet: typeof NodeNet = process.getBuiltinModule('node:net');

/** Any function of Node's prototypes, to be called with a receiver of ours. */
type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A method of one of Node's prototypes (or what it inherits), for use as the foreign fallback. Hosts that
 * have `node:http` in a form of their own lack some; there the call fails, and not the load.
 */
export function nodeMethod(prototype: object, name: PropertyKey): AnyMethod {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method === 'function') return method as AnyMethod;
  return () => {
    throw new TypeError(`This host's node:http has no method ${String(name)} on a prototype of Node's, which is needed here.`);
  };
}

/** Reads `key` as Node's prototype would, for a receiver that has no exchange. */
export function nodeGet(prototype: object, key: PropertyKey, receiver: object): unknown {
  return Reflect.get(prototype, key, receiver);
}

/**
 * Writes `key` as Node would: through Node's setter if there is one, else as an own property of the receiver,
 * which from then on hides the accessor of ours that called this.
 */
export function nodeSet(prototype: object, key: PropertyKey, receiver: object, value: unknown): void {
  for (let owner: object | null = prototype; owner !== null; owner = Reflect.getPrototypeOf(owner)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
    if (descriptor?.set !== undefined) {
      descriptor.set.call(receiver, value);
      return;
    }
    if (descriptor !== undefined) break;
  }
  setOwn(receiver, key, value);
}

/** Gives an object a plain field of its own, which hides an accessor of its prototype. */
export function setOwn(receiver: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Makes `members` the prototype of `target`, with the accessors and methods of the other parts, and lets it
 * inherit from Node's prototype. Copying a member costs a start as much as making it, so `members` is the
 * part with the most.
 */
export function inherit(target: { prototype: object }, parent: { prototype: object }, members: object, parts: readonly object[]): void {
  for (const part of parts) Object.defineProperties(members, Object.getOwnPropertyDescriptors(part));
  target.prototype = Object.setPrototypeOf(members, parent.prototype) as object;
  Object.setPrototypeOf(target, parent);
}
