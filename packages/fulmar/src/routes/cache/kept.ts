/**
 * A reply as it is kept: status, fields, and its content as a whole. Says which replies are: never errors, streams, files,
 * cookies, parts, what says `no-store`, and what depends on fields that the key does not have.
 */
import { copied } from '../../app/caching/values.ts';
import type { AnyContext } from '../../app/index.ts';
import { wholeOf } from '../../app/middleware/whole-value.ts';
import { JsonReply, Reply } from '../../app/reply-value.ts';

type Lines = readonly (readonly [name: string, value: string])[];

export interface Kept {
  /** 0: what follows from the value. */
  readonly status: number;
  readonly lines: Lines;
  /** Null: what follows from the value. */
  readonly type: string | null;
  /** JSON that a schema of replies has yet to see is kept as what it is made of. */
  readonly isJson: boolean;
  readonly value: unknown;
}

const NOT_KEPT = /\b(?:no-store|no-cache|private)\b/i;
const MOVED: ReadonlySet<number> = new Set([301, 308]);
const PARTIAL = 206;

/** Null: it is for who has asked alone. `c` is one that nobody but the handler has set anything of. */
export function keptOf(c: AnyContext, value: unknown, { vary, isChecked }: { vary: readonly string[]; isChecked: boolean }): Kept | null {
  const status = c.statusCode;
  if ((status >= 300 && !MOVED.has(status)) || status === PARTIAL) return null;
  const content = isChecked ? valueOf(value) : wholeValueOf(value);
  if (content === null) return null;
  const { lines: own, ...rest } = content;
  const lines = [...(c.lines?.entries() ?? []), ...own];
  return lines.every((line) => isKeepable(line, vary)) ? { status, lines, ...rest } : null;
}

type Content = Pick<Kept, 'type' | 'value' | 'lines' | 'isJson'>;
const bare = (value: unknown): Content => ({ type: null, lines: [], isJson: false, value });

function wholeValueOf(value: unknown): Content | null {
  if (value === undefined || value === null) return bare(value);
  // What cannot be sent is told where it is sent.
  if (typeof value === 'function' || typeof value === 'symbol') return null;
  const whole = wholeOf(value);
  if (whole === undefined) return null;
  const { type = null, lines = [], isLive = false } = whole.value instanceof Reply ? whole.value : {};
  if (isLive) return null;
  // Whoever has made bytes may go on to write into them.
  const content = typeof whole.content === 'string' ? whole.content : whole.content.slice();
  return { type, lines, isJson: false, value: content };
}

function valueOf(value: unknown): Content | null {
  if (value instanceof JsonReply)
    return isPlain(value.given) ? { type: value.type, lines: value.lines, isJson: true, value: copied(value.given) } : null;
  if (value instanceof Reply)
    return typeof value.value === 'string' ? { type: value.type, lines: value.lines, isJson: false, value: value.value } : null;
  return isPlain(value) ? bare(copied(value)) : null;
}

const isPlain = (value: unknown): boolean =>
  (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol') ||
  value === null ||
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype;

function isKeepable([name, value]: Lines[number], vary: readonly string[]): boolean {
  switch (name.toLowerCase()) {
    case 'set-cookie':
    // Of files, which are asked for in parts and by date.
    case 'accept-ranges':
    case 'content-range':
      return false;
    case 'cache-control':
      return !NOT_KEPT.test(value);
    case 'vary':
      return value.split(',').every((one) => vary.includes(one.trim().toLowerCase()));
    default:
      return true;
  }
}

/** The same reply, once more. */
export function given(c: AnyContext, { status, lines, type, isJson, value }: Kept): unknown {
  if (status !== 0) c.status(status);
  putLines(c, lines);
  // Several may be given the same at once.
  const own = copied(value);
  if (isJson) return new JsonReply(own);
  return type === null ? own : new Reply(type, own);
}

/** Of one name all that there are; what middleware has set of it before is replaced, as the handler would have. */
export function putLines(c: AnyContext, lines: Iterable<readonly [name: string, value: string]>): void {
  const seen = new Set<string>();
  for (const [name, value] of lines) {
    const lower = name.toLowerCase();
    c.header(name, value, { append: lower === 'vary' || lower === 'set-cookie' || seen.has(lower) });
    seen.add(lower);
  }
}
