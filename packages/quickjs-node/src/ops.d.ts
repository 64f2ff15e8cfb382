/**
 * The host's functions, one interface for each file of `crates/quickjs-node/src/ops` and
 * `crates/quickjs/src/ops`. Only this package may use them, by `import ops from 'fulmar:ops'`.
 * `tests/layers/quickjs-ops.test.ts` compares them with what the program has.
 */
declare module 'fulmar:ops' {
  /** What the event loop calls. */
  interface LoopHooks {
    processTicks(): void;
    uncaught(error: unknown): void;
    /** Nothing keeps the process alive. */
    empty(): void;
    immediates(): void;
    /** A promise was rejected that nobody handles, or is handled after all. */
    rejection(promise: Promise<unknown>, reason: unknown, handled: boolean): void;
    /** Code was ended in the middle, without its `finally` blocks. */
    interrupted(): void;
  }

  /** `ops/event_loop.rs` */
  interface LoopOps {
    setHooks(hooks: LoopHooks): void;
    /** Whether immediates wait. */
    setImmediates(waiting: boolean): void;
    /** True while something keeps the process alive. */
    alive(): boolean;
    /** Something waits for `processTicks`. */
    setPending(): void;
    runMicrotasks(): void;
    /** What runs from now on has a limit of time of its own. */
    beginTime(): void;
    /** One more thing keeps the process alive. */
    retain(): void;
    release(): void;
    /** Sends what is answered and ends the process at once. */
    exit(code: number): never;
    /** The engine's functions, for `exchange`. */
    engine(): object;
    /** Calls `run` when time is due; the result says when that is, in ms from now (negative: never). */
    startTimers(run: () => void): (ms: number) => void;
    /** The frame that the running code belongs to. */
    asyncFrame(): unknown;
    setAsyncFrame(frame: unknown): void;
    /** Sets it also for the async functions that are running. */
    enterAsyncFrame(frame: unknown): void;
    /** Keeps the current frame with an async generator. */
    stampAsyncFrame(owner: object): void;
    /** From now on promises keep the frame in which they were made. */
    trackAsyncFrames(): void;
  }

  /** `ops/process.rs` */
  interface ProcessOps {
    /** Since the start, in ms. */
    now(): number;
    /** Writes all; 0 or a negative errno. */
    writeSync(fd: number, data: string | ArrayBufferView): number;
    argv(): string[];
    /** `[name, value, …]` */
    environment(): string[];
    execPath(): string;
    readonly pid: number;
    readonly quickjsVersion: string;
    readonly version: string;
    readonly platform: string;
    readonly arch: string;
  }

  /** `ops/environment.rs`; negative results are errnos. */
  interface EnvironmentOps {
    setVariable(name: string, value: string | undefined): number;
    /** `!` and a negative errno when there is none. */
    cwd(): string;
    chdir(path: string): number;
    setTitle(title: string): void;
    parentId(): number;
    umask(mask: number | undefined): number;
    kill(pid: number, signal: number): number;
    abort(): never;
    ids(): [uid: number, euid: number, gid: number, egid: number];
    groups(): number[];
    userId(name: string): number | undefined;
    groupId(name: string): number | undefined;
    setId(which: 'setuid' | 'seteuid' | 'setgid' | 'setegid', id: number): number;
    setGroups(list: number[]): number;
    initGroups(user: string, group: number): number;
    /** User and system time in µs, then `getrusage`'s other fields in its order. */
    usage(): number[];
    rss(): number;
    heap(): [total: number, used: number, external: number];
    availableMemory(): number;
    memoryLimit(): number;
    hrtime(): [seconds: number, nanoseconds: number];
    /** ms since 1970, with a fraction. */
    wallClock(): number;
  }

  /** `ops/signals.rs` */
  interface SignalOps {
    signals(): Record<string, number>;
    onSignal(listener: (signal: number) => void): void;
    watchSignal(signal: number): number;
    /** Back to the default action. */
    unwatchSignal(signal: number): number;
  }

