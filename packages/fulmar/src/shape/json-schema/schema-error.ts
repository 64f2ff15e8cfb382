/**
 * A JSON Schema that cannot be used: where in it, and why. Thrown while routes are registered, never while
 * requests are answered.
 */

/** What was found and what may stand there, for whoever can say what was meant. */
export interface Choice {
  readonly found: string;
  readonly known: readonly string[];
}

export class SchemaError extends TypeError {
  /** From the root of the schema, as `#/properties/age`. */
  readonly pointer: string;
  readonly choice: Choice | undefined;

  constructor(pointer: string, why: string, choice?: Choice) {
    super(`at ${pointer}: ${why}`);
    this.pointer = pointer;
    this.choice = choice;
  }
}

Object.defineProperty(SchemaError.prototype, 'name', { value: 'SchemaError', writable: true, configurable: true });

/** A step of a pointer, escaped. */
export const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
