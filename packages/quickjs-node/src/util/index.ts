/** `node:util` */
import later, { type LateFile } from 'fulmar:later';
import { errnoException, errnoMap, errnoMessage, errnoName, hostPortException } from '../shared/errno.ts';
import { invalidArgType, outOfRange, unsupported } from '../shared/errors.ts';
import { validateNumber, validateOneOf, validateString } from '../shared/validators.ts';
import { callbackify, debuglog, deprecate, inherits, promisify } from './functions.ts';
import { format, formatWithOptions, inspect, lazyInspect } from './show.ts';
import types from './types.module.ts';

const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function checkErrno(err: unknown): asserts err is number {
  validateNumber(err, 'err');
  if (err >= 0 || !Number.isSafeInteger(err)) throw outOfRange('err', 'a negative integer', err);
}

function extend(target: Record<string, unknown>, source: unknown): object {
  if (source === null || typeof source !== 'object') return target;
  // From the last to the first, as Node does it: setters may notice.
  for (const key of Object.keys(source).toReversed()) target[key] = (source as Record<string, unknown>)[key];
  return target;
}

const util: Record<string, unknown> = {
  _errnoException: errnoException,
  _exceptionWithHostPort: hostPortException,
  _extend: deprecate(extend as never, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode(signalCode: string): number {
    const { signals } = process.getBuiltinModule('node:os').constants;
    validateOneOf(signalCode, 'signalCode', Object.keys(signals));
    return 128 + signals[signalCode as NodeJS.Signals];
  },
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  formatWithOptions,
  getSystemErrorMap: (): Map<number, [string, string]> => new Map(errnoMap()),
  getSystemErrorName(err: number): string {
    checkErrno(err);
    return errnoName(err);
  },
  getSystemErrorMessage(err: number): string {
    checkErrno(err);
    return errnoMessage(err);
  },
  inherits,
  inspect,
  isArray: deprecate(Array.isArray as never, 'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.', 'DEP0044'),
  markPromiseAsHandled(promise: unknown): void {
    if (types['isPromise']?.(promise) !== true) throw invalidArgType('promise', 'Promise', promise);
    void Promise.prototype.then.call(promise, undefined, () => {});
  },
  promisify,
  stripVTControlCharacters(str: string): string {
    validateString(str, 'str');
    return str.includes('\u001b') || str.includes('\u009b') ? lazyInspect().stripVTControlCharacters(str) : str;
  },
  toUSVString: (input: unknown): string => String(input).replace(LONE_SURROGATES, '\ufffd'),
  types,
  transferableAbortController(): never {
    throw unsupported('util.transferableAbortController()', 'there are no worker threads to transfer it to');
  },
  transferableAbortSignal(): never {
    throw unsupported('util.transferableAbortSignal()', 'there are no worker threads to transfer it to');
  },
  setTraceSigInt(): never {
    throw unsupported('util.setTraceSigInt()');
  },
};

/** Members by the module that has them, loaded at the first look. */
const LAZY: Readonly<Record<string, readonly string[]>> = {
  [later.file<typeof import('./compare.later.ts')>()]: ['isDeepStrictEqual'],
  [later.file<typeof import('./text.later.ts')>()]: ['styleText', 'parseEnv', 'getCallSites', 'diff', 'aborted', 'debounce', 'throttle'],
  [later.file<typeof import('./parse-args.later.ts')>()]: ['parseArgs'],
  [later.file<typeof import('./mime.later.ts')>()]: ['MIMEType', 'MIMEParams'],
  [later.file<typeof import('./text-coding.later.ts')>()]: ['TextDecoder', 'TextEncoder'],
};
for (const module in LAZY) {
  for (const name of LAZY[module] as readonly string[]) {
    Object.defineProperty(util, name, {
      get() {
        const value = later(module as LateFile<Record<string, unknown>>)[name];
        Object.defineProperty(util, name, { value, writable: true, enumerable: true, configurable: true });
        return value;
      },
      set(value: unknown) {
        Object.defineProperty(util, name, { value, writable: true, enumerable: true, configurable: true });
      },
      enumerable: true,
      configurable: true,
    });
  }
}

export default util;