  /** `ops/scripts.rs` */
  interface ScriptOps {
    /** The function of one of the host's modules. */
    load(name: string): ModuleFunction | undefined;
    has(name: string): boolean;
    /** The application's main function, or the promise of its main module. */
    main(): ModuleFunction | Promise<unknown> | undefined;
    /**
     * Names of the files that the application carries. `files/<path>` is embedded by `--include`: to the
     * application it lies at `<folder of execPath()>/<path>`, where its modules lie too. `main.map` is the
     * source map of what it starts with.
     */
    files(): string[];
    file(name: string): ArrayBuffer | undefined;
    /** Reads from `position` on; how many bytes it gave, or a negative errno. */
    fileRead(name: string, target: ArrayBufferView, position: number): number;
    /** Of such a file: bytes, and when it was changed last, in ms since 1970. Empty when there is none. */
    fileFacts(name: string): [bytes: number, modifiedMs: number] | [];
    /** Compiles a CommonJS module's text. */
    compile(name: string, source: string): ModuleFunction;
    runModule(name: string, source: string): Promise<unknown>;
    /** A text file; throws when it cannot be read. */
    readText(path: string): string;
  }

  /** `ops/strings.rs`; encodings by number, see `buffer/encodings.ts` */
  interface StringOps {
    /** Sets `latin1Slice`, `utf8Write`, … */
    setTextMethods(prototype: object): void;
    toText(bytes: Uint8Array, encoding: number, start: number, end: number): string;
    /** Bytes written; what does not fit is left out. */
    writeText(bytes: Uint8Array, encoding: number, text: string, offset: number, length: number): number;
    /** A `Buffer`. */
    fromText(text: string, encoding: number): Uint8Array;
    textLength(text: string, encoding: number): number;
    utf8Length(text: string): number;
    /** Throws a `TypeError` for what is not UTF-8. */
    fatalUtf8(bytes: Uint8Array): string;
    /** -1: wrong length, -2: wrong character. */
    atob(text: string): string | number;
    /** -1: wrong character. */
    btoa(text: string): string | number;
  }

  /** `ops/bytes.rs` */
  interface ByteOps {
    setBufferClass(FastBuffer: object): void;
    compareBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1;
    indexOfBytes(bytes: Uint8Array, sought: Uint8Array, from: number, end: number, forward: boolean, step: number): number;
    indexOfByte(bytes: Uint8Array, sought: number, from: number, end: number, forward: boolean): number;
    /** False for an empty pattern. */
    fillBytes(bytes: Uint8Array, pattern: Uint8Array, start: number, end: number): boolean;
    swapBytes(bytes: Uint8Array, width: number): void;
    copyBytes(source: ArrayBufferView, target: ArrayBufferView, to: number, from: number, count: number): number;
    concatBytes(target: Uint8Array, list: readonly Uint8Array[]): number;
    toArray(bytes: Uint8Array): number[];
    isUtf8(bytes: ArrayBufferView | ArrayBufferLike): boolean;
    isAscii(bytes: ArrayBufferView | ArrayBufferLike): boolean;
  }

  /** `ops/terminal.rs` */
  interface TerminalOps {
    isTerminal(fd: number): boolean;
  }

  /** `ops/values.rs` */
  interface ValueOps {
    /** The number of a value's class in QuickJS; 0 for what is not an object. */
    classId(value: unknown): number;
    /** State (0 pending, 1 fulfilled, 2 rejected) and result; undefined for what is not a promise. */
    promiseState(value: unknown): [0 | 1 | 2, unknown] | undefined;
    /** Target and handler; null for a revoked proxy, undefined for what is not a proxy. */
    proxyParts(value: unknown): [object, object] | null | undefined;
  }

