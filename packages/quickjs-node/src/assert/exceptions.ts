/**
 * What `throws`, `rejects` and their negations check.
 */
import later from 'fulmar:later';
import { coded, invalidArgType, invalidArgValue, invalidReturnValue } from '../shared/errors.ts';
import type * as Compare from '../util/compare.later.ts';
import { inspect } from '../util/show.ts';
import { validateFunction } from '../shared/validators.ts';
import { AssertionError } from './error.ts';
import { ambiguous, type Diff, fail, type Method } from './failing.ts';

const NOTHING: unique symbol = Symbol('no exception');
type Bag = Record<string, unknown>;
type Predicate = ((error: unknown) => unknown) & { prototype?: unknown; name: string };

interface Check {
  method: Method & { name: string };
  diff: Diff;
  /** `exception` or `rejection` */
  noun: string;
}

function compare(): typeof Compare {
  return later<typeof import('../util/compare.later.ts')>();
}

export function thrownBy(fn: unknown): unknown {
  validateFunction(fn, 'fn');
  try {
    (fn as () => unknown)();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

function isThenable(value: unknown): value is Promise<unknown> {
  const promise = value as { then?: unknown; catch?: unknown } | null;
  return typeof promise === 'object' && promise !== null && typeof promise.then === 'function' && typeof promise.catch === 'function';
}

export async function rejectedBy(promiseFn: unknown): Promise<unknown> {
  let promise = promiseFn;
  if (typeof promiseFn === 'function') {
    promise = (promiseFn as () => unknown)();
    if (!isThenable(promise)) throw invalidReturnValue('instance of Promise', 'promiseFn', promise);
  } else if (!isThenable(promiseFn)) {
    throw invalidArgType('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await (promise as Promise<unknown>);
  } catch (error) {
    return error;
  }
  return NOTHING;
}

function wrongType(error: unknown): Error {
  return invalidArgType('error', ['Object', 'Error', 'Function', 'RegExp'], error);
}

function checkAmbiguity(actual: unknown, error: string): void {
  if (typeof actual === 'object' && actual !== null) {
    if ((actual as Error).message === error) {
      throw ambiguous('error/message', `The error message "${error}" is identical to the message.`);
    }
  } else if (actual === error) {
    throw ambiguous('error/message', `The error "${String(actual)}" is identical to the message.`);
  }
}

export function expectError(check: Check, actual: unknown, ...args: unknown[]): void {
  let [error, message] = args;
  if (typeof error === 'string') {
    if (args.length === 2) throw wrongType(error);
    checkAmbiguity(actual, error);
    message = error;
    error = undefined;
  } else if (error !== undefined && error !== null && typeof error !== 'object' && typeof error !== 'function') {
    throw wrongType(error);
  }
  if (actual === NOTHING) {
    const { name } = (error ?? {}) as { name?: string };
    const details = `${name ? ` (${name})` : ''}${message ? `: ${String(message)}` : '.'}`;
    fail({
      actual: undefined,
      expected: error,
      operator: check.method.name,
      message: [`Missing expected ${check.noun}${details}`],
      stackStartFn: check.method,
      diff: check.diff,
    });
  }
  if (error) expected(check, actual, error as object, message);
}

function failWith(check: Check, actual: unknown, error: unknown, message: unknown, generated: boolean): never {
  const { method, diff } = check;
  // A message that is an error is what is thrown.
  if (message instanceof Error) throw message;
  const thrown = new AssertionError({ actual, expected: error, message, operator: method.name, stackStartFn: method, diff });
  thrown.generatedMessage = generated;
  throw thrown;
}

function expected(check: Check, actual: unknown, error: object, message: unknown): void {
  if (typeof error === 'function') {
    expectedByFunction(check, actual, error as Predicate, message);
  } else if (error instanceof RegExp) {
    const text = String(actual);
    if (error.test(text)) return;
    const generated = `The input did not match the regular expression ${inspect(error)}. Input:\n\n${inspect(text)}\n`;
    failWith(check, actual, error, message || generated, !message);
  } else if (typeof actual !== 'object' || actual === null) {
    const { method, diff } = check;
    const thrown = new AssertionError({ actual, expected: error, message, operator: 'deepStrictEqual', stackStartFn: method, diff });
    thrown.operator = method.name;
    throw thrown;
  } else {
    expectedByObject(check, actual as Bag, error as Bag, message);
  }
}

function expectedByFunction(check: Check, actual: unknown, error: Predicate, message: unknown): void {
  if (error.prototype !== undefined && actual instanceof (error as unknown as typeof Error)) return;
  if (Object.prototype.isPrototypeOf.call(Error, error)) {
    failWith(check, actual, error, message || otherClass(actual, error), !message);
  }
  const result = error.call({}, actual);
  if (result === true) return;
  let generated = `The ${error.name ? `"${error.name}" ` : ''}validation function is expected to return "true". Received ${inspect(result)}`;
  if (actual instanceof Error) generated += `\n\nCaught error:\n\n${String(actual)}`;
  failWith(check, actual, error, message || generated, !message);
}

function otherClass(actual: unknown, error: Predicate): string {
  const text = `The error is expected to be an instance of "${error.name}". Received `;
  if (!(actual instanceof Error)) return `${text}"${inspect(actual, { depth: -1 })}"`;
  const name = actual.constructor?.name || actual.name;
  const what = error.name === name ? 'an error with identical name but a different prototype.' : `"${name}"`;
  return text + what + (actual.message ? `\n\nError message:\n\n${actual.message}` : '');
}

/** Only what is compared, for the message. */
class Comparison {
  constructor(value: Bag, keys: readonly string[], actual?: Bag) {
    for (const key of keys) {
      if (!(key in value)) continue;
      const wanted = value[key];
      const text = actual?.[key];
      const matches = typeof text === 'string' && wanted instanceof RegExp && wanted.test(text);
      (this as unknown as Bag)[key] = matches ? text : wanted;
    }
  }
}

function expectedByObject(check: Check, actual: Bag, error: Bag, message: unknown): void {
  const keys = Object.keys(error);
  if (error instanceof Error) keys.push('name', 'message');
  else if (keys.length === 0) throw invalidArgValue('error', error, 'may not be an empty object');
  for (const key of keys) {
    const [value, wanted] = [actual[key], error[key]];
    if (typeof value === 'string' && wanted instanceof RegExp && wanted.test(value)) continue;
    if (key in actual && compare().isDeepStrictEqual(value, wanted)) continue;
    const { method, diff } = check;
    if (message) fail({ actual, expected: error, message: [message], operator: method.name, stackStartFn: method, diff });
    const thrown = new AssertionError({
      actual: new Comparison(actual, keys),
      expected: new Comparison(error, keys, actual),
      operator: 'deepStrictEqual',
      stackStartFn: method,
      diff,
    });
    thrown.actual = actual;
    thrown.expected = error;
    thrown.operator = method.name;
    throw thrown;
  }
}

function matches(actual: unknown, error: unknown): boolean {
  if (error instanceof RegExp) return error.test(String(actual));
  if (typeof error !== 'function') throw invalidArgType('expected', ['Function', 'RegExp'], error);
  if (error.prototype !== undefined && actual instanceof error) return true;
  if (Object.prototype.isPrototypeOf.call(Error, error)) return false;
  return (error as Predicate).call({}, actual) === true;
}

export function expectNoError(check: Check, actual: unknown, ...args: unknown[]): void {
  if (actual === NOTHING) return;
  let [error, message] = args;
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (error && !matches(actual, error)) throw actual;
  const details = message ? `: ${String(message)}` : '.';
  fail({
    actual,
    expected: error,
    operator: check.method.name,
    message: [`Got unwanted ${check.noun}${details}\nActual message: "${(actual as Error | undefined)?.message}"`],
    stackStartFn: check.method,
    diff: check.diff,
  });
}

export function constructRequired(name: string): Error {
  return coded(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', `Class constructor ${name} cannot be invoked without \`new\``);
}
