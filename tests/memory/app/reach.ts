/**
 * The application that looks for the engine's memory where it may look: in what passes through functions it
 * has replaced, those of arrays and those of the objects that its requests lead to. What has several clients'
 * bytes in it is found by their marks.
 */
import http from 'fulmar/http';
import type { AddressInfo } from 'node:net';
import { clientsIn } from '../harness/marks.ts';
import { isMemory, isView, textOf, viewOf } from './native-parts.ts';

/** The engine's memory is larger than the content of a request here. */
const OWN_BYTES_MAX = 20 * 1024;

const found = new Set<string>();
let isLooking = false;

function look(what: string, value: unknown, depth = 0): void {
  const memory = isView(value) ? value.buffer : value;
  if (isMemory(memory)) {
    const clients = clientsIn(textOf(viewOf(memory)));
    if (memory.byteLength > OWN_BYTES_MAX || clients.size > 1) found.add(`${what}: ${memory.byteLength} bytes`);
  } else if (typeof value === 'object' && value !== null && depth < 2) {
    for (const key of Reflect.ownKeys(value)) {
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (field !== undefined && 'value' in field) look(what, field.value, depth + 1);
    }
  }
}

function lookAtAll(what: string, values: ArrayLike<unknown>): void {
  if (isLooking) return;
  isLooking = true;
  for (let i = 0; i < values.length; i += 1) look(what, values[i]);
  isLooking = false;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function patch(holder: object, what: string): void {
  for (const key of Reflect.ownKeys(holder)) {
    const { value: original, writable = false } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
    if (typeof original !== 'function' || !writable || key === 'constructor') continue;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      lookAtAll(`${what}.${String(key)}`, args);
      return Reflect.apply(original as AnyFunction, this, args);
    };
    Object.defineProperty(holder, key, { value });
  }
}

const iterate = Array.prototype[Symbol.iterator];
Array.prototype[Symbol.iterator] = function (this: unknown[]) {
  lookAtAll('Array.prototype[Symbol.iterator]', this);
  return Reflect.apply(iterate, this, []);
} as typeof iterate;

const patched = new WeakSet<object>();

/** Every class that a request leads to. */
function patchAround(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const prototype = Reflect.getPrototypeOf(value);
  const { name } = (value as { constructor: { name: string } }).constructor ?? { name: '' };
  if (prototype !== null && !patched.has(prototype) && /^Engine|^ContentFlow$/.test(name)) {
    patched.add(prototype);
    patch(prototype, name);
  }
  for (const key of Reflect.ownKeys(value)) patchAround(Object.getOwnPropertyDescriptor(value, key)?.value, depth - 1);
}

const server = http.createServer((req, res) => {
  patchAround(req, 3);
  patchAround((req as unknown as { _exchange?: { connection: object } })._exchange?.connection, 1);
  if (req.url === '/found') {
    res.end(JSON.stringify([...found]));
    return;
  }
  req.resume();
  req.on('end', () => res.end('read'));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`PORT ${(server.address() as AddressInfo).port}\n`));