  /** `ops/numbers.rs` */
  interface NumberOps {
    numberReader(
      form: number,
      refused: (buffer: Uint8Array, offset: unknown, form: number, value: undefined) => never,
    ): (this: Uint8Array, offset?: unknown) => number | bigint;
    numberWriter(
      form: number,
      refused: (buffer: Uint8Array, offset: unknown, form: number, value: unknown) => never,
    ): (this: Uint8Array, value: unknown, offset?: unknown) => number;
  }

  /** `ops/errno.rs` */
  interface ErrnoOps {
    /** The platform's error numbers by name, negative. */
    errnos(): Record<string, number>;
  }

  /** `ops/url.rs` */
  interface UrlOps {
    /** `[href, places …]`, in the order of `web/url.later.ts`; null when it is no URL. */
    urlParse(text: string, base?: string): readonly (string | number)[] | null;
    urlCanParse(text: string, base?: string): boolean;
    /** Sets a part (`host`, `search` …); the URL as it was when the value does not fit. */
    urlSet(href: string, part: string, value: string): readonly (string | number)[] | null;
    /** Empty when it is no domain. */
    domainToAscii(domain: string): string;
    domainToUnicode(domain: string): string;
    /** `name=value&…` → `[name, value, …]` */
    formParse(text: string): string[];
    formSerialize(list: readonly string[]): string;
  }

  /** A running hash or HMAC. */
  interface HashState {
    readonly __hashState: never;
  }

  /**
   * `ops/crypto`. Encodings: 0 an ArrayBuffer, 1 hex, 2 base64, 3 base64url, 4 latin1, 5 a Buffer. Strings
   * are taken as UTF-8.
   */
  interface CryptoOps {
    hashNames(): string[];
    /** -1: there is none of this name. */
    hashNumber(name: string): number;
    /** Bytes of the digest; negative where another length can be asked for. */
    hashBytes(algorithm: number): number;
    hashOnce(algorithm: number, data: string | ArrayBufferView, encoding: number, length?: number): string | ArrayBuffer | Buffer;
    hmacOnce(algorithm: number, key: string | Uint8Array, data: string | ArrayBufferView, encoding: number): string | ArrayBuffer;
    /** The object with this prototype. */
    hashStart(algorithm: number, length: number | undefined, prototype: object): HashState;
    hmacStart(algorithm: number, key: string | ArrayBufferView, prototype: object): HashState;
    /** Keeps the message, too, as long as it is short: for a signature. */
    messageStart(algorithm: number): HashState;
    /** 0: taken, 1: the digest was taken, 2: no data, 3: the digest was flushed. */
    hashUpdate(state: HashState, data: string | ArrayBufferView): 0 | 1 | 2 | 3;
    /** A number: the digest was taken (-1), or has another length (0). */
    hashCopy(state: HashState, length: number | undefined, prototype: object): HashState | 0 | -1;
    /** The digest at the end of a stream, which `hashFinish` gives once more. */
    hashFlush(state: HashState): Buffer | null;
    /** null: the digest was taken. */
    hashFinish(state: HashState, encoding: number): string | ArrayBuffer | Buffer | null;
    randomFill(bytes: ArrayBuffer | ArrayBufferView, offset: number, size: number): void;
    /** `cached`: random bytes may have been drawn earlier. */
    randomUuid(cached: boolean): string;
    /** undefined: they are of different lengths. */
    timingSafeEqual(a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView): boolean | undefined;
    /** The functions for keys, signatures and ciphers, made anew: `crypto/key-ops.ts` asks once. */
    crypto(): import('./crypto/more-ops.ts').MoreCryptoOps;
  }

