/**
 * What `node:stream` asks the web's streams about, by symbols that Node's own streams answer to: `finished`,
 * `isErrored`, `isDisturbed`.
 */

/** How the polyfill keeps a stream's state; its build leaves these names as they are. */
interface Inner {
  _state?: string;
  _storedError?: unknown;
  _disturbed?: boolean;
  _readableStreamController?: { error(reason: unknown): void };
}

interface Closed {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

const STATE = Symbol('state');
const CLOSED = Symbol('closed');

type Observed = Inner & { [STATE]?: string; [CLOSED]?: Closed };

function settle(stream: Observed): void {
  const closed = stream[CLOSED];
  if (closed === undefined) return;
  if (stream._state === 'closed') closed.resolve();
  // The error is stored right after the state.
  else if (stream._state === 'errored') queueMicrotask(() => closed.reject(stream._storedError));
}

function deferred(): Closed {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Makes the streams of a class answer. */
export function observable(Class: { readonly prototype: object }): void {
  const getter = (name: string, get: (this: Observed) => unknown): void => {
    Object.defineProperty(Class.prototype, Symbol.for(name), { get, configurable: true });
  };
  Object.defineProperty(Class.prototype, '_state', {
    configurable: true,
    get(this: Observed) {
      return this[STATE];
    },
    set(this: Observed, state: string) {
      this[STATE] = state;
      settle(this);
    },
  });
  getter('nodejs.webstream.isClosedPromise', function closed() {
    if (this[CLOSED] === undefined) {
      this[CLOSED] = deferred();
      settle(this);
    }
    return this[CLOSED];
  });
  getter('nodejs.webstream.controllerErrorFunction', function fail() {
    const controller = this._readableStreamController;
    return (error: unknown): void => controller?.error(error);
  });
  getter('nodejs.stream.disturbed', function disturbed() {
    return this._disturbed;
  });
  getter('nodejs.stream.errored', function errored() {
    return this._state === 'errored';
  });
  getter('nodejs.stream.readable', function readable() {
    return this._state === 'readable';
  });
  getter('nodejs.stream.writable', function writable() {
    return this._state === 'writable';
  });
}
