/**
 * A value together with what is said of it: what `c.json()`, `c.html()`, `c.redirect()` and others give, and
 * a handler returns.
 */
import type { AnyContext } from './context.ts';
import { toJson } from './json.ts';

export class Reply {
  /** Null: what follows from the value. */
  readonly type: string | null;
  readonly value: unknown;
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** Bytes before which nothing is held back: each piece leaves when it is written. */
  readonly isLive: boolean;

  constructor(type: string | null, value: unknown, lines: Reply['lines'] = [], isLive = false) {
    this.type = type;
    this.value = value;
    this.lines = lines;
    this.isLive = isLive;
  }
}

/** JSON, with what it was made of. */
export class JsonReply extends Reply {
  readonly given: unknown;

  constructor(given: unknown, text = toJson(given)) {
    super('application/json; charset=utf-8', text);
    this.given = given;
  }

  /** For middleware that puts the value of a route into another one. */
  toJSON(): unknown {
    return this.given;
  }
}

/** A reply that is more than a value: it sends itself, when its turn has come. */
export class OwnReply extends Reply {
  readonly give: (c: AnyContext) => void;

  constructor(give: (c: AnyContext) => void) {
    super(null, undefined);
    this.give = give;
  }
}
