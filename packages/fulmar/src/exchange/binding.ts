/**
 * The addon's functions. Loaded when the first listener is made, never before.
 */
import { findAddon, findGuest, findGuestWorker } from './addon.ts';
import { brokenAddon } from './addon-problems.ts';
import { readGlobal, removeGlobal } from '../host/globals.ts';

/**
 * What `crates/addon/src/bindings.rs` exports. `s`, `g`: slot and generation of an exchange or connection.
 */
export interface Binding extends GuestBinding {
  /**
   * Makes the memory that both sides see, once: control, events, commands, arena. It is the engine's, and
   * outlives any detaching.
   */
  setup(
    receiver: object,
    onBatch: (count: number, slabBytes: number) => void,
  ): readonly [control: ArrayBuffer, events: ArrayBuffer, commands: ArrayBuffer, arena: ArrayBuffer];
  setSlab(slab: Uint8Array): void;
  collect(): void;
  /**
   * The news of ends that somebody waits for stands at the cursor. Within a batch, behind ticks that it has
   * run.
   */
  tellAwaited(): void;
  /** Runs ticks and promise callbacks within a batch, and reports what they throw. On the QuickJS host. */
  settle?(): void;
  /**
   * Reports what was thrown within a batch, in the asynchronous context of now. Once for each call of the
   * batch function, which throws it afterwards; that is not reported. On Node.
   */
  reportUncaught?(error: unknown): void;
  listen(
    kind: number,
    text: string,
    number: number,
    backlog: number,
    ipv6Only: boolean,
    reusePort: boolean,
  ): readonly [number, number] | number;
  configure(s: number, g: number, key: number, value: number): void;
  listenerAddress(s: number, g: number): RawAddress | string | null;
  closeListener(s: number, g: number): void;
  drainListener(s: number, g: number): void;
  closeIdle(s: number, g: number): void;
  closeAll(s: number, g: number): void;
  connectionCount(s: number, g: number): number;
  setReferencedListeners(count: number): void;
  /**
   * A string is sent as UTF-8. A large array is sent from where it is, at once as far as the system takes it.
   * Returns the digest of the tag, if one was asked for and the exchange is there.
   */
  replyLarge(
    s: number,
    g: number,
    status: number,
    reason: string | null,
    block: string,
    flags: number,
    body: string | Uint8Array,
  ): string | undefined | null;
  start(s: number, g: number, status: number, reason: string | null, block: string, flags: number, length: number): void;
  /** As `replyLarge`. 0 room, 1 full, 2 gone. */
  write(s: number, g: number, chunk: string | Uint8Array): number;
  end(s: number, g: number, trailers: string): void;
  /**
   * Opens a file that is still the one `stat` has described, if these bytes of it can be sent at once. A
   * descriptor, or -1.
   */
  openFile(path: string, device: number, inode: number, size: number, offset: number, length: number): number;
  /** 1: so many files can be opened without the last descriptors of the system. */
  hasDescriptors(count: number): number;
  sendFile(s: number, g: number, fd: number, offset: number, length: number): void;
  /** 1: the rest of the file is not sent. */
  cutFile(s: number, g: number): number;
  sendInterim(s: number, g: number, status: number, block: string): void;
  readContent(s: number, g: number): void;
  pauseContent(s: number, g: number): void;
  discardContent(s: number, g: number): void;
  notifySent(s: number, g: number): void;
  abort(s: number, g: number): void;
  buffered(s: number, g: number): number;
  acceptUpgrade(s: number, g: number): Buffer;
  /** 1: content follows through `readContent`. */
  declineUpgrade(s: number, g: number): number;
  watch(s: number, g: number): number;
  peerAddress(s: number, g: number): RawAddress | null;
  localAddress(s: number, g: number): RawAddress | null;
  /** Bytes received, and given to be sent, those of replies that wait to be collected included. */
  transferred(s: number, g: number): readonly [number, number];
  /** As `write`. */
  writeRaw(s: number, g: number, chunk: string | Uint8Array): number;
  bufferedRaw(s: number, g: number): number;
  endRaw(s: number, g: number): void;
  destroy(s: number, g: number, reset: boolean): void;
  pauseRaw(s: number, g: number, paused: boolean): void;
  setSocketTimeout(s: number, g: number, timeoutMs: number): void;
  setNoDelay(s: number, g: number, on: boolean): void;
  setKeepAlive(s: number, g: number, on: boolean, idleMs: number): void;
  setReferenced(s: number, g: number, on: boolean): void;
  stats(): Record<string, number>;
  rejectReasons(): readonly (readonly [string, string])[];
  /** Names of request methods by the engine's codes. */
  methods(): readonly string[];
  sha1Base64(bytes: Uint8Array): string;
  /** A number for a stream that compresses. Not on the QuickJS host, as the next two. */
  nameDeflate?(): number;
  /**
   * Compresses the next chunk of a stream: made with its first chunk, gone after the flush that ends it.
   * `null`: nothing of it is ready yet.
   */
  deflate?(stream: number, settings: number, flush: number, chunk: Uint8Array): Buffer | null;
  /** Lets go of a stream that has not ended; no-op for all others. */
  closeDeflate?(stream: number): void;
}

