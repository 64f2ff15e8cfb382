/** What a guest is to the rest of this layer: the language that it opens, whom calls are sent to, what handles are made by. */
import type { CallOptions } from './call-options.ts';
import type { Outbox } from './wire/outbox.ts';

/** Writes what follows the kind of a message. */
export type Write = (outbox: Outbox) => void;

/**
 * What a language needs to be opened: what `Settings` of `crates/guest/src/language.rs` reads. `version` and `reason` (what
 * chose it) are for people (`look.ts`), and not sent.
 */
export type Settings = Readonly<Record<string, string | number | readonly string[]>>;

/** `'texts'`: a list of them. */
export type OptionKind = 'text' | 'texts' | 'number';

export interface Language {
  readonly name: 'python' | 'ruby' | 'java';
  /** Of the library, where that is another. */
  readonly library?: string;
  /** Finds the language on this machine. Rejects with what to install. `configured` is what the application has asked for. */
  find(configured?: Settings): Promise<Settings>;
  /** The same, waiting for it. */
  findNow(configured?: Settings): Settings;
  /** What is added to the message of an exception that tells less than is known here: which installation it was. */
  explain?(thrown: { readonly class: string; readonly message: string }, settings: Settings): string | undefined;
  /** What it can be configured with besides what all can, by name. */
  readonly configurable?: Readonly<Record<string, OptionKind>>;
  /** Names of options of `import()` that are paths, or lists of them. A language without them has no options of its own. */
  readonly pathOptions?: readonly string[];
}

/** Options of a call, and its name where that may be wanted. */
export interface SentOptions extends CallOptions {
  readonly what?: () => string;
}

/** Whom handles and modules send their calls to: a guest, or several that are isolated. */
export interface Caller {
  readonly name: string;
  readonly language: Language;
  /** Whether it was opened, or is being. */
  readonly isStarted: boolean;
  /** Of what is imported: another one where files are to be loaded anew. */
  generation: number;
  /** It keeps which modules were imported, and imports those of another generation anew by itself. */
  readonly keepsModules: boolean;
  open(): Promise<void>;
  /** Sends a message, and gives what is replied. */
  request(kind: number, write: Write, options?: SentOptions): Promise<unknown>;
  /** The same for one that is open, without a step between. */
  requestOpen(kind: number, write: Write, options: SentOptions): Promise<unknown>;
  /** The same, waiting for the reply. Functions that the guest calls meanwhile run. */
  requestNow(kind: number, write: Write, options?: SentOptions): unknown;
  /** The message that imports a module. */
  importing(specifier: string, options: Readonly<Record<string, unknown>> | undefined): readonly [kind: number, write: Write];
  /** A handle is not used any more. */
  release(id: number): void;
}

/** An object of a guest's, which has a number until it is let go of. */
export interface Owned {
  readonly guest: Caller;
  readonly id: number | undefined;
  /** A call names it: the guest keeps it until that is settled, whatever JavaScript does with its handle meanwhile. */
  hold(): void;
  /** That call is settled. */
  rest(): void;
}

/** What handles are made by (`handle.ts`). */
export interface HandleMaker {
  make(guest: Caller, id: number, className: string): object;
  /** Whose handle that is. */
  ownerOf(value: object): Owned | undefined;
}

/** What a message has from JavaScript. */
export interface Named {
  /** Numbers of what it lends. */
  readonly lent: readonly number[];
  /** Objects of the guest's that it names. */
  readonly owners: readonly Owned[];
}

/** What a guest belongs to that is one of several processes (`isolated.ts`). */
export interface Siblings extends Caller {
  /** Modules by their order: number, and what imports them. Each process is told of all. */
  readonly definitions: readonly Write[];
  /** Throws for a handle of another process, and for a module. */
  refuse(owner: Caller): void;
}

/** A call whose reply is waited for. */
export interface Pending extends Named {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
  signal: AbortSignal | undefined;
  onAbort: (() => void) | undefined;
}
