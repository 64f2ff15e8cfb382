/** `node:assert` */
import { AssertionError } from './error.ts';
import { constructRequired } from './exceptions.ts';
import { ok } from './failing.ts';
import { methods, options, type Options } from './methods.ts';
import { validateOneOf } from '../shared/validators.ts';

type Bag = Record<string | symbol, unknown>;

const strictMethods = {
  equal: methods.strictEqual,
  deepEqual: methods.deepStrictEqual,
  notEqual: methods.notStrictEqual,
  notDeepEqual: methods.notDeepStrictEqual,
};

function Assert(this: Bag, given?: Options): void {
  if (new.target === undefined) throw constructRequired('Assert');
  const own: Options = { strict: true, skipPrototype: false, ...given };
  if (own.diff !== undefined) validateOneOf(own.diff, 'options.diff', ['simple', 'full']);
  this['AssertionError'] = AssertionError;
  Object.defineProperty(this, options, { value: own });
  if (own.strict === true) Object.assign(this, strictMethods);
}
Object.assign(Assert.prototype as object, methods);

function assert(...args: unknown[]): void {
  ok(assert, args);
}

function strict(...args: unknown[]): void {
  ok(strict, args);
}

Object.assign(assert, { AssertionError }, methods);
Object.assign(strict, assert, strictMethods, { Assert, strict });
Object.assign(assert, { strict, Assert });

export default assert;
