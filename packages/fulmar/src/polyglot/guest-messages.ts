/** Parts of messages to a guest that are no values alone. */
import type { Outbox } from './wire/outbox.ts';

/** What imports a module, behind what says which message it is. */
export function writeImport(outbox: Outbox, specifier: string, options: Readonly<Record<string, unknown>> | undefined): void {
  outbox.text(specifier);
  outbox.value(options ?? null);
}

/** An object that goes over as itself, though it could be a value. */
export class Lent {
  readonly value: object;

  constructor(value: object) {
    this.value = value;
  }
}

/** The answer to a call of a function of JavaScript's: what it returned, or threw. */
export function writeAnswer(outbox: Outbox, number: number, hasReturned: boolean, value: unknown): void {
  outbox.id(number);
  outbox.byte(hasReturned ? 1 : 0);
  if (hasReturned) outbox.value(value);
  else if (value instanceof Error) {
    outbox.value({ name: value.name, message: value.message, stack: value.stack, reference: new Lent(value) });
  } else outbox.value({ name: 'Error', message: String(value) });
}
