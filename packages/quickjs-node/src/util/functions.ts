/**
 * `util`'s helpers for functions: `promisify`, `callbackify`, `deprecate`, `inherits`, `debuglog`.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType } from '../shared/errors.ts';
import { validateFunction, validateString } from '../shared/validators.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Callback = (error: unknown, ...values: unknown[]) => void;

const custom = Symbol.for('nodejs.util.promisify.custom');
/** Names of a callback's values when there are several (`fs.read`): set by modules of the host. */
const promisifyArgs = Symbol.for('fulmar.util.promisify.args');

interface Promisifiable extends AnyFunction {
  [custom]?: unknown;
  [promisifyArgs]?: readonly string[];
}

function copyDescriptors(from: object, to: object): void {
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}

export function promisify(original: Promisifiable): unknown {
  validateFunction(original, 'original');
  const own = original[custom];
  if (own) {
    validateFunction(own, 'util.promisify.custom');
    return Object.defineProperty(own, custom, { value: own, enumerable: false, writable: false, configurable: true });
  }
  const names = original[promisifyArgs];
  const promisified = function promisified(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done: Callback = (error, ...values) => {
        if (error) reject(error as Error);
        else if (names !== undefined && values.length > 1) resolve(Object.fromEntries(names.map((name, at) => [name, values[at]])));
        else resolve(values[0]);
      };
      const result = original.call(this, ...args, done);
      if (ops.promiseState(result) !== undefined) {
        process.emitWarning('Calling promisify on a function that returns a Promise is likely a mistake.', 'DeprecationWarning', 'DEP0174');
      }
    });
  };
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original) as object);
  Object.defineProperty(promisified, custom, { value: promisified, enumerable: false, writable: false, configurable: true });
  copyDescriptors(original, promisified);
  return promisified;
}
promisify.custom = custom;

function rejected(reason: unknown, callback: Callback): void {
  if (reason) {
    callback(reason);
    return;
  }
  const error = coded(Error, 'ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value') as Error & { reason?: unknown };
  error.reason = reason;
  callback(error);
}

export function callbackify(original: AnyFunction): AnyFunction {
  validateFunction(original, 'original');
  const callbackified: AnyFunction = function callbackified(this: unknown, ...args: unknown[]): undefined {
    const last = args.pop();
    validateFunction(last, 'last argument');
    const callback = last.bind(this) as Callback;
    (original.apply(this, args) as Promise<unknown>).then(
      (value) => process.nextTick(callback, null, value),
      (reason: unknown) => process.nextTick(rejected, reason, callback),
    );
  };
  const descriptors = Object.getOwnPropertyDescriptors(original) as Record<string, PropertyDescriptor>;
  const { length, name } = descriptors;
  if (typeof length?.value === 'number') length.value += 1;
  if (typeof name?.value === 'string') name.value += 'Callbackified';
  Object.defineProperties(callbackified, descriptors);
  return callbackified;
}

const codesWarned = new Set<string>();

interface Deprecated {
  prototype?: unknown;
}

export function deprecate(fn: AnyFunction, msg: string, code?: string, options: { modifyPrototype?: boolean } = {}): AnyFunction {
  if (code !== undefined) validateString(code, 'code');
  let warned = false;
  const warn = (): void => {
    if (warned || process.noDeprecation === true) return;
    warned = true;
    if (code === undefined) {
      process.emitWarning(msg, 'DeprecationWarning', deprecated as never);
    } else if (!codesWarned.has(code)) {
      process.emitWarning(msg, 'DeprecationWarning', code, deprecated as never);
      codesWarned.add(code);
    }
  };
  const deprecated: AnyFunction = function deprecated(this: unknown, ...args: unknown[]): unknown {
    warn();
    return new.target === undefined ? fn.apply(this, args) : Reflect.construct(fn, args, new.target);
  };
  if (options.modifyPrototype === false) return deprecated;
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) (deprecated as Deprecated).prototype = fn.prototype;
  Object.defineProperty(deprecated, 'length', Object.getOwnPropertyDescriptor(fn, 'length') as PropertyDescriptor);
  return deprecated;
}

export function inherits(ctor: AnyFunction, superCtor: AnyFunction): void {
  if (ctor === undefined || ctor === null) throw invalidArgType('ctor', 'Function', ctor);
  if (superCtor === undefined || superCtor === null) throw invalidArgType('superCtor', 'Function', superCtor);
  if (superCtor.prototype === undefined) throw invalidArgType('superCtor.prototype', 'Object', superCtor.prototype);
  Object.defineProperty(ctor, 'super_', { value: superCtor, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype as object, superCtor.prototype as object);
}

let debugged: RegExp | undefined;

/** Whether `NODE_DEBUG` names the section (`*` stands for anything). */
function isDebugged(section: string): boolean {
  if (debugged === undefined) {
    const names = (process.env['NODE_DEBUG'] ?? '')
      .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll(',', '$|^');
    debugged = names === '' ? /^(?!)/ : new RegExp(`^${names}$`, 'i');
  }
  return debugged.test(section);
}

interface DebugLogger {
  (...args: unknown[]): void;
  readonly enabled: boolean;
}

export function debuglog(set: string, callback?: (logger: DebugLogger) => void): DebugLogger {
  let enabled: boolean | undefined;
  let told = false;
  const section = (): string => set.toUpperCase();
  const isEnabled = (): boolean => (enabled ??= isDebugged(section()));
  const logger = ((...args: unknown[]): void => {
    if (!told) {
      told = true;
      callback?.(logger);
    }
    if (!isEnabled()) return;
    const { formatWithOptions } = process.getBuiltinModule('node:util');
    process.stderr.write(formatWithOptions({}, '%s %d: ', section(), process.pid) + `${formatWithOptions({}, ...args)}\n`);
  }) as DebugLogger;
  Object.defineProperty(logger, 'enabled', { get: isEnabled, configurable: true, enumerable: true });
  return logger;
}
