/**
 * What stands behind handles and paths: an object of a guest's, with its number there. It is let go of when nobody has its
 * handles any more, or asks for that, and no call that names it is on its way. Sends nothing itself.
 */
import type { Caller, Owned } from './guest-types.ts';

/** An object there: its number, or the promise of it. */
export class Owner implements Owned {
  readonly guest: Caller;
  readonly className: string;
  id: number | undefined;
  pending: Promise<Owner> | undefined;
  /** What a handle that is there at once comes to. */
  result: Promise<unknown> | undefined;
  /** Asks for it again where files are loaded anew. */
  again: (() => Promise<unknown>) | undefined;
  generation: number;
  /** Calls that name it and are not settled. */
  #uses = 0;
  #released: number | undefined;

  constructor(guest: Caller, id: number | undefined, className: string) {
    this.guest = guest;
    this.id = id;
    this.pending = undefined;
    this.result = undefined;
    this.again = undefined;
    this.generation = guest.generation;
    this.className = className;
  }

  hold(): void {
    this.#uses += 1;
  }

  rest(): void {
    this.#uses -= 1;
    if (this.#uses > 0 || this.#released === undefined) return;
    this.guest.release(this.#released);
    this.#released = undefined;
  }

  /** Nothing is done with it from here on. */
  release(): void {
    const { id } = this;
    if (id === undefined) return;
    this.id = undefined;
    if (this.#uses === 0) this.guest.release(id);
    else this.#released = id;
  }
}
