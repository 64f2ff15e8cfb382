/**
 * With which arguments every function of Node's prototypes is called on a message, by the name of the
 * function. What is not listed is called without any.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { GETTERS, NAMES } from './borrowed-names.ts';

/** Notes that a callback was called, and with which error. */
export type Notes = (name: string) => (...values: unknown[]) => void;

export interface Messages {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Makes a function that notes its calls. */
  readonly note: Notes;
}

type Calls = readonly ((messages: Messages) => readonly unknown[])[];

const none: Calls = [() => []];
const name: Calls = [() => ['x-f'], () => ['X-Missing'], () => [5]];
const event: Calls = [
  ({ note }) => ['finish', note('listener')],
  ({ note }) => ['close', note('listener')],
  ({ note }) => ['end', note('end')],
];
/** Not `finish`, to which Node's own server listens. */
const eventName: Calls = [() => ['close'], () => ['nothing']];
const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
const each = [(value: unknown) => value];

const calls: Readonly<Record<string, Calls>> = {
  setHeader: [
    () => ['X-A', '1'],
    () => ['set-cookie', ['a=1', 'b=2']],
    () => ['bad name', 'x'],
    () => ['X-A', undefined],
    () => ['X-F', 'new'],
  ],
  appendHeader: [() => ['X-F', '2'], () => ['X-N', ['1', '2']], () => ['x-f', ['2', '3']], () => ['X-A', 'a\nb']],
  setHeaders: [
    () => [new Map([['x-m', '1']])],
    () => [
      new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]),
    ],
    () => [5],
  ],
  getHeader: name,
  hasHeader: name,
  removeHeader: [() => ['X-F'], () => ['Date'], () => ['x-missing'], () => [5]],
  write: [
    () => ['data'],
    () => ['ZGF0YQ==', 'base64'],
    ({ note }) => [Buffer.from('bytes'), note('write')],
    ({ note }) => ['text', 'utf8', note('write')],
    () => [null],
    () => [5],
  ],
  end: [
    () => [],
    () => ['data'],
    ({ note }) => ['data', 'utf8', note('end')],
    ({ note }) => [note('end')],
    () => [Buffer.from('bytes')],
    ({ note }) => [new Uint8Array([65, 66]), note('end')],
    () => [5],
  ],
  _storeHeader: [() => ['HTTP/1.1 200 OK\r\n', { 'X-S': '1' }], () => ['HTTP/1.1 200 OK\r\n', null]],
  writeHead: [
    () => [201],
    () => [201, 'Made'],
    () => [201, { 'X-W': '1', 'X-F': 'over' }],
    () => [201, 'Made', ['X-W', '1']],
    () => [204],
    () => [42],
  ],
  writeHeader: [() => [201, { 'X-W': '1' }]],
  writeContinue: [() => [], ({ note }) => [note('continue')]],
  writeProcessing: [({ note }) => [note('processing')]],
  writeEarlyHints: [() => [{ link: '</a.css>; rel=preload', 'X-H': '1' }], () => [5]],
  writeInformation: [() => [103, { 'X-I': '1' }], () => [200]],
  addTrailers: [() => [{ 'X-T': '1' }], () => [[['X-T', '1']]], () => [{ 'bad name': '1' }]],
  setTimeout: [({ note }) => [30_000, note('timeout')]],
  destroy: [() => [], () => [new Error('given up')]],
  assignSocket: [({ res }) => [res.socket]],
  _flushOutput: [() => [{ cork: () => undefined, uncork: () => undefined, write: () => true }]],
  'Symbol(nodejs.rejection)': [() => [new Error('rejected'), 'request']],
  on: event,
  addListener: event,
  once: event,
  prependListener: event,
  prependOnceListener: event,
  off: event,
  removeListener: event,
  // Without the listeners of Node's own server, a reply of Node's never ends.
  removeAllListeners: [() => ['custom']],
  emit: [() => ['custom', 1]],
  listeners: eventName,
  rawListeners: eventName,
  listenerCount: eventName,
  setMaxListeners: [() => [5]],
  pipe: [() => [sink()]],
  unpipe: [() => [], () => [sink()]],
  read: [() => [], () => [2]],
  setEncoding: [() => ['utf8'], () => ['nonsense']],
  unshift: [() => [Buffer.from('before')]],
  _read: [() => [10]],
  _destroy: [({ note }) => [null, note('destroyed')]],
  _addHeaderLine: [() => ['X-Line', '1', {}]],
  _addHeaderLineDistinct: [() => ['X-Line', '1', {}]],
  _addHeaderLines: [() => [['X-Lines', '1', 'X-Lines', '2'], 4]],
  map: [() => each],
  filter: [() => each],
  forEach: [() => each],
  some: [() => each],
  every: [() => each],
  find: [() => each],
  flatMap: [() => [(value: unknown) => [value]]],
  drop: [() => [1]],
  take: [() => [1]],
  reduce: [() => [(sum: unknown) => sum]],
};

