/**
 * A language in processes of its own, for code that may crash or must use several cores: a call of a module goes to the
 * process with the fewest, one of an object to the process that has it. What a process is, and how it is replaced, is said
 * in `crates/guest-isolated`; here one is a guest like any other.
 */
import { guestLibrary, guestWorker } from '../exchange/binding.ts';
import { nearest } from '../host/suggest.ts';
import { GuestError } from './errors.ts';
import { Guest } from './guest.ts';
import { writeImport } from './guest-messages.ts';
import type { Caller, HandleMaker, Language, SentOptions, Settings, Siblings, Write } from './guest-types.ts';
import type { IsolatedOptions } from './types.ts';
import { Outbox } from './wire/outbox.ts';
import { IsolatedKind, MODULES_MIN } from './wire/tags.ts';

const PROCESSES_MAX = 256;
/** Modules that are kept: they are imported again where a process is replaced. */
const MODULES_MAX = 10_000;
/** Calls that wait within a process: they are counted here. */
const QUEUE_OF_PROCESS = 2 ** 31;

const LIMITS = { processes: PROCESSES_MAX, threads: 256, queue: 1_000_000, grace: 3_600_000 } as const;
type Limit = keyof typeof LIMITS;

/** @throws TypeError for a name or a value that is none of them */
export function checkIsolatedOptions(options: IsolatedOptions, where: string): IsolatedOptions {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!(name in LIMITS)) {
      const near = nearest(name, Object.keys(LIMITS));
      const hint = near === undefined ? `they are ${Object.keys(LIMITS).join(', ')}` : `did you mean ${near}?`;
      throw new TypeError(`${where} knows no option ${JSON.stringify(name)}: ${hint}`);
    }
    const max = LIMITS[name as Limit];
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max))
      throw new TypeError(`${where}: ${name} is a whole number from 1 to ${max}, and this is ${String(value)}`);
  }
  return options;
}

/** The call belongs to another process than the one that it was written for. */
class Elsewhere extends GuestError {
  readonly owner: Guest;

  constructor(guest: Guest) {
    super('ERR_GUEST_VALUE', guest.name, 'an object of one process cannot be given to a call of another: each has its own');
    this.owner = guest;
  }
}

export class Processes implements Siblings {
  readonly language: Language;
  generation = 0;
  readonly keepsModules = true;
  readonly definitions: Write[] = [];
  readonly #guests: readonly Guest[];
  readonly #modules = new Map<string, number>();
  #closing: Promise<void> | undefined;

  constructor(language: Language, maker: HandleMaker, options: IsolatedOptions) {
    this.language = language;
    const isolated = isolatedLanguage(language, options);
    this.#guests = Array.from({ length: options.processes ?? 1 }, () => new Guest(isolated, maker, this));
  }

  get name(): string {
    return this.language.name;
  }

  get isStarted(): boolean {
    return this.#guests.some((guest) => guest.isStarted);
  }

