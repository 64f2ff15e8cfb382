/**
 * The newest requests of the process, in a ring: what came, what was answered, how long it took, what failed. Values
 * that let somebody in are masked before they are kept. Holds no exchange and no content.
 */
import type { Exchange } from '../exchange/types.ts';
import type { Failure } from './failure.ts';
import { FIELDS_MAX, REQUESTS_MAX, TARGET_CHARS_MAX, VALUE_CHARS_MAX } from './limits.ts';

export type RequestState = 'open' | 'answered' | 'upgraded' | 'aborted';

/** `[name, value]` */
export type Field = readonly [string, string];

export interface RequestEntry {
  readonly id: number;
  readonly method: string;
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fields: readonly Field[];
  state: RequestState;
  status: number | null;
  /** Until the reply began. */
  handlersMs: number | null;
  /** Until it was given in full. */
  totalMs: number | null;
  /** Of the reply's content, as far as it went through JavaScript or was promised. */
  bytes: number | null;
  failure: Failure | null;
  params: readonly Field[] | null;
}

export class RequestLog {
  readonly #entries = new Map<number, RequestEntry>();
  readonly #changed: (entry: RequestEntry) => void;
  #lastId = 0;

  /** `changed`: told of each entry that is new or has changed. */
  constructor(changed: (entry: RequestEntry) => void) {
    this.#changed = changed;
  }

  add(exchange: Exchange): RequestEntry {
    const entry: RequestEntry = {
      id: ++this.#lastId,
      method: exchange.method,
      target: exchange.target.slice(0, TARGET_CHARS_MAX),
      at: Date.now(),
      fields: fieldsOf(exchange.rawHeaders()),
      state: 'open',
      status: null,
      handlersMs: null,
      totalMs: null,
      bytes: null,
      failure: null,
      params: null,
    };
    this.#entries.set(entry.id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > REQUESTS_MAX && oldest !== undefined) this.#entries.delete(oldest);
    this.#changed(entry);
    return entry;
  }

  changed(entry: RequestEntry): void {
    if (this.#entries.get(entry.id) === entry) this.#changed(entry);
  }

  find(id: number): RequestEntry | undefined {
    return this.#entries.get(id);
  }

  /** The newest last. */
  all(): RequestEntry[] {
    return [...this.#entries.values()];
  }
}

/** By a word of the name: one too many hides what is of no use to others. */
const SECRET =
  /api[-_]?key|secret|passw|token|(?:^|[-_])(?:auth|authorization|cookie|jwt|assertion|signature|session|sessionid|sid|credentials?)(?:$|[-_])/i;
const MASK = '••••••';

function fieldsOf(rawHeaders: readonly string[]): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at + 1 < rawHeaders.length && fields.length < FIELDS_MAX; at += 2) {
    const name = (rawHeaders[at] as string).slice(0, VALUE_CHARS_MAX);
    fields.push([name, masked(name, (rawHeaders[at + 1] as string).slice(0, VALUE_CHARS_MAX))]);
  }
  return fields;
}

/** Names of cookies stay, and schemes: they say what was sent, and let nobody in. */
function masked(name: string, value: string): string {
  if (!SECRET.test(name)) return value;
  // One without a name is a value.
  if (/^cookie$/i.test(name))
    return value.replaceAll(/[^;]+/g, (one) => (one.includes('=') ? `${one.slice(0, one.indexOf('='))}=${MASK}` : MASK));
  const scheme = /^(?:proxy-)?authorization$/i.test(name) ? (/^([\w-]+) /.exec(value)?.[1] ?? '') : '';
  return scheme === '' ? MASK : `${scheme} ${MASK}`;
}

/** Parameters of a path, whatever object a framework has them in. */
export function paramsOf(params: unknown): Field[] | null {
  if (typeof params !== 'object' || params === null) return null;
  try {
    return Object.keys(params)
      .slice(0, FIELDS_MAX)
      .map((name) => [name.slice(0, VALUE_CHARS_MAX), String((params as Record<string, unknown>)[name]).slice(0, VALUE_CHARS_MAX)]);
  } catch {
    return null;
  }
}
