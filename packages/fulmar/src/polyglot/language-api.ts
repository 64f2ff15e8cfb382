/**
 * What `python`, `ruby` and `java` are: modules, code, what is built in. A specifier that begins with `./` or `../` is
 * a file beside the one that calls.
 */
import { type DevGuest, readGlobal } from '../host/globals.ts';
import { callerFile, callerFolder } from './caller.ts';
import { embedded, filesAt } from './embedded.ts';
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { checkConfiguration, type GuestConfiguration } from './configuration.ts';
import { Guest } from './guest.ts';
import type { Caller, Language, Write } from './guest-types.ts';
import { get, makeHandle, makePending, makeRoot, ownerOf } from './handle.ts';
import { checkIsolatedOptions, Processes } from './isolated.ts';
import { type GuestReport, lookFor } from './look.ts';
import type { EvalOptions, GuestInfo, GuestObject, GuestValue, ImportOptions, IsolatedOptions, ModuleOf } from './types.ts';
import { Form, Kind } from './wire/tags.ts';

/** Of a language that computes: `fulmar dev` goes on. */
const FORGET_TIMEOUT_MS = 2_000;

const IMPORT_OPTIONS = ['from', 'reload', 'options', 'isolated'] as const;
const EVAL_OPTIONS = ['locals', 'name'] as const;

const maker = { make: makeHandle, ownerOf };

const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier);

/** What was given instead of a name. */
const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : Object.prototype.toString.call(value));

/** How long `close()` waits for calls that run. */
const CLOSE_TIMEOUT_MS = 10_000;

