/**
 * Errors: the stack with the class and the message, the cause, lines that repeat.
 */
import types from '../types.module.ts';
import type { Context } from './context.ts';
import { type Named, prefixOf } from './names.ts';
import { recursion } from './recursion.ts';

/** Fewer equal lines are not left out. */
const EQUAL_LINES_MIN = 4;

export function isError(value: unknown): value is Error {
  return types['isNativeError']?.(value) === true || value instanceof Error;
}

function attempt<T>(read: () => T): { value?: T; failed: boolean } {
  try {
    return { value: read(), failed: false };
  } catch {
    return { failed: true };
  }
}

function stackOf(context: Context, error: Error): string {
  const stack: unknown = attempt(() => error.stack).value;
  const header = Error.prototype.toString.call(error);
  if (typeof stack === 'string' && stack !== '') {
    // A stack of frames alone (thrown by QuickJS itself): with the header that Node's have.
    return /^\s+at /.test(stack) ? `${header}\n${stack.trimEnd()}` : stack.trimEnd();
  }
  if (!stack) return header;
  context.seen.push(error);
  context.indentation += 4;
  const shown = recursion.value(context, stack, 0);
  context.indentation -= 4;
  context.seen.pop();
  return `${header}\n    ${shown}`;
}

/** Where a run of lines of `a` is in `b` as well: its length and its start in `a`. */
function commonLines(a: readonly string[], b: readonly string[]): [length: number, start: number] {
  for (let start = 0; start < a.length - 3; start += 1) {
    const at = b.indexOf(a[start] as string);
    if (at === -1 || b.length - at <= 3) continue;
    const max = Math.min(a.length - start, b.length - at);
    let length = 1;
    while (length < max && a[start + length] === b[at + length]) length += 1;
    if (length >= EQUAL_LINES_MIN) return [length, start];
  }
  return [0, 0];
}

/** Frames without those that the cause has as well. */
function ownFrames(context: Context, error: Error, frames: string[]): string[] {
  const { value: cause } = attempt(() => error.cause);
  if (cause === undefined || cause === null || !isError(cause)) return frames;
  const stack = stackOf(context, cause);
  const start = stack.indexOf('\n    at');
  if (start === -1) return frames;
  const [length, offset] = commonLines(frames, stack.slice(start + 1).split('\n'));
  if (length === 0) return frames;
  const text = `    ... ${length - 2} lines matching cause stack trace ...`;
  return frames.toSpliced(offset + 1, length - 2, context.stylize(text, 'undefined'));
}

/** The class in front when the stack does not name it. */
function withClass(stack: string, named: Named, name: unknown): string {
  if (typeof name !== 'string') return stack.replace(String(name), `${String(name)} [${prefixOf(named, 'Error').slice(0, -1)}]`);
  let length = name.length;
  const regular =
    name.endsWith('Error') && stack.startsWith(name) && (stack.length === length || [':', '\n'].includes(stack.charAt(length)));
  if (named.constructor !== null && !regular) return stack;
  let fallback = 'Error';
  if (named.constructor === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/.exec(stack) ?? /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    fallback = start?.[1] ?? '';
    length = fallback.length;
    fallback ||= 'Error';
  }
  const prefix = prefixOf(named, fallback).slice(0, -1);
  if (name === prefix) return stack;
  if (!prefix.includes(name)) return `${prefix} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
}

function drop(keys: PropertyKey[], key: string, shown: boolean): void {
  const index = shown ? keys.indexOf(key) : -1;
  if (index !== -1) keys.splice(index, 1);
}

/**
 * What is in the stack already is not shown again; `cause` and `errors` are, though they are hidden
 * properties.
 */
function chooseKeys(context: Context, error: Error, stack: string, keys: PropertyKey[]): void {
  if (!context.showHidden && keys.length > 0) {
    drop(keys, 'stack', true);
    for (const key of ['message', 'name'] as const) {
      const { value, failed } = attempt<unknown>(() => error[key]);
      drop(keys, key, !failed && (typeof value !== 'string' || stack.includes(value)));
    }
  }
  if (Object.hasOwn(error, 'cause') && !keys.includes('cause')) keys.push('cause');
  const { value: errors } = attempt(() => (error as AggregateError).errors);
  if (Array.isArray(errors) && Object.hasOwn(error, 'errors') && !keys.includes('errors')) keys.push('errors');
}

export function errorText(context: Context, error: Error, named: Named, keys: PropertyKey[]): string {
  let stack = stackOf(context, error);
  chooseKeys(context, error, stack, keys);
  const { value: name } = attempt<unknown>(() => error.name);
  const { value: message } = attempt<unknown>(() => error.message);
  stack = withClass(stack, named, name ?? 'Error');
  let position = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1;
  if (position > 0) position += (message as string).length;
  const start = stack.indexOf('\n    at', Math.max(position, 0));
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = ownFrames(context, error, stack.slice(start + 1).split('\n'));
    const shown = context.colors ? frames.map((line) => (line.includes('(node:') ? context.stylize(line, 'undefined') : line)) : frames;
    stack = `${stack.slice(0, start)}\n${shown.join('\n')}`;
  }
  return context.indentation === 0 ? stack : stack.replaceAll('\n', `\n${' '.repeat(context.indentation)}`);
}
