/** Messages to a guest, one after the other: what they lend, and whose objects they name. */
import { guestBinding } from '../exchange/binding.ts';
import { GuestError } from './errors.ts';
import { Lent } from './guest-messages.ts';
import type { Caller, HandleMaker, Named, Settings, Siblings, Write } from './guest-types.ts';
import type { References } from './references.ts';
import { Outbox } from './wire/outbox.ts';

/** Whose messages they are. */
interface Sender {
  readonly guest: Caller;
  readonly maker: HandleMaker;
  readonly references: References;
  readonly siblings: Siblings | undefined;
  /** What the guest was started with. */
  readonly settings: () => Settings;
}

/** Calls that may wait, where nothing else is said: that of the guests. */
const QUEUE = 1_000;

export class Outgoing {
  readonly #sender: Sender;
  #free: Outbox | undefined;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** A value alone, as bytes. */
  encode(value: unknown): Uint8Array {
    const outbox = this.#newOutbox();
    outbox.value(value);
    return outbox.bytes.subarray(0, outbox.at);
  }

  /** Hands a message over to the guest of that number. Gives what it lends and names. */
  post(index: number, call: number, kind: number, write: Write): Named {
    // A getter or a `toJSON` may come here again.
    const outbox = this.#free ?? this.#newOutbox();
    this.#free = undefined;
    outbox.start(call, kind);
    // Nobody waits for what has no number.
    const isCounted = call !== 0;
    let code = -1;
    try {
      write(outbox);
      const attached = outbox.attached.length === 0 ? undefined : outbox.attached;
      code = guestBinding().guestSubmit(index, outbox.bytes, outbox.at, isCounted, attached);
    } finally {
      // What did not go over lends nothing.
      if (code !== 0) for (const id of outbox.lent) this.#sender.references.letGo(id);
      outbox.rest();
      this.#free = outbox;
    }
    // Nothing has to be told to what is no more.
    if (code === 0 || (code === 2 && !isCounted)) return { lent: outbox.lent, owners: outbox.owners };
    const { name } = this.#sender.guest;
    if (code === 1)
      throw new GuestError('ERR_GUEST_BUSY', name, `${this.#queue} calls of ${name} wait, as many as may (queue): try again later`);
    throw new GuestError('ERR_GUEST_UNAVAILABLE', name, `${name} has ended`);
  }

  /** Of one of several processes it is that of each; those count no further themselves. */
  get #queue(): number {
    const { settings, siblings } = this.#sender;
    return Number(settings()[siblings === undefined ? 'queue' : 'isolated.queue'] ?? QUEUE);
  }

  #newOutbox(): Outbox {
    const { guest, maker, references, siblings } = this.#sender;
    return new Outbox({
      language: guest.name,
      ownerOf: (value) => {
        const owner = maker.ownerOf(value);
        // One that was let go of is refused there.
        if (owner === undefined || owner.guest === guest || owner.id === undefined) return owner;
        siblings?.refuse(owner.guest);
        return undefined;
      },
      isLent: (value) => typeof value === 'function' || value instanceof Lent || maker.ownerOf(value) !== undefined,
      lend: (value) => references.lend(value instanceof Lent ? value.value : value),
    });
  }
}