/** What a language in this process and one in processes of its own have in common. */
export class GuestCode {
  readonly #guest: Caller;
  readonly #dev: DevGuest = {
    forget: async (folder, files) => {
      if (!this.isStarted) return [];
      if (this.#guest.keepsModules) {
        this.#guest.generation += 1;
        return files ?? [folder];
      }
      const forget = files === undefined ? { folder } : { folder, files };
      const [kind, write] = this.#guest.importing('', { forget });
      try {
        const known = await this.#begin(kind, { timeout: FORGET_TIMEOUT_MS }, 'import()', write);
        // What is imported comes as a handle, whatever it is.
        return (await get(known as object)) as readonly string[];
      } finally {
        // Not before: handles that were made at once ask again from here on.
        this.#guest.generation += 1;
      }
    },
  };

  constructor(guest: Caller) {
    this.#guest = guest;
  }

  get name(): string {
    return this.#guest.name;
  }

  /**
   * A module, by name or as a file. It is loaded once in a process.
   * @throws GuestError what the module throws while it is loaded, and where there is none
   */
  import<Module extends object = GuestObject>(
    specifier: string,
    options?: ImportOptions & { readonly sync?: false },
  ): Promise<ModuleOf<Module>>;
  import<Module extends object = GuestObject>(specifier: string, options: ImportOptions & { readonly sync: true }): ModuleOf<Module>;
  import(specifier: string, options: ImportOptions = {}): unknown {
    const resolved = this.#resolve(specifier, options.from);
    const { isolated, ...rest } = this.#withPaths(options);
    if (isolated !== undefined && isolated !== false) return this.shared(isolated).import(resolved, rest as never);
    const loaded = this.#load(resolved, rest);
    if (options.sync !== true) this.#note(resolved, loaded as Promise<unknown>, true);
    return loaded;
  }

  #load(resolved: string, { from: _from, options: own, isolated: _isolated, reload, ...call }: ImportOptions): unknown {
    if (reload !== undefined && typeof reload !== 'boolean') throw new TypeError(`${this.name}.import(): reload is true or false`);
    // Texts are what an executable carries.
    const unknown = this.#guest.language.pathOptions === undefined ? Object.keys(own ?? {}).find((name) => name !== 'sources') : undefined;
    if (unknown !== undefined) throw new TypeError(`${this.name}.import(): ${this.name} has no options of its own, and no ${unknown}`);
    if (reload === true && this.#guest.keepsModules) this.#guest.generation += 1;
    const more = reload === true && !this.#guest.keepsModules ? { ...own, reload } : own;
    const { file, sources } = embedded(resolved);
    const [kind, write] = this.#guest.importing(file, sources === undefined ? more : { ...more, sources });
    const loaded = this.#begin(kind, call, 'import()', write);
    if (reload !== true || this.#guest.keepsModules) return loaded;
    // Handles that were made at once ask again.
    const renew = (): void => void (this.#guest.generation += 1);
    if (call.sync === true) renew();
    else (loaded as Promise<unknown>).then(renew, renew);
    return loaded;
  }

  /** The processes of all that ask for the same ones. */
  protected shared(isolated: true | IsolatedOptions): GuestCode {
    throw new TypeError(`${this.name}.import(): this is isolated already, and asked to be with ${JSON.stringify(isolated)}`);
  }

  /** `fulmar dev` watches files. */
  #note(resolved: string, outcome: Promise<unknown>, isAwaited: boolean): void {
    const watching = readGlobal('fulmar.guests');
    if (watching === undefined || !resolved.startsWith('/')) return;
    watching.imported(this.#dev, resolved, { importer: callerFile(), outcome, isAwaited });
  }

  /** The same at once: members of it can be called before it is there. */
  importLater<Module extends object = GuestObject>(specifier: string, options: Omit<ImportOptions, 'sync'> = {}): ModuleOf<Module> {
    const resolved = this.#resolve(specifier, options.from);
    const { isolated, ...rest } = this.#withPaths(options);
    if (isolated !== undefined && isolated !== false) return this.shared(isolated).importLater(resolved, rest);
    // Asked for again, it is what there is then.
    const { reload: _again, ...kept } = rest;
    const again = (): Promise<unknown> => this.#load(resolved, kept) as Promise<unknown>;
    const { options: _own, from: _from, reload: _reload, ...call } = rest;
    const pending = this.#load(resolved, rest) as Promise<unknown>;
    this.#note(resolved, pending, false);
    return makePending(this.#guest, { pending, again }, { name: specifier, options: call }) as ModuleOf<Module>;
  }

  /**
   * The value of the last expression of `code`; `locals` are names that it can use.
   * @throws GuestError what the code throws
   */
  eval(code: string, options?: EvalOptions & { readonly sync?: false }): Promise<unknown>;
  eval(code: string, options: EvalOptions & { readonly sync: true }): unknown;
  eval(code: string, options: EvalOptions = {}): unknown {
    return this.#evaluate(code, options, false);
  }

  /** As `eval`, for what it does: no value comes back. */
  exec(code: string, options: EvalOptions = {}): unknown {
    return this.#evaluate(code, options, true);
  }

  /** The same as `eval`, at once. */
  evalLater(code: string, options: Omit<EvalOptions, 'sync'> = {}): GuestValue {
    const { locals: _locals, name, ...call } = options;
    return makePending(this.#guest, { pending: this.eval(code, { ...options }) }, { name: name ?? 'a value', options: call }) as GuestValue;
  }

  /** What is built in, and modules, as members: `await python.root.math.sqrt(2)`. */
  get root(): GuestObject {
    return makeRoot(this.#guest, {}) as GuestObject;
  }

  /** What runs: version, where it is. Starts it. */
  describe(): Promise<GuestInfo> {
    return this.#guest.request(Kind.DESCRIBE, () => undefined) as Promise<GuestInfo>;
  }

  /** What there is of it on this machine, and why it cannot be used where it cannot. Does not start it. Never rejects. */
  look(): Promise<GuestReport> {
    return lookFor(this.#guest.language);
  }

  /** Starts it before it is first used. */
  start(): Promise<void> {
    return this.#guest.open();
  }

  /** Whether it has been started, or is being. */
  get isStarted(): boolean {
    return this.#guest.isStarted;
  }

  #evaluate(code: string, options: EvalOptions, isStatement: boolean): unknown {
    const { locals, name, ...call } = options;
    return this.#begin(Kind.EVAL, call, 'eval()', (outbox) => {
      outbox.text(code);
      outbox.text(name ?? '');
      outbox.byte(call.result === 'handle' ? Form.HANDLE : Form.AUTO);
      outbox.value({ locals, statements: isStatement });
    });
  }

  #begin(kind: number, options: CallOptions, where: string, write: Write): unknown {
    checkCallOptions(options, `${this.name}.${where}`, where === 'import()' ? IMPORT_OPTIONS : EVAL_OPTIONS);
    return options.sync === true ? this.#guest.requestNow(kind, write, options) : this.#guest.request(kind, write, options);
  }

  /** Options with the paths among the language's own made whole: they are relative to the file that calls, too. */
  #withPaths(options: ImportOptions): ImportOptions {
    const { options: own, from } = options;
    const { pathOptions = [] } = this.#guest.language;
    const given = pathOptions.filter((name) => own?.[name] !== undefined);
    if (own === undefined || given.length === 0) return options;
    const { resolve } = process.getBuiltinModule('node:path');
    const folder = callerFolder(from);
    const whole = (path: unknown): unknown => (typeof path === 'string' && path !== '' ? filesAt(resolve(folder, path)) : path);
    const made = given.map((name): [string, unknown] => {
      const value = own[name];
      return [name, (Array.isArray(value) ? value : [value]).flatMap(whole)];
    });
    return { ...options, options: { ...own, ...Object.fromEntries(made) } };
  }

  #resolve(specifier: string, from: string | undefined): string {
    if (typeof specifier !== 'string' || specifier === '')
      throw new TypeError(`${this.name}.import(): the name of a module is expected, or a path, and this is ${shown(specifier)}`);
    if (specifier.startsWith('file:')) return process.getBuiltinModule('node:url').fileURLToPath(specifier);
    if (!isRelative(specifier)) return specifier;
    const { resolve } = process.getBuiltinModule('node:path');
    return resolve(callerFolder(from), specifier);
  }
}