/**
 * Times at which a function is not called: a reply of ours leaves when the handler has returned, so that
 * nothing is out yet; or what the function does is no HTTP, as with an interim reply behind a final one.
 */
export const notAt: Readonly<Record<string, readonly string[]>> = {
  writableFinished: ['ended'],
  writableLength: ['ended'],
  // The whole content is there before the reply is ended: the client may be gone by then.
  'write 0': ['length'],
  'write 1': ['length'],
  'write 2': ['length'],
  'write 3': ['length'],
  // Given up with the reply under way.
  'destroy 0': ['ended'],
  'destroy 1': ['ended'],
  '_destroy 0': ['ended', 'closed'],
  '_flush 0': ['ended'],
  'Symbol(nodejs.rejection) 0': ['ended'],
  'Symbol(nodejs.asyncDispose) 0': ['ended'],
  'eventNames 0': ['closed'],
  // Node asserts there.
  '_finish 0': ['closed'],
  // What is checked first differs between Nodes.
  'writeEarlyHints 1': ['head', 'length', 'written', 'later', 'ended', 'closed'],
  'end 0': ['length'],
  'end 3': ['length', 'ended'],
  'end 5': ['length'],
  '_storeHeader 0': ['head', 'length', 'written', 'later', 'ended', 'closed'],
  '_storeHeader 1': ['head', 'length', 'written', 'later', 'ended', 'closed'],
  // Content that nobody has asked for is not in the stream.
  readableLength: ['later'],
  'read 1': ['later'],
  '_dump 0': ['later'],
  'push 0': ['later'],
  'unshift 0': ['later'],
  'writeContinue 0': ['written', 'later'],
  'writeContinue 1': ['written', 'later'],
  'writeProcessing 0': ['written', 'later'],
  'writeEarlyHints 0': ['written', 'later'],
};

/** Functions that say nothing of a message, or only to Node itself. */
const skipped: ReadonlySet<string> = new Set([
  'constructor',
  'statusCode',
  'statusMessage',
  'domain',
  // What they write is no HTTP but where Node's own functions call them; `write` and `end` show that.
  '_send',
  '_writeRaw',
  // With a warning, once in a process.
  '_headers',
  '_headerNames',
  // Leaves Node's own connection in a state that Node asserts against.
  'detachSocket',
  '_events',
  '_eventsCount',
  '_maxListeners',
  'Symbol(kCapture)',
  'Symbol(kAttachAbortSignal)',
  'Symbol(kDetachAbortSignal)',
  'asIndexedPairs',
  // What the QuickJS host has in other ways.
  'readableBuffer',
  'Symbol(Symbol.asyncDispose)',
  'Symbol(Stream.toAsyncStreamable)',
  // Its error shows the whole message.
  'compose',
  // Streams of their own kind.
  '_undestroy',
  'wrap',
  '_construct',
]);

export interface Borrowed {
  readonly label: string;
  readonly call: (target: object, messages: Messages) => unknown;
}

/** The member called `name` of an object, or of what it inherits from. */
function memberOf(prototype: object, name: string): PropertyDescriptor {
  for (let owner: object | null = prototype; owner !== null; owner = Reflect.getPrototypeOf(owner)) {
    const key = Reflect.ownKeys(owner).find((one) => String(one) === name);
    if (key !== undefined) return Reflect.getOwnPropertyDescriptor(owner, key) as PropertyDescriptor;
  }
  throw new Error(`${name} is not there`);
}

// How much waits is counted with its framing in Node, and without in the engine.
const shown = (name: string, value: unknown): unknown => (name === 'writableLength' ? Number(value) > 0 : value);

/**
 * Everything that the class called `from` can be asked to do: its methods, with all arguments, and its
 * getters; as `prototype` does it.
 */
export function borrowedFrom(from: string, prototype: object): readonly Borrowed[] {
  return (NAMES[from] ?? []).flatMap((name): readonly Borrowed[] => {
    if (skipped.has(name)) return [];
    if (GETTERS[from]?.includes(name) === true) {
      return [{ label: name, call: (target) => shown(name, Reflect.apply(memberOf(prototype, name).get as never, target, []) as unknown) }];
    }
    return (calls[name] ?? none).map((given, at) => ({
      label: `${name} ${at}`,
      call: (target, messages) => Reflect.apply(memberOf(prototype, name).value as never, target, given(messages) as never) as unknown,
    }));
  });
}
