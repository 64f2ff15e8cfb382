/** The shapes of this layer. */
import type { CallOptions } from './call-options.ts';

/** An object that stays with its language: `using` lets go of it at the end of a block, as `release()` does. */
export interface GuestHandle {
  [Symbol.dispose](): void;
}

/* oxlint-disable typescript/no-explicit-any -- nothing is known of what another language gives: whoever wants types says them, `python.import<Model>()` */
/** What can be done with an object of another language, of which no types are known. */
interface GuestMembers {
  (...args: readonly unknown[]): Promise<any>;
  new (...args: readonly unknown[]): Promise<GuestObject>;
  [Symbol.asyncIterator](): AsyncIterator<any>;
  readonly [member: string]: any;
}

/**
 * An object of another language, of which no types are known: members can be called, constructed, awaited for their
 * value, or gone through.
 */
export interface GuestObject extends GuestMembers, GuestHandle {
  /** It is what it is, and not awaited for something else. */
  readonly then?: undefined;
}

/** What code comes to, before it is known what that is: await it, or call its members. */
export type GuestValue = GuestMembers & PromiseLike<any>;

/** The same, where the language is waited for. */
export type GuestValueNow = any;
/* oxlint-enable typescript/no-explicit-any */

/**
 * What `import()` gives for a type: that of the default export, where it is one of a module (`typeof import('./model.py')`),
 * or the type itself.
 */
export type ModuleOf<Module> = Module extends { readonly default: infer Default extends object } ? Default : Module;

export interface ImportOptions extends CallOptions {
  /** The file that a relative specifier is relative to, as path or URL: `import.meta.url`. Default: the one that calls. */
  readonly from?: string;
  /** Loads it anew, with all modules of its folder. Objects of what was loaded before stay as they are. */
  readonly reload?: boolean;
  /** What the language itself takes, as Java's `classPath`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** In processes of its own, which are shared by all that ask for the same; `true`: in one. */
  readonly isolated?: boolean | IsolatedOptions;
}

/** How a language is run in processes of its own. */
export interface IsolatedOptions {
  /** How many, each started when those before it are busy. Default: 1. */
  readonly processes?: number;
  /** Calls that a process runs side by side. Default: 4. */
  readonly threads?: number;
  /** Calls that may wait for one process; more are refused (`ERR_GUEST_BUSY`). Default: 1,000. */
  readonly queue?: number;
  /** Milliseconds that a call which was given up may go on, before its process is ended and replaced. Default: 5,000. */
  readonly grace?: number;
}

export interface EvalOptions extends CallOptions {
  /** Names that the code can use. */
  readonly locals?: Readonly<Record<string, unknown>>;
  /** Of the code, in traces of errors. */
  readonly name?: string;
}

/** What runs. */
export interface GuestInfo {
  readonly language: string;
  readonly version: string;
  readonly implementation: string;
  readonly executable?: string;
  readonly [more: string]: unknown;
}
