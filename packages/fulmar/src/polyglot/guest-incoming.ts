/**
 * Replies of a guest, and calls of JavaScript's functions: settles what waits for them. One message that JavaScript can make
 * nothing of is an error of its call alone.
 */
import { guestBinding } from '../exchange/binding.ts';
import { type Described, errorOf, GuestError } from './errors.ts';
import { writeAnswer } from './guest-messages.ts';
import type { Caller, HandleMaker, Named, Pending, Settings, Siblings, Write } from './guest-types.ts';
import type { References } from './references.ts';
import { Inbox, Unusable } from './wire/inbox.ts';
import { IsolatedKind, Kind, MODULES_MIN, Reply } from './wire/tags.ts';

const INBOX_BYTES = 65_536;

/** Whose replies they are. */
interface Receiver {
  readonly guest: Caller;
  readonly maker: HandleMaker;
  readonly references: References;
  readonly siblings: Siblings | undefined;
  /** What the guest was started with. */
  readonly settings: () => Settings;
}

/** The guest's calls. */
interface Calls {
  /** One that is settled now, if it still waits. */
  take(call: number): Pending | undefined;
  /** Numbers of what those that wait lend. */
  lent(): readonly number[];
  /** Sends a message that has no reply. */
  tell(kind: number, write: Write): Named;
}

export class Incoming {
  readonly #receiver: Receiver;
  readonly #calls: Calls;
  #inbox: Uint8Array<ArrayBuffer> | undefined;
  /** Processes that have ended: what they asked is not answered. */
  #ended = 0;
  /** What calls have lent that were given up, until it is known whether the guest has it. */
  readonly #givenUp = new Map<number, readonly number[]>();

  constructor(receiver: Receiver, calls: Calls) {
    this.#receiver = receiver;
    this.#calls = calls;
  }

  /** Nobody waits any more for a call that has lent these. */
  givenUp(call: number, lent: readonly number[]): void {
    if (lent.length > 0) this.#givenUp.set(call, lent);
  }

  /** Settles all that is there. `isWaitedFor`: the JavaScript thread waits meanwhile. */
  receive(index: number, isWaitedFor: boolean): void {
    const inbox = (this.#inbox ??= new Uint8Array(INBOX_BYTES));
    const received = guestBinding().guestReceive(index, inbox);
    if (received === 0) return;
    const { guest, maker, references, siblings } = this.#receiver;
    const isPlaced = typeof received === 'number';
    const bytes = isPlaced ? inbox.slice(0, received) : new Uint8Array(received[0] as ArrayBuffer);
    const messages = new Inbox(bytes, isPlaced ? [] : received, {
      // Modules are those of all processes.
      handle: (id, className) => maker.make(id < MODULES_MIN ? guest : (siblings ?? guest), id, className),
      borrowed: (id) => references.get(id),
    });
    while (messages.at < messages.end) {
      const length = messages.uint32();
      const attached = messages.uint32();
      const start = messages.at;
      const taken = messages.taken + attached;
      try {
        this.#settle(messages, isWaitedFor);
      } catch (error) {
        messages.at = start;
        this.#misread(messages, error);
      }
      // Whatever was made of it, the next one begins there.
      messages.at = start + length;
      messages.taken = taken;
    }
  }

  /** A message that holds what JavaScript has no value for, as a list that is too long. Of another process it may be broken. */
  #misread(messages: Inbox, cause: unknown): void {
    const kind = messages.byte();
    const id = messages.id();
    const { name } = this.#receiver.guest;
    const isBroken = this.#receiver.siblings !== undefined && !(cause instanceof Unusable);
    const text = isBroken
      ? `the process of ${name} in which the call ran sent what is no value, and is replaced`
      : `what ${name} gives cannot be a value of JavaScript's: ${(cause as Error).message}`;
    const error = new GuestError(isBroken ? 'ERR_GUEST_CRASHED' : 'ERR_GUEST_VALUE', name, text, {}, { cause });
    if (kind === Reply.VALUE || kind === Reply.ERROR) {
      this.#calls.take(id)?.reject(error);
      this.#givenUp.delete(id);
    }
    if (isBroken) this.#calls.tell(IsolatedKind.DOUBT, (outbox) => outbox.id(this.#ended));
    else if (kind === Reply.CALLBACK) this.#answer(id, false, error);
  }

  #settle(messages: Inbox, isWaitedFor: boolean): void {
    const { guest, references } = this.#receiver;
    const kind = messages.byte();
    const id = messages.id();
    switch (kind) {
      case Reply.VALUE: {
        const value = messages.value();
        // A handle that nobody waits for is let go of by the registry.
        this.#calls.take(id)?.resolve(value);
        this.#givenUp.delete(id);
        return;
      }
      case Reply.ERROR: {
        const described = messages.value() as Described;
        const error = errorOf(guest.name, this.#explained(described));
        this.#calls.take(id)?.reject(error);
        // It waited when it was given up: the guest has not had it.
        if (described.code === 'ERR_GUEST_TIMEOUT') for (const one of this.#givenUp.get(id) ?? []) references.letGo(one);
        this.#givenUp.delete(id);
        return;
      }
      case Reply.CALLBACK: {
        const target = messages.size();
        const args = Array.from({ length: messages.size() }, () => messages.value());
        this.#called(id, { target, args }, isWaitedFor);
        return;
      }
      case Reply.LET_GO:
        references.letGo(id);
        return;
      case Reply.ENDED:
        references.keepOnly(this.#calls.lent());
        this.#givenUp.clear();
        this.#ended += 1;
        return;
      default:
        throw new Error(`a message of the kind ${kind} from ${guest.name}`);
    }
  }

  #explained(described: Described): Described {
    const { guest, settings } = this.#receiver;
    const { class: className, message = '' } = described;
    const more = className === undefined ? undefined : guest.language.explain?.({ class: className, message }, settings());
    return more === undefined ? described : { ...described, message: `${message} ${more}` };
  }

  /** The guest calls a function of JavaScript's. */
  #called(number: number, { target, args }: { readonly target: number; readonly args: readonly unknown[] }, isWaitedFor: boolean): void {
    const { maker, references } = this.#receiver;
    let result: unknown;
    try {
      result = references.call(target, args);
    } catch (error) {
      return this.#answer(number, false, error);
    }
    if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function' || maker.ownerOf(result as object) !== undefined)
      return this.#answer(number, true, result);
    if (isWaitedFor) {
      const reason = 'a function that is called while the JavaScript thread waits (sync: true) cannot return a promise';
      return this.#answer(number, false, new TypeError(reason));
    }
    const ended = this.#ended;
    (result as PromiseLike<unknown>).then(
      (value) => this.#answer(number, true, value, ended),
      (error: unknown) => this.#answer(number, false, error, ended),
    );
  }

  #answer(number: number, hasReturned: boolean, value: unknown, ended = this.#ended): void {
    if (ended !== this.#ended) return;
    const tell = (returned: boolean, answer: unknown): unknown =>
      this.#calls.tell(Kind.RESOLVE, (outbox) => writeAnswer(outbox, number, returned, answer));
    try {
      tell(hasReturned, value);
    } catch (error) {
      try {
        tell(false, error);
      } catch {
        // An error that throws when it is looked at.
        tell(false, 'an error that cannot be read');
      }
    }
  }
}
