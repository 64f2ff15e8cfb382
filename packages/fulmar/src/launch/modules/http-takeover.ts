/**
 * `node:http` of ES modules on Nodes without synchronous hooks, without a loader thread: Node's own module
 * object gets our members, and with it the names that ES modules import. `require` gives the same object, so
 * that there is one for all.
 *
 * Happens when `fulmar/http` is loaded, and never with `--no-alias`. Our own code keeps what was there
 * before.
 */
import { syncBuiltinESMExports } from 'node:module';

type Http = Record<PropertyKey, unknown>;

let untouched: Http | undefined;

/** Node's `http` as it was, for our own code, which is built on it. */
export function untouchedHttp(http: object): Http {
  untouched ??= Object.create(Object.getPrototypeOf(http) as object, Object.getOwnPropertyDescriptors(http)) as Http;
  return untouched;
}

/**
 * Makes Node's `http` ours; returns it. What is a getter there stays: it leads to Node's in both. Our Express
 * looks into `ours` when it makes a server, and finds there what tools have put in place of
 * `http.createServer`.
 */
export function takeOverHttp(http: object, ours: object): object {
  untouchedHttp(http);
  const theirs = http as Http;
  // With its symbols, by which it is known.
  for (const name of Reflect.ownKeys(ours)) {
    const value: unknown = Object.getOwnPropertyDescriptor(ours, name)?.value;
    if (value === undefined) continue;
    if (typeof name === 'symbol') {
      if (theirs[name] !== value) theirs[name] = value;
      continue;
    }
    if (theirs[name] !== value) theirs[name] = value;
    const set = (given: unknown): void => void (theirs[name] = given);
    Object.defineProperty(ours, name, { get: () => theirs[name], set, enumerable: true, configurable: true });
  }
  syncBuiltinESMExports();
  return http;
}
