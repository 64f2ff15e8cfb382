/**
 * Node's coded errors (`ERR_…`): class, `code` and message as Node gives them. Errors of the system are in
 * `errno.ts`, checks of arguments in `validators.ts`. `node:util` is loaded only when a message needs
 * `inspect`.
 */
import type * as Util from 'node:util';

/** An error of Node's, with its code. */
export interface CodedError extends Error {
  code: string;
}

type ErrorClass = new (message?: string, options?: ErrorOptions) => Error;

function util(): typeof Util {
  return process.getBuiltinModule('node:util');
}

/** `node:util`'s `inspect`, loaded when it is needed. */
export function inspected(value: unknown, options?: Util.InspectOptions): string {
  return util().inspect(value, options);
}

/** An error of class `Base` that shows its code as Node's do. */
export function coded(Base: ErrorClass, code: string, message: string, options?: ErrorOptions): CodedError {
  const error = new Base(message, options) as CodedError;
  error.code = code;
  Object.defineProperty(error, 'toString', { value: codedToString, enumerable: false, writable: true, configurable: true });
  const { stack } = error;
  const header = `${error.name}: `;
  if (typeof stack === 'string' && stack.startsWith(header)) {
    Object.defineProperty(error, 'stack', {
      value: `${error.name} [${code}]: ${stack.slice(header.length)}`,
      enumerable: false,
      writable: true,
      configurable: true,
    });
  }
  return error;
}

function codedToString(this: CodedError): string {
  return `${this.name} [${this.code}]: ${this.message}`;
}

const TYPES: ReadonlySet<string> = new Set(['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol']);
const CLASS_NAME = /^[A-Z][a-zA-Z0-9]*$/;

/** `a, b, or c` */
function listed(items: readonly string[], word: 'and' | 'or' = 'and'): string {
  const last = items[items.length - 1] ?? '';
  if (items.length < 2) return last;
  if (items.length === 2) return `${items[0]} ${word} ${last}`;
  return `${items.slice(0, -1).join(', ')}, ${word} ${last}`;
}

/** What `value` is, as Node's messages say it. */
function received(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
    case 'bigint':
      return `type bigint (${value}n)`;
    case 'number':
      return `type number (${Object.is(value, -0) ? '-0' : value})`;
    case 'boolean':
      return `type boolean (${value})`;
    case 'symbol':
      return `type symbol (${String(value)})`;
    case 'function':
      return `function ${value.name}`;
    case 'string': {
      const text = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return text.includes("'") ? `type string (${JSON.stringify(text)})` : `type string ('${text}')`;
    }
    default:
      return value === null ? 'null' : receivedObject(value as object);
  }
}

function receivedObject(value: object): string {
  const name: unknown = (value.constructor as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : inspected(value, { depth: -1 });
}

function named(name: string): string {
  if (name.endsWith(' argument')) return name;
  return `"${name}" ${name.includes('.') ? 'property' : 'argument'}`;
}

/** `ERR_INVALID_ARG_TYPE` */
export function invalidArgType(name: string, expected: string | readonly string[], actual: unknown): CodedError {
  return coded(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The ${named(name)} must be ${expectation(typeof expected === 'string' ? [expected] : expected)}. Received ${received(actual)}`,
  );
}

function expectation(expected: readonly string[]): string {
  const types: string[] = [];
  const instances: string[] = [];
  const other: string[] = [];
  for (const value of expected) {
    if (TYPES.has(value)) types.push(value.toLowerCase());
    else if (CLASS_NAME.test(value)) instances.push(value);
    else other.push(value);
  }
  const object = types.indexOf('object');
  if (instances.length > 0 && object !== -1) {
    types.splice(object, 1);
    instances.push('Object');
  }
  const parts: string[] = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${listed(types, 'or')}`);
  if (instances.length > 0) parts.push(`an instance of ${listed(instances, 'or')}`);
  const [first] = other;
  if (other.length > 1) parts.push(`one of ${listed(other, 'or')}`);
  else if (first !== undefined) parts.push(first.toLowerCase() === first ? first : `an ${first}`);
  return parts.join(' or ');
}

/** `ERR_INVALID_ARG_VALUE`, a `TypeError` unless another class is given. */
export function invalidArgValue(name: string, value: unknown, reason = 'is invalid', Base: ErrorClass = TypeError): CodedError {
  const text = inspected(value);
  const shown = text.length > 128 ? `${text.slice(0, 128)}...` : text;
  const kind = name.includes('.') ? 'property' : 'argument';
  return coded(Base, 'ERR_INVALID_ARG_VALUE', `The ${kind} '${name}' ${reason}. Received ${shown}`);
}

/** `ERR_OUT_OF_RANGE`; `range` is what is expected (`>= 0 && <= 5`, `an integer`). */
export function outOfRange(name: string, range: string, value: unknown, replaceDefault = false): CodedError {
  const message = replaceDefault ? name : `The value of "${name}" is out of range.`;
  return coded(RangeError, 'ERR_OUT_OF_RANGE', `${message} It must be ${range}. Received ${receivedInRange(value)}`);
}

function receivedInRange(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Math.abs(value) > 2 ** 32 ? grouped(String(value)) : Object.is(value, -0) ? '-0' : String(value);
  }
  if (typeof value === 'bigint') {
    const large = value > 2n ** 32n || value < -(2n ** 32n);
    return `${large ? grouped(String(value)) : String(value)}n`;
  }
  return inspected(value);
}