/** Other languages in this process (`polyglot`). A guest is a number, a message bytes. */
export interface GuestBinding {
  /** Opens a library by its path, on another thread. `onWake` is called when that has ended, and for each reply. */
  guestOpen(library: string, settings: Uint8Array, onWake: () => void): number;
  /** Whether it is there, waiting so long: undefined: not yet; a text: why it will not be. */
  guestOpened(guest: number, timeoutMs: number): true | string | undefined;
  /** 0 taken, 1 too many wait, 2 closed. */
  guestSubmit(guest: number, message: Uint8Array, bytes: number, isCounted: boolean, attached: readonly Uint8Array[] | undefined): number;
  /**
   * Bytes that stand in `inbox` now; or the messages in a buffer of their own, then what is attached to them: `null` for
   * what there is no buffer of, by its size or for want of memory.
   */
  guestReceive(guest: number, inbox: Uint8Array): number | readonly (ArrayBuffer | null)[];
  /** Whether there is a reply, waiting so long. */
  guestWait(guest: number, timeoutMs: number): boolean;
  guestCancel(guest: number, call: number): void;
  /** Whether it keeps the process alive. */
  guestReferenced(guest: number, isReferenced: boolean): void;
  /** What it has buffered is written, waiting so long. */
  guestFinish(guest: number, timeoutMs: number): void;
  /** Where programs of the same user find this content as a file, as long as the process. Of the QuickJS host alone. */
  guestFile?(content: Uint8Array): string;
}

export type RawAddress = readonly [address: string, port: number, family: 'IPv4' | 'IPv6'];

let loaded: Binding | undefined;
let guests: GuestBinding | undefined;

/** Loads the addon once per environment. Throws with the platform and what to do when there is none. */
export function binding(): Binding {
  loaded ??= load();
  return loaded;
}

/** What other languages are reached by. On the QuickJS host it is apart from the engine's own functions. */
export function guestBinding(): GuestBinding {
  guests ??= hosted<GuestBinding>('fulmar.guest-engine') ?? binding();
  return guests;
}

/** The library of a guest (`crates/guest-python` …). Throws when this installation has none. */
export const guestLibrary = (language: string): string => guestFile(findGuest(language, import.meta.url));

/** The program that guests are isolated in (`crates/guest-isolated`). Throws when this installation has none. */
export const guestWorker = (): string => guestFile(findGuestWorker(import.meta.url));

/** Where other languages find a file: one of the executable is in memory. */
export function guestFile(path: string): string {
  // Whoever only asks where files are, as `fulmar info`, loads nothing.
  if (readGlobal('fulmar.host') === undefined) return path;
  let found = inMemory.get(path);
  if (found !== undefined) return found;
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  if (statSync(path, { throwIfNoEntry: false })?.dev !== DEVICE_OF_EXECUTABLE) return path;
  const { guestFile: make } = guestBinding();
  if (make === undefined) return path;
  inMemory.set(path, (found = make(readFileSync(path))));
  return found;
}

/** By their paths in the executable, which does not change. */
const inMemory = new Map<string, string>();

/** Of files that the executable has itself (`packages/quickjs-node/src/fs/embedded.ts`); no disk has it. */
const DEVICE_OF_EXECUTABLE = 0;

/** The addon, where a server has loaded it. */
export function loadedBinding(): Binding | undefined {
  return loaded;
}

/** What the QuickJS host has itself, once. */
function hosted<Functions>(name: 'fulmar.engine' | 'fulmar.guest-engine'): Functions | undefined {
  const make = readGlobal(name);
  if (make === undefined) return undefined;
  removeGlobal(name);
  return make() as Functions;
}

function load(): Binding {
  const native = hosted<Binding>('fulmar.engine');
  if (native !== undefined) return native;
  // Not imported: the QuickJS host has its engine built in, and does not pay for it.
  const { createRequire } = process.getBuiltinModule('node:module');
  const file = findAddon(import.meta.url);
  try {
    return createRequire(import.meta.url)(file) as Binding;
  } catch (error) {
    throw brokenAddon(file, error);
  }
}
