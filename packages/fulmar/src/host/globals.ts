/**
 * Every process-wide key of Fulmar's and what stands there: what parts that do not import one another, or lie
 * in different bundles, leave for each other on `globalThis`, by symbols of the global registry.
 *
 * Bundles hold a copy of this file in each module that uses it (`packages/build/passes/copy-host.mjs`): no
 * start loads one file more for it.
 */

/** What the QuickJS host offers beyond Node: `packages/quickjs-node/src/start/setup.ts` leaves it. */
export interface NativeHost {
  readonly frames: HostFrames;
  /** Objects like `sample` are about to be made for each request. */
  holdShapes(sample: object): void;
  /** The code of Node's messages is loaded. */
  hasMessages: boolean;
  /** Called when it is. */
  readonly onMessages: (() => void)[];
}

/** The host's own frames of asynchronous contexts. */
export interface HostFrames {
  /** Somebody has made an `AsyncLocalStorage`; until then there is nothing to keep. */
  readonly active: boolean;
  get(): unknown;
  set(frame: unknown): void;
  /** Sets the frame and returns the one before. */
  swap(frame: unknown): unknown;
}

/** What `fulmar dev` has put around the servers of this process (`dev/index.ts`). */
export interface DevHook {
  /** Called once for each socket that listens, with who is told of its requests; what it returns is told instead. */
  watch<Observer extends object>(observer: Observer, target: object): Observer;
  /** What runs each request of that socket in a context of its own; what it returns runs it instead. */
  scope<Scope>(scope: Scope): Scope;
  /** The last resort of a framework answers 500; `key` is the exchange or a message of one. True: it is shown. */
  failed(key: object, error: unknown, params?: unknown): boolean;
  isShown(error: unknown): boolean;
}

/** Who gives servers their sockets while `fulmar dev` runs (`hot/sockets.ts`). */
export interface DevSockets {
  /** Opens what a server wants to listen on by `make`, or gives it what the code before had. */
  open<Observer extends object, Opened extends object>(
    server: object,
    target: object,
    observer: Observer,
    make: (observer: Observer) => Opened,
  ): Opened;
  /** Servers of old code are ending: their sockets are told to come again. */
  isHandingOver(): boolean;
}

/** What `fulmar dev` can have a language do (`polyglot/language-api.ts`). */
export interface DevGuest {
  /**
   * Modules of files below a folder are loaded anew with their next import, if one of these files is loaded. Resolves to
   * those that are.
   */
  forget(folder: string, files: readonly string[] | undefined): Promise<readonly string[]>;
}

/** Who watches files of other languages while `fulmar dev` runs (`packages/cli/src/dev/guest-files.ts`). */
export interface DevGuests {
  /**
   * A file is imported, by one of JavaScript's if that is known. `outcome` rejects with what is wrong with it; `isAwaited`:
   * whoever imports it is told by its promise.
   */
  imported(
    guest: DevGuest,
    file: string,
    by: { readonly importer: string | undefined; readonly outcome: Promise<unknown>; readonly isAwaited: boolean },
  ): void;
}

interface Values {
  /**
   * The QuickJS host's engine, made when it is called. Whoever takes it removes it: it is not for the
   * application.
   */
  'fulmar.engine': () => unknown;
  /** Its functions for other languages, and no others; the same. `polyglot` has a bundle of its own. */
  'fulmar.guest-engine': () => unknown;
  'fulmar.host': NativeHost;
  /** Node's `process.getBuiltinModule`, where the application's leads `http` back to us. */
  'fulmar.getBuiltinModule': (id: string) => unknown;
  /** Every application of this process, weakly, for whoever lists routes (`applications.ts`). */
  'fulmar.applications': WeakRef<object>[];
  'fulmar.dev': DevHook;
  'fulmar.sockets': DevSockets;
  'fulmar.guests': DevGuests;
  /** `fulmar dev`: what a module makes in memory, or has made before it was loaded anew (`hot/kept.ts`). */
  /** `fulmar dev`: told which files besides itself the code of a source's types was made of. */
  'fulmar.type-files': (source: string, files: readonly string[]) => void;
  'fulmar.kept': <Value extends object>(kind: string, make: () => Value) => Value;
  /** The servers that listen, for whoever ends the process gracefully. */
  'fulmar.servers': Set<unknown>;
  /**
   * `fulmar run --workers`: told of each server that could not listen, so that nothing is served for ever by
   * an application that does not care.
   */
  'fulmar.listen-failed': (error: unknown) => void;
  /**
   * `fulmar build --target`: nobody listens; what would have answered a port's exchanges is left here, with
   * the hooks of its end.
   */
  'fulmar.serverless': (answer: (exchange: never) => void) => void;
  /**
   * `fulmar run`: names that servers wanted to listen on; an error of the look-up does not say that it was
   * for a server.
   */
  'fulmar.listen-hosts': Set<string>;
  /** Our listeners of signals, for those who look for others' (`fulmar doctor`). */
  'fulmar.signal-listeners': WeakSet<object>;
  /** Called behind the first batches of requests, and after every few hundred requests from then on. */
  'fulmar.traffic': () => void;
  /** Given, once, a function that lists the requests that are not answered. */
  'fulmar.request-watcher': (openRequests: () => unknown) => void;
  /** The hooks of `fulmar run`: one installation for each process, whoever asks first. */
  'fulmar.cli.installed': unknown;
  /** Signals and errors of a process whose entry is not ours are looked after, once. */
  'fulmar.cli.prepared': true;
  /** Worker threads get our hooks. */
  'fulmar.cli.threads': true;
  /** Processes and threads that start without our hooks are told of. */
  'fulmar.cli.escapes': true;
  /** Version of the koa-compose that the application has. */
  'fulmar.koaCompose': string;
  /** What a built file's modules are told about themselves (`launch/built/types.ts`). */
  'fulmar.bundle': unknown;
  /** Functions that compiled decorators call. */
  'fulmar.helpers': object;
  /** Gives a CommonJS source with `import` and `export` what stands around a module. */
  'fulmar.commonjs': unknown;
  /** Functions whose places `fulmar doctor` asks V8 for. */
  'fulmar.doctor.functions': readonly unknown[];
  /** undici's dispatcher, as the QuickJS host has made it. */
  'fulmar.undiciDefault': unknown;
}

export type GlobalName = keyof Values;

type Globals = Record<symbol, unknown>;

export function readGlobal<Name extends GlobalName>(name: Name): Values[Name] | undefined {
  return (globalThis as unknown as Globals)[Symbol.for(name)] as Values[Name] | undefined;
}

export function setGlobal<Name extends GlobalName>(name: Name, value: Values[Name]): void {
  (globalThis as unknown as Globals)[Symbol.for(name)] = value;
}

/** For what is not the application's to change, or has attributes of its own. */
export function defineGlobal(name: GlobalName, property: PropertyDescriptor): void {
  Object.defineProperty(globalThis, Symbol.for(name), property);
}

export function removeGlobal(name: GlobalName): void {
  Reflect.deleteProperty(globalThis, Symbol.for(name));
}

/** The same in a source that is written for others to run. */
export const globalInSource = (name: GlobalName): string => `globalThis[Symbol.for("${name}")]`;
