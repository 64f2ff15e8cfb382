/**
 * How an assertion fails: with the message that was given, or an error, or a function that makes the message.
 */
import { coded, invalidArgType } from '../shared/errors.ts';
import { format } from '../util/show.ts';
import { AssertionError, type AssertionOptions } from './error.ts';

export type Method = (...args: never[]) => unknown;
export type Diff = 'simple' | 'full' | undefined;

export interface Failure extends Omit<AssertionOptions, 'message'> {
  message: readonly unknown[];
  generatedMessage?: boolean;
}

export function ambiguous(name: string, reason: string): Error {
  return coded(TypeError, 'ERR_AMBIGUOUS_ARGUMENT', `The "${name}" argument is ambiguous. ${reason}`);
}

function made(factory: (...args: unknown[]) => unknown, failure: Failure): string | undefined {
  try {
    const message = factory(failure.actual, failure.expected);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(failure: Failure): string | undefined {
  const { message } = failure;
  const [first] = message;
  if (message.length === 0) return undefined;
  if (typeof first === 'string') return message.length > 1 ? format(...message) : first;
  const ignored = 'has trailing arguments that would be ignored.';
  if (first instanceof Error) {
    if (message.length > 1) throw ambiguous('message', `The error message was passed as error object "${String(first)}" ${ignored}`);
    throw first;
  }
  if (typeof first === 'function') {
    if (message.length > 1) throw ambiguous('message', `The error message with function "${first.name || 'anonymous'}" ${ignored}`);
    return made(first as (...args: unknown[]) => unknown, failure);
  }
  throw invalidArgType('message', ['string', 'function'], first);
}

export function fail(failure: Failure): never {
  const { generatedMessage, ...options } = failure;
  const message = messageOf(failure);
  const error = new AssertionError({ ...options, message });
  if (generatedMessage !== undefined) error.generatedMessage = generatedMessage;
  throw error;
}

export function ok(method: Method, args: readonly unknown[]): void {
  const [value, message] = args;
  if (value) return;
  let given: readonly unknown[] = args.slice(1);
  let generated = false;
  if (args.length === 0) {
    given = ['No value argument passed to `assert.ok()`'];
    generated = true;
  } else if (message === undefined || message === null) {
    // Node shows the expression from the source, which an executable does not carry.
    given = ['The expression evaluated to a falsy value'];
    generated = true;
  }
  fail({ actual: value, expected: true, message: given, operator: '==', stackStartFn: method, generatedMessage: generated });
}