  /** `ops/children.rs` */
  interface ChildRequest {
    readonly file: string;
    readonly args: string[];
    readonly argv0: string | undefined;
    readonly cwd: string | undefined;
    /** `[name, value, …]` */
    readonly env: string[] | undefined;
    /** For each of its descriptors: -1 nothing, -2 a pipe, else one of ours. */
    readonly stdio: number[];
    readonly uid: number | undefined;
    readonly gid: number | undefined;
    readonly detached: boolean;
  }
  interface ChildRun extends ChildRequest {
    readonly timeout: number;
    readonly maxBuffer: number;
    readonly killSignal: number;
  }
  interface ChildOps {
    children(): {
      /** The number, then our ends of the pipes (-1: none); or a negative errno alone. */
      spawn(request: ChildRequest, onExit: (code: number, signal: number) => void): number[];
      reference(pid: number, on: boolean): void;
      /**
       * Number, exit code, signal, what cut it short (a negative errno), output …; or a negative errno alone.
       */
      run(request: ChildRun, input: Uint8Array | undefined): [first: number, ...rest: (number | ArrayBuffer | null)[]];
    };
  }
  interface Ops extends ChildOps {}

  /** `ops/zlib.rs` */
  type CodecOutcome = 0 | [message: string, number: number, code: string];
  interface CodecHandle {
    /** `result` gets how much of input and output is left. Without `done` it blocks. */
    write(
      flush: number,
      input: Uint8Array,
      output: Uint8Array,
      result: Uint32Array,
      done?: (outcome: CodecOutcome) => void,
    ): CodecOutcome | undefined;
    reset(): CodecOutcome;
    params(level: number, strategy: number): CodecOutcome;
  }
  interface ZlibOps {
    zlib(): {
      crc32(data: ArrayBufferView, seed: number): number;
      /** `rejectsJunk`: what follows the compressed stream is an error. */
      open(
        mode: number,
        numbers: number[],
        dictionary?: Uint8Array,
        rejectsJunk?: boolean,
      ): CodecHandle | [message: string, number: number, code: string];
    };
  }
  interface Ops extends ZlibOps {}

  /** `ops/os.rs` */
  interface OsOps {
    os(): {
      /** sysname, nodename, release, version, machine */
      names(): [string, string, string, string, string];
      /** Uptime in seconds, three load averages, memory in all and free in bytes. */
      numbers(): [number, number, number, number, number, number];
      parallelism(): number;
      /** Name, address, netmask, mac, is it internal, scope (IPv6) or -1. */
      interfaces(): [string, string, string, string, boolean, number][];
      /** uid, gid, then name, home and shell when the user is known. */
      user(): string[];
      /** Raised by 1000, or a negative errno. */
      getPriority(pid: number): number;
      setPriority(pid: number, priority: number): number;
    };
    tty(): {
      isTerminal(fd: number): boolean;
      /** Columns and rows; empty when there are none. */
      size(fd: number): [number, number] | [];
      kind(fd: number): 'file' | 'pipe' | 'socket' | 'tty' | 'device' | '';
      /** 0 or a negative errno. */
      setRaw(fd: number, raw: boolean): number;
    };
  }
  interface Ops extends OsOps {}

  /** `ops/fs.rs` */
  interface FsOps {
    fs(): FileOperations;
  }

  interface Ops extends FsOps {}
  export type { ChildRequest, CodecHandle, FileOperations, FilePath };

  type Failed = number;
  /** What an operation yields, or a negative errno. */
  type OperationCallback = (value: never) => void;
  type FilePath = string | Uint8Array;
  type Name = string | ArrayBuffer;

