/**
 * Who reads private fields of Node's sockets that ours has nothing in: found by the file of the code that
 * reads them.
 *
 * Only in `req.socket`, from the moment at which a request is watched; reading leaves what is read as it is.
 */
import type { PrivateReadFacts } from '../protocol-types.ts';

/**
 * Fields of a socket of Node's own that lead to its handle, parser and buffers, none of which is there: the
 * engine has the connection.
 */
const FIELDS = ['_handle', 'parser', '_bytesDispatched', '_pendingData', '_pendingEncoding', '_sockname', '_peername'] as const;
/** The line of the reader in a trace, behind the message and two functions of this file. */
const READER_LINE = 3;
/** Each field of each file is told once; an application has few files that look there. */
const READS_MAX = 100;

const reads = new Map<string, PrivateReadFacts>();
const watched = new WeakSet<object>();
const patched = new WeakSet<object>();

export function privateReads(): PrivateReadFacts[] {
  return [...reads.values()];
}

/** Looks at each socket that is asked of a request of this class. */
export function watchSockets(req: object): void {
  let prototype: object | null = req;
  while (prototype !== null && !Object.hasOwn(prototype, 'socket')) prototype = Object.getPrototypeOf(prototype) as object | null;
  const found = prototype === null ? undefined : Object.getOwnPropertyDescriptor(prototype, 'socket');
  if (prototype === null || found?.get === undefined || patched.has(prototype)) return;
  patched.add(prototype);
  const { get } = found;
  Object.defineProperty(prototype, 'socket', {
    ...found,
    get(this: object): unknown {
      const socket: unknown = Reflect.apply(get, this, []);
      if (typeof socket === 'object' && socket !== null && !watched.has(socket)) watchSocket(socket);
      return socket;
    },
  });
}

function watchSocket(socket: object): void {
  watched.add(socket);
  for (const field of FIELDS) {
    const value: unknown = Reflect.get(socket, field);
    // What is there needs no word.
    if (value !== null && value !== undefined) continue;
    Object.defineProperty(socket, field, {
      configurable: true,
      get: () => {
        noteRead(field);
        return value;
      },
      set: (given: unknown) => {
        Object.defineProperty(socket, field, { value: given, writable: true, configurable: true });
      },
    });
  }
}

function noteRead(field: string): void {
  const { stack } = new Error('a trace');
  if (typeof stack !== 'string' || reads.size >= READS_MAX) return;
  const reader = stack.split('\n')[READER_LINE] ?? '';
  const file = /\(?(?:file:\/\/)?(\/[^()]*):\d+:\d+\)?$/.exec(reader)?.[1];
  // Node's own functions, which ours inherit, ask for their own sake.
  if (file !== undefined) reads.set(`${field} ${file}`, { field, file });
}
