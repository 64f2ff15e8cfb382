/**
 * Whatever was thrown, read once into plain data: name, message, code, frames, causes. What is thrown may be hostile:
 * getters that throw, causes in a circle, messages of megabytes. Never throws, never keeps the error.
 */
import { inspect, stripVTControlCharacters } from 'node:util';
import { CAUSES_MAX, ERRORS_MAX, FAILURES_MAX, MESSAGE_CHARS_MAX } from './limits.ts';
import { type Frame, framesOf } from './stack.ts';

export interface Failure {
  /** The class. */
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  readonly frames: readonly Frame[];
  readonly cause: Failure | null;
  /** Those of an AggregateError. */
  readonly errors: readonly Failure[];
  /** What is not shown for its depth or number, or was shown before. */
  readonly note: string | null;
}

interface Reading {
  readonly seen: Set<unknown>;
  left: number;
}

const NAME_CHARS_MAX = 100;
const INSPECTED = { depth: 2, customInspect: false, getters: false, maxArrayLength: 20, maxStringLength: 2_000, breakLength: 100 } as const;

export const readFailure = (thrown: unknown): Failure => read(thrown, { seen: new Set(), left: FAILURES_MAX }, 0);

function read(thrown: unknown, reading: Reading, depth: number): Failure {
  reading.left--;
  if (typeof thrown !== 'object' || thrown === null) return bare('thrown value', inspected(thrown));
  if (reading.seen.has(thrown)) return bare(nameOf(thrown), messageOf(thrown), 'It is shown above.');
  reading.seen.add(thrown);
  const stack = memberOf(thrown, 'stack');
  const message = messageOf(thrown);
  const name = nameOf(thrown);
  const cause = memberOf(thrown, 'cause');
  const errors = memberOf(thrown, 'errors');
  const isDeep = depth >= CAUSES_MAX || reading.left <= 0;
  const hasMore = cause !== undefined || Array.isArray(errors);
  return {
    name,
    message,
    code: codeOf(thrown),
    frames: typeof stack === 'string' ? framesOf(stack, memberOf(thrown, 'message')) : [],
    cause: isDeep || cause === undefined || cause === null ? null : read(cause, reading, depth + 1),
    errors: isDeep || !Array.isArray(errors) ? [] : readErrors(errors, reading, depth),
    note: isDeep && hasMore ? 'What caused it is not shown: there is too much of it.' : null,
  };
}

function readErrors(errors: readonly unknown[], reading: Reading, depth: number): Failure[] {
  const found: Failure[] = [];
  for (let at = 0; at < Math.min(lengthOf(errors), ERRORS_MAX) && reading.left > 0; at++) {
    found.push(read(memberOf(errors, String(at)), reading, depth + 1));
  }
  return found;
}

const bare = (name: string, message: string, note: string | null = null): Failure => ({
  name,
  message,
  code: null,
  frames: [],
  cause: null,
  errors: [],
  note,
});

/** `undefined` also where it cannot be read. */
function memberOf(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function lengthOf(list: readonly unknown[]): number {
  const length = memberOf(list, 'length');
  return typeof length === 'number' ? length : 0;
}

function nameOf(thrown: object): string {
  // What another language has thrown is of a class of its own.
  const guestClass = memberOf(thrown, 'guest') === undefined ? undefined : memberOf(thrown, 'class');
  if (typeof guestClass === 'string' && guestClass !== '') return toText(guestClass, NAME_CHARS_MAX);
  const name = memberOf(thrown, 'name');
  const made = memberOf(thrown, 'constructor');
  const ofClass = typeof made === 'function' ? memberOf(made, 'name') : undefined;
  // A class that does not set its name has that of the one it extends.
  const found = name === 'Error' && typeof ofClass === 'string' && ofClass !== '' ? ofClass : (name ?? ofClass);
  return typeof found === 'string' && found !== '' ? toText(found, NAME_CHARS_MAX) : 'thrown value';
}

function messageOf(thrown: object): string {
  const message = memberOf(thrown, 'message');
  if (typeof message === 'string') return toText(message, MESSAGE_CHARS_MAX);
  return isErrorLike(thrown) ? '' : inspected(thrown);
}

function isErrorLike(thrown: object): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

function codeOf(thrown: object): string | null {
  const code = memberOf(thrown, 'code');
  return typeof code === 'string' || typeof code === 'number' ? toText(String(code), NAME_CHARS_MAX) : null;
}

function inspected(value: unknown): string {
  try {
    return toText(inspect(value, INSPECTED), MESSAGE_CHARS_MAX);
  } catch {
    return 'a value that cannot be shown';
  }
}

// oxlint-disable-next-line no-control-regex -- they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Text that does nothing to a terminal, with an end. */
export function toText(text: string, max: number): string {
  const plain = stripVTControlCharacters(text.slice(0, max)).replaceAll('\r\n', '\n').replaceAll(CONTROLS, '?');
  return text.length > max ? `${plain}… (${text.length - max} characters more)` : plain;
}