  /** Each blocks, or, given a callback behind its arguments, runs on another thread. */
  interface FileOperations {
    open(path: FilePath, flags: number, mode: number, callback?: OperationCallback): number;
    close(fd: number, callback?: OperationCallback): number;
    /** Position -1: where the file stands. */
    read(fd: number, target: ArrayBufferView, position: number, callback?: OperationCallback): number;
    write(fd: number, data: ArrayBufferView, position: number, callback?: OperationCallback): number;
    readFile(path: FilePath, flags: number, callback?: OperationCallback): ArrayBuffer | Failed;
    readRest(fd: number, callback?: OperationCallback): ArrayBuffer | Failed;
    writeFile(path: FilePath, data: ArrayBufferView, flags: number, mode: number, callback?: OperationCallback): number;
    fstat(fd: number, callback?: OperationCallback): Float64Array | Failed;
    ftruncate(fd: number, bytes: number, callback?: OperationCallback): number;
    fsync(fd: number, callback?: OperationCallback): number;
    fdatasync(fd: number, callback?: OperationCallback): number;
    fchmod(fd: number, mode: number, callback?: OperationCallback): number;
    fchown(fd: number, user: number, group: number, callback?: OperationCallback): number;
    futimes(fd: number, accessed: number, modified: number, callback?: OperationCallback): number;
    stat(path: FilePath, callback?: OperationCallback): Float64Array | Failed;
    lstat(path: FilePath, callback?: OperationCallback): Float64Array | Failed;
    statfs(path: FilePath, callback?: OperationCallback): Float64Array | Failed;
    access(path: FilePath, mode: number, callback?: OperationCallback): number;
    realpath(path: FilePath, callback?: OperationCallback): Name | Failed;
    readlink(path: FilePath, callback?: OperationCallback): Name | Failed;
    rename(from: FilePath, to: FilePath, callback?: OperationCallback): number;
    link(from: FilePath, to: FilePath, callback?: OperationCallback): number;
    symlink(target: FilePath, at: FilePath, callback?: OperationCallback): number;
    unlink(path: FilePath, callback?: OperationCallback): number;
    copyFile(from: FilePath, to: FilePath, mode: number, callback?: OperationCallback): number;
    truncate(path: FilePath, bytes: number, callback?: OperationCallback): number;
    chmod(path: FilePath, mode: number, callback?: OperationCallback): number;
    chown(path: FilePath, user: number, group: number, follow: boolean, callback?: OperationCallback): number;
    utimes(path: FilePath, accessed: number, modified: number, follow: boolean, callback?: OperationCallback): number;
    /** Name, kind (`UV_DIRENT_*`), name, kind … */
    readdir(path: FilePath, recursive: boolean, callback?: OperationCallback): (Name | number)[] | Failed;
    /** The first folder made when `recursive`. */
    mkdir(path: FilePath, mode: number, recursive: boolean, callback?: OperationCallback): Name | Failed;
    mkdtemp(prefix: FilePath, callback?: OperationCallback): Name | Failed;
    rmdir(path: FilePath, callback?: OperationCallback): number;
    rm(path: FilePath, recursive: boolean, force: boolean, callback?: OperationCallback): number;
  }

  /** `ops/web.rs` */
  interface WebOps {
    /** Puts `Intl` on the global object. */
    initialiseIntl(): void;
  }

  type ModuleFunction = (
    exports: object,
    require: (id: string) => unknown,
    module: { exports: unknown },
    filename: string,
    dirname: string,
  ) => void;

  /** `ops/net.rs`: sockets by number; negative results are errnos. */
  interface NetOps {
    readonly net: {
      connect(address: string, port: number, localAddress: string, localPort: number): number;
      connectPath(path: string): number;
      /** A pipe or a socket that is open; its descriptor is given up. */
      adopt(fd: number): number;
      /** `flags`: 1 IPv6 only, 2 reuse the port. */
      listen(address: string, port: number, backlog: number, flags: number): number;
      listenPath(path: string, backlog: number): number;
      listenFd(fd: number, backlog: number): number;
      /** From now on `onEvent` hears what happens (`SocketEvent` in `net/handle.ts`). */
      start(id: number, onEvent: (kind: number, value: unknown) => void): void;
      read(id: number, on: boolean): void;
      /** Bytes that wait to be written; 0: all is written. */
      write(id: number, data: string | Uint8Array, latin1: boolean): number;
      /** Ends the write side when all is written. */
      shutdown(id: number): void;
      close(id: number, reset: boolean): void;
      reference(id: number, on: boolean): void;
      setNoDelay(id: number, on: boolean): number;
      setKeepAlive(id: number, on: boolean, seconds: number): number;
      localName(id: number): SocketName | undefined;
      peerName(id: number): SocketName | undefined;
    };
  }