  /** Starts all of them. */
  async open(): Promise<void> {
    await Promise.all(this.#guests.map((guest) => guest.open()));
  }

  async request(kind: number, write: Write, options?: SentOptions): Promise<unknown> {
    this.#check();
    const guest = this.#pick();
    try {
      return await guest.requestOpen(kind, write, options ?? {});
    } catch (error) {
      if (!(error instanceof Elsewhere) || error.owner === guest) throw error;
      return error.owner.requestOpen(kind, write, options ?? {});
    }
  }

  requestOpen(kind: number, write: Write, options: SentOptions): Promise<unknown> {
    return this.request(kind, write, options);
  }

  requestNow(kind: number, write: Write, options?: SentOptions): unknown {
    this.#check();
    const guest = this.#pick();
    try {
      return guest.requestNow(kind, write, options);
    } catch (error) {
      if (!(error instanceof Elsewhere) || error.owner === guest) throw error;
      return error.owner.requestNow(kind, write, options);
    }
  }

  /** A module has a number, the same in all processes, and is imported in each that a call of it comes to. */
  importing(specifier: string, given: Readonly<Record<string, unknown>> | undefined): readonly [kind: number, write: Write] {
    // Each process imports a module once: what has changed since is another one.
    const options = this.generation === 0 ? given : { ...given, reload: true };
    const key = JSON.stringify([specifier, given, this.generation]);
    let number = this.#modules.get(key);
    if (number === undefined) {
      if (this.definitions.length >= MODULES_MAX)
        throw new GuestError('ERR_GUEST_BUSY', this.name, `${MODULES_MAX} modules are imported in isolated processes: no more are kept`);
      const made = MODULES_MIN + this.definitions.length;
      const definition: Write = (outbox) => {
        outbox.id(made);
        writeImport(outbox, specifier, options);
      };
      const probe = new Outbox({ language: this.name, ownerOf: () => undefined, isLent: () => false, lend: () => 0 });
      try {
        definition(probe);
      } catch {
        // Each process gets definitions before its next call: what cannot be written is an error of this import alone.
        return [IsolatedKind.LOAD, definition];
      }
      number = made;
      this.#modules.set(key, number);
      this.definitions.push(definition);
    }
    const known = number;
    return [IsolatedKind.LOAD, (outbox) => outbox.id(known)];
  }

  /** Modules are not let go of. */
  release(): void {
    // See above.
  }

  refuse(owner: Caller): void {
    if (owner === this)
      throw new GuestError(
        'ERR_GUEST_VALUE',
        this.name,
        'a module that is imported in isolated processes cannot be given to a call: give its name, and import it there',
      );
    if (this.#guests.includes(owner as Guest)) throw new Elsewhere(owner as Guest);
  }

  /** Ends the processes, once the calls that run have their results, or the time is over. */
  close(timeoutMs: number): Promise<void> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (const guest of this.#guests) {
      await guest.settled(end - performance.now());
      guest.close();
    }
  }

  #check(): void {
    if (this.#closing !== undefined)
      throw new GuestError('ERR_GUEST_UNAVAILABLE', this.name, `these processes of ${this.name} were closed`);
  }

  /** The one with the fewest calls. Where all have some, one more is started, for the calls that come then. */
  #pick(): Guest {
    const open = this.#guests.filter((guest) => guest.isOpen);
    const [first = this.#guests[0] as Guest, ...others] = open.length === 0 ? this.#guests : open;
    let picked = first;
    for (const guest of others) if (guest.load < picked.load) picked = guest;
    if (picked.load > 0)
      this.#guests
        .find((guest) => !guest.isStarted)
        ?.open()
        .catch(() => undefined);
    return picked;
  }
}

/** What the library that isolates needs to know, beside what the language does. */
function isolatedLanguage(language: Language, options: IsolatedOptions): Language {
  const { threads, queue, grace } = options;
  const settings = (found: Settings): Settings => ({
    ...found,
    ...(threads === undefined ? {} : { threads }),
    ...(queue === undefined ? {} : { 'isolated.queue': queue }),
    ...(grace === undefined ? {} : { 'isolated.grace': grace }),
    queue: QUEUE_OF_PROCESS,
    'isolated.language': language.name,
    'isolated.program': guestWorker(),
    'isolated.library': guestLibrary(language.name),
  });
  let finding: Promise<Settings> | undefined;
  return {
    name: language.name,
    library: 'isolated',
    ...(language.pathOptions === undefined ? {} : { pathOptions: language.pathOptions }),
    ...(language.explain === undefined ? {} : { explain: language.explain }),
    async find() {
      // Once for all of them; where it is not there, the next call looks again.
      finding ??= language.find();
      try {
        return settings(await finding);
      } catch (error) {
        finding = undefined;
        throw error;
      }
    },
    findNow: () => settings(language.findNow()),
  };
}
