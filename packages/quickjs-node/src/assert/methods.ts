/**
 * The assertions. `this` may be an `Assert` with options of its own.
 */
import later from 'fulmar:later';
import { invalidArgType, missingArgs } from '../shared/errors.ts';
import type * as Compare from '../util/compare.later.ts';
import { inspect } from '../util/show.ts';
import { AssertionError } from './error.ts';
import { expectError, expectNoError, rejectedBy, thrownBy } from './exceptions.ts';
import { type Diff, fail as failed, type Method, ok as checkOk } from './failing.ts';

export const options: unique symbol = Symbol('options');

export interface Options {
  readonly diff?: Diff;
  readonly strict?: boolean;
  readonly skipPrototype?: boolean;
}

type This = { readonly [options]?: Options } | undefined;
type Test = (actual: unknown, expected: unknown, own: Options) => boolean;

function compare(): typeof Compare {
  return later<typeof import('../util/compare.later.ts')>();
}

/** `(actual, expected, ...message)`: fails unless `test` holds. */
function comparison(name: string, operator: string, test: Test): Method {
  const method = {
    [name](this: This, actual?: unknown, expected?: unknown, ...message: unknown[]): void {
      if (arguments.length < 2) throw missingArgs('actual', 'expected');
      const own = this?.[options] ?? {};
      if (!test(actual, expected, own)) failed({ actual, expected, message, operator, stackStartFn: method, diff: own.diff });
    },
  }[name] as Method;
  return method;
}

function looselyEqual(a: unknown, b: unknown): boolean {
  // oxlint-disable-next-line eqeqeq -- what `assert.equal` is for
  return a == b || (Number.isNaN(a) && Number.isNaN(b));
}

function matching(name: 'match' | 'doesNotMatch'): Method {
  const method = {
    [name](this: This, string: unknown, regexp: unknown, ...message: unknown[]): void {
      if (!(regexp instanceof RegExp)) throw invalidArgType('regexp', 'RegExp', regexp);
      if (typeof string === 'string' && regexp.test(string) === (name === 'match')) return;
      const generatedMessage = message.length === 0;
      const text =
        typeof string === 'string'
          ? `The input ${name === 'match' ? 'did not match' : 'was expected to not match'} the regular expression ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`
          : `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
      const given = message[0] ? message : [text, ...message.slice(1)];
      const diff = this?.[options]?.diff;
      failed({ actual: string, expected: regexp, message: given, operator: name, stackStartFn: method, diff, generatedMessage });
    },
  }[name] as Method;
  return method;
}

function ifErrorText(error: unknown): string {
  const known = error as { message?: unknown; constructor?: { name: string } };
  if (typeof error !== 'object' || typeof known.message !== 'string') return inspect(error);
  return known.message.length === 0 && known.constructor ? known.constructor.name : known.message;
}

export const methods = {
  ok(...args: unknown[]): void {
    checkOk(methods.ok, args);
  },
  fail(this: This, message?: unknown): void {
    if (message instanceof Error) throw message;
    const diff = this?.[options]?.diff;
    const error = new AssertionError({ operator: 'fail', stackStartFn: methods.fail, message: message ?? 'Failed', diff });
    if (message === undefined) error.generatedMessage = true;
    throw error;
  },
  equal: comparison('equal', '==', looselyEqual),
  notEqual: comparison('notEqual', '!=', (a, b) => !looselyEqual(a, b)),
  deepEqual: comparison('deepEqual', 'deepEqual', (a, b) => compare().isDeepEqual(a, b)),
  notDeepEqual: comparison('notDeepEqual', 'notDeepEqual', (a, b) => !compare().isDeepEqual(a, b)),
  deepStrictEqual: comparison('deepStrictEqual', 'deepStrictEqual', (a, b, own) => compare().isDeepStrictEqual(a, b, own.skipPrototype)),
  notDeepStrictEqual: comparison(
    'notDeepStrictEqual',
    'notDeepStrictEqual',
    (a, b, own) => !compare().isDeepStrictEqual(a, b, own.skipPrototype),
  ),
  strictEqual: comparison('strictEqual', 'strictEqual', (a, b) => Object.is(a, b)),
  notStrictEqual: comparison('notStrictEqual', 'notStrictEqual', (a, b) => !Object.is(a, b)),
  partialDeepStrictEqual: comparison('partialDeepStrictEqual', 'partialDeepStrictEqual', (a, b) => compare().isPartialStrictEqual(a, b)),
  match: matching('match'),
  doesNotMatch: matching('doesNotMatch'),
  throws(this: This, fn: unknown, ...args: unknown[]): void {
    expectError({ method: methods.throws, diff: this?.[options]?.diff, noun: 'exception' }, thrownBy(fn), ...args);
  },
  async rejects(this: This, promiseFn: unknown, ...args: unknown[]): Promise<void> {
    expectError({ method: methods.rejects, diff: this?.[options]?.diff, noun: 'rejection' }, await rejectedBy(promiseFn), ...args);
  },
  doesNotThrow(this: This, fn: unknown, ...args: unknown[]): void {
    expectNoError({ method: methods.doesNotThrow, diff: this?.[options]?.diff, noun: 'exception' }, thrownBy(fn), ...args);
  },
  async doesNotReject(this: This, fn: unknown, ...args: unknown[]): Promise<void> {
    const check = { method: methods.doesNotReject, diff: this?.[options]?.diff, noun: 'rejection' };
    expectNoError(check, await rejectedBy(fn), ...args);
  },
  ifError(this: This, err: unknown): void {
    if (err === null || err === undefined) return;
    const message = `ifError got unwanted exception: ${ifErrorText(err)}`;
    const diff = this?.[options]?.diff;
    const error = new AssertionError({ actual: err, expected: null, operator: 'ifError', message, stackStartFn: methods.ifError, diff });
    const { stack } = err as { stack?: unknown };
    const start = typeof stack === 'string' ? stack.indexOf('\n    at') : -1;
    if (start !== -1) error.stack = `${error.stack?.split('\n    at')[0]}${(stack as string).slice(start)}`;
    throw error;
  },
};