/** A language in this process. */
export class GuestLanguage extends GuestCode {
  readonly #language: Language;
  readonly #own: Guest;
  readonly #shared = new Map<string, IsolatedGuest>();

  constructor(language: Language) {
    const own = new Guest(language, maker);
    super(own);
    this.#own = own;
    this.#language = language;
  }

  /**
   * What it is started with: before its first use, and the same in each thread of JavaScript's that uses it.
   * @throws TypeError for options that are none
   * @throws Error once it has been started
   */
  configure(options: GuestConfiguration): void {
    this.#own.configure(checkConfiguration(options, this.#language));
  }

  /** Processes are started with what was configured, too. */
  #configuredLanguage(): Language {
    const language = this.#language;
    const { configured } = this.#own;
    return {
      ...language,
      find: async () => ({ ...configured, ...(await language.find(configured)) }),
      findNow: () => ({ ...configured, ...language.findNow(configured) }),
    };
  }

  /**
   * The same language in processes of its own, for code that may crash or must use several cores. A process that ends takes the
   * calls that ran in it (`ERR_GUEST_CRASHED`) and its objects along, and is replaced.
   */
  isolated(options: IsolatedOptions = {}): IsolatedGuest {
    return new IsolatedGuest(this.#configuredLanguage(), checkIsolatedOptions(options, `${this.name}.isolated()`));
  }

  protected override shared(isolated: true | IsolatedOptions): GuestCode {
    const options = isolated === true ? {} : isolated;
    const { processes = 1, threads, queue, grace } = checkIsolatedOptions(options, `${this.name}.import()`);
    const key = [processes, threads, queue, grace].join();
    let found = this.#shared.get(key);
    if (found === undefined) {
      found = new IsolatedGuest(this.#configuredLanguage(), options);
      this.#shared.set(key, found);
    }
    return found;
  }
}

/** A language in processes of its own. */
export class IsolatedGuest extends GuestCode {
  readonly #processes: Processes;

  constructor(language: Language, options: IsolatedOptions) {
    const processes = new Processes(language, maker, options);
    super(processes);
    this.#processes = processes;
  }

  /** Ends the processes. Calls that run have `timeout` milliseconds for it (10,000); then they are an error. */
  close({ timeout = CLOSE_TIMEOUT_MS }: { readonly timeout?: number } = {}): Promise<void> {
    return this.#processes.close(timeout);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