/** `1234567` → `1_234_567`; for integers only. */
function grouped(digits: string): string {
  const start = digits.startsWith('-') ? 1 : 0;
  let rest = '';
  let end = digits.length;
  for (; end >= start + 4; end -= 3) rest = `_${digits.slice(end - 3, end)}${rest}`;
  return digits.slice(0, end) + rest;
}

/** `ERR_MISSING_ARGS`; an array among the names stands for alternatives. */
export function missingArgs(...names: readonly (string | readonly string[])[]): CodedError {
  const quoted = names.map((name) => (typeof name === 'string' ? `"${name}"` : name.map((one) => `"${one}"`).join(' or ')));
  const message = `The ${listed(quoted)} ${names.length === 1 ? 'argument' : 'arguments'} must be specified`;
  return coded(TypeError, 'ERR_MISSING_ARGS', message);
}

/** `ERR_INVALID_THIS` */
export function invalidThis(name: string): CodedError {
  return coded(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`);
}

/** `ERR_INVALID_RETURN_VALUE` */
export function invalidReturnValue(expected: string, name: string, value: unknown): CodedError {
  const message = `Expected ${expected} to be returned from the "${name}" function but got ${received(value)}.`;
  return coded(TypeError, 'ERR_INVALID_RETURN_VALUE', message);
}

/** `ERR_UNKNOWN_ENCODING` */
export function unknownEncoding(encoding: unknown): CodedError {
  return coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(encoding)}`);
}

/** `ERR_METHOD_NOT_IMPLEMENTED` */
export function methodNotImplemented(method: string): CodedError {
  return coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', `The ${method} method is not implemented`);
}

/** `ERR_SOCKET_BAD_PORT` */
export function badPort(name: string, port: unknown, allowZero = true): CodedError {
  const message = `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${received(port)}.`;
  return coded(RangeError, 'ERR_SOCKET_BAD_PORT', message);
}

/** What the QuickJS host does not have: says so, and what to do instead. */
export function unsupported(what: string, instead?: string): CodedError {
  const message = `${what} is not available in the native runtime${instead === undefined ? '' : `: ${instead}`}`;
  return coded(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', message);
}

/** Node's `AbortError`: `code` `ABORT_ERR`, the signal's reason as `cause`. */
export class AbortError extends Error {
  readonly code = 'ABORT_ERR';
  constructor(message = 'The operation was aborted', options?: ErrorOptions) {
    super(message, options);
    this.name = 'AbortError';
  }
}

/** Several errors as one: the outer one's message and code. */
export function aggregated(inner: Error | undefined, outer: CodedError | undefined): Error {
  if (inner === undefined || outer === undefined || inner === outer) return (inner ?? outer) as Error;
  if (Array.isArray((outer as Error & { errors?: unknown }).errors)) {
    (outer as Error as AggregateError).errors.push(inner);
    return outer;
  }
  const both = new AggregateError([outer, inner], outer.message) as AggregateError & { code?: string };
  both.code = outer.code;
  return both;
}
