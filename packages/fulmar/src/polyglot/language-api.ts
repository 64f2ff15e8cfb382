/**
 * What `python`, `ruby` and `java` are: modules, code, what is built in. A specifier that begins with `./` or `../` is
 * a file beside the one that calls.
 */
import { callerFolder } from './caller.ts';
import { embedded } from './embedded.ts';
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { Guest, type Language } from './guest.ts';
import { makeHandle, makePending, makeRoot, ownerOf } from './handle.ts';
import { type GuestReport, lookFor } from './look.ts';
import type { EvalOptions, GuestInfo, GuestObject, ImportOptions, ModuleOf } from './types.ts';
import { Form, Kind } from './wire/tags.ts';

const maker = { make: makeHandle, ownerOf };

const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier);

export class GuestLanguage {
  readonly #guest: Guest;

  constructor(language: Language) {
    this.#guest = new Guest(language, maker);
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
    const { from, options: own, ...call } = options;
    return this.#begin(Kind.IMPORT, call, 'import()', (outbox) => {
      const { file, sources } = embedded(this.#resolve(specifier, from));
      outbox.text(file);
      outbox.value(sources === undefined ? (own ?? null) : { ...own, sources });
    });
  }

  /** The same at once: members of it can be called before it is there. */
  importLater<Module extends object = GuestObject>(specifier: string, options: Omit<ImportOptions, 'sync'> = {}): ModuleOf<Module> {
    const { from, ...rest } = options;
    const resolved = this.#resolve(specifier, from);
    const pending = this.import<object>(resolved, { ...rest });
    const { options: _own, ...call } = rest;
    return makePending(this.#guest, pending, specifier, call) as ModuleOf<Module>;
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
  evalLater(code: string, options: Omit<EvalOptions, 'sync'> = {}): GuestObject {
    const { locals: _locals, name, ...call } = options;
    return makePending(this.#guest, this.eval(code, { ...options }), name ?? 'a value', call) as GuestObject;
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

  #begin(kind: number, options: CallOptions, where: string, write: Parameters<Guest['request']>[1]): unknown {
    checkCallOptions(options, `${this.name}.${where}`);
    return options.sync === true ? this.#guest.requestNow(kind, write, options) : this.#guest.request(kind, write, options);
  }

  #resolve(specifier: string, from: string | undefined): string {
    if (typeof specifier !== 'string' || specifier === '')
      throw new TypeError(`${this.name}.import(): the name of a module is expected, or a path`);
    if (!isRelative(specifier)) return specifier;
    const { resolve } = process.getBuiltinModule('node:path');
    return resolve(callerFolder(from), specifier);
  }
}
