// What the native host offers beyond Node: `src/native/setup.ts` leaves it here. Types and one look-up.

/** The host's own frames of asynchronous contexts. */
export interface HostFrames {
  /** Somebody has made an `AsyncLocalStorage`; until then there is nothing to keep. */
  readonly active: boolean;
  get(): unknown;
  set(frame: unknown): void;
  /** Sets the frame and returns the one before. */
  swap(frame: unknown): unknown;
}

export interface NativeHost {
  readonly frames: HostFrames;
  /** Objects like `sample` are about to be made for each request. */
  holdShapes(sample: object): void;
  /** The code of Node's messages is loaded. */
  readonly hasMessages: boolean;
  /** Called when it is. */
  readonly onMessages: (() => void)[];
}

/** Undefined in Node. */
export const nativeHost = (globalThis as unknown as Record<symbol, NativeHost | undefined>)[Symbol.for('fulmar.host')];