  /** `[address, family, port]`, or a path. */
  type SocketName = readonly [address: string, family: string, port: number] | string;

  /** `ops/http.rs`: HTTP/1 messages from bytes. */
  interface HttpOps {
    httpParser(isResponse: boolean, headBytesMax: number, fieldsMax: number): HttpParser;
  }

  interface HttpParser {
    /** The next event in `bytes` from `from` on: `[kind, consumed, …]`, see `http/parser.ts`. */
    step(bytes: Uint8Array, from: number): readonly [kind: number, consumed: number, ...rest: unknown[]];
    /** After a head. 0: content as its fields say. 1: none. 2: what follows is not HTTP. */
    decide(what: number): void;
    /** The peer has closed. */
    finish(): readonly [kind: number, consumed: number, ...rest: unknown[]];
  }

  /** `ops/tls.rs`: TLS without sockets. */
  interface TlsOps {
    /**
     * Without settings, a server's connection waits behind the client's first message until it accepts with
     * some.
     */
    tlsConnection(isServer: boolean, settings?: TlsSettings): TlsConnection;
  }

  interface TlsSettings {
    /** PEM. */
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
    readonly ca?: string | undefined;
    readonly alpn?: readonly string[] | undefined;
    readonly minVersion?: string | undefined;
    readonly maxVersion?: string | undefined;
    /** Of the server, for its client to send. */
    readonly servername?: string | undefined;
    /** A client without a certificate is refused. */
    readonly verify?: boolean | undefined;
    readonly requestCert?: boolean | undefined;
    /** A client's, from an earlier connection. */
    readonly session?: TlsSession | undefined;
    /** A server's: 48 bytes, and seconds. */
    readonly ticketKeys?: Uint8Array | undefined;
    readonly sessionTimeout?: number | undefined;
  }

  /** What lets a connection go on where an earlier one was. */
  interface TlsSession {
    readonly __tlsSession: never;
  }

  type TlsReceived = readonly [error: string, handshaking: boolean, closed: boolean, newSessions: number, ...plain: ArrayBuffer[]];

  /** What a client asks for. */
  interface TlsOffer {
    readonly servername?: string;
    readonly protocols?: readonly string[];
  }

  interface TlsConnection {
    receive(bytes: Uint8Array): TlsReceived;
    /** Goes on after an offer. */
    accept(settings: TlsSettings): TlsReceived;
    send(plain: Uint8Array): void;
    /** Bytes for the peer. */
    take(): ArrayBuffer | undefined;
    end(): void;
    /** Of a client, for a later one. */
    session(): TlsSession | undefined;
    state(certificates?: boolean): {
      /** The session of an earlier connection goes on. */
      readonly reused?: boolean;
      readonly alpn?: string;
      readonly version?: string;
      readonly cipher?: string;
      readonly servername?: string;
      readonly certificates?: readonly ArrayBuffer[];
      readonly offer?: TlsOffer;
      /** Why the peer's certificate is not trusted: OpenSSL's name. */
      readonly refusal?: string;
    };
  }

  /** `ops/dns.rs`; a status other than 0 is `getaddrinfo`'s. */
  interface DnsOps {
    lookup(name: string, family: number, flags: number, done: (status: number, addresses: string[]) => void): void;
    lookupService(address: string, port: number, done: (status: number, names: string[]) => void): void;
  }

  interface Ops
    extends
      NetOps,
      DnsOps,
      HttpOps,
      TlsOps,
      LoopOps,
      ProcessOps,
      EnvironmentOps,
      SignalOps,
      ScriptOps,
      StringOps,
      ByteOps,
      NumberOps,
      TerminalOps,
      ValueOps,
      ErrnoOps,
      UrlOps,
      CryptoOps,
      WebOps {}
  const ops: Ops;
  export default ops;
  export type { HashState, HttpParser, TlsConnection, TlsOffer, TlsReceived, TlsSession, TlsSettings, Ops, ModuleFunction, SocketName };
}
