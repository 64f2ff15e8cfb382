/**
 * `node:timers/promises`
 */
import timers from 'node:timers';
import { AbortError, coded, unsupported } from '../shared/errors.ts';
import { validateAbortSignal, validateBoolean, validateNumber, validateObject } from '../shared/validators.ts';

interface Options {
  signal?: AbortSignal;
  ref?: boolean;
}

function check(options: Options): void {
  validateObject(options, 'options');
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  if (options.ref !== undefined) validateBoolean(options.ref, 'options.ref');
}

function aborted(signal: AbortSignal): Error {
  return new AbortError(undefined, { cause: signal.reason });
}

interface Handle {
  unref(): unknown;
}

/** A promise that `start` fulfils, and that the signal rejects. */
function wait<T>(options: Options, start: (done: () => void) => Handle, stop: (handle: Handle) => void, value: T): Promise<T> {
  const { signal, ref = true } = options;
  if (signal?.aborted) return Promise.reject(aborted(signal));
  return new Promise((resolve, reject) => {
    const handle = start(() => {
      if (signal !== undefined) signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
    if (!ref) handle.unref();
    function onAbort(): void {
      stop(handle);
      reject(aborted(signal as AbortSignal));
    }
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function setTimeout<T>(after?: number, value?: T, options: Options = {}): Promise<T | undefined> {
  try {
    if (after !== undefined) validateNumber(after, 'delay');
    check(options);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  return wait(
    options,
    (done) => timers.setTimeout(done, after),
    (handle) => timers.clearTimeout(handle as never),
    value,
  );
}

function setImmediate<T>(value?: T, options: Options = {}): Promise<T | undefined> {
  try {
    check(options);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  return wait(
    options,
    (done) => timers.setImmediate(done),
    (handle) => timers.clearImmediate(handle as never),
    value,
  );
}

async function* setInterval<T>(after?: number, value?: T, options: Options = {}): AsyncGenerator<T | undefined> {
  if (after !== undefined) validateNumber(after, 'delay');
  check(options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw aborted(signal);
  let notYielded = 0;
  let wake: (() => void) | undefined;
  const interval = timers.setInterval(() => {
    notYielded += 1;
    wake?.();
    wake = undefined;
  }, after);
  if (!ref) interval.unref();
  const onAbort = (): void => {
    timers.clearInterval(interval);
    wake?.();
    wake = undefined;
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal?.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other is what an interval is
      if (notYielded === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (; notYielded > 0; notYielded--) yield value;
    }
    throw aborted(signal);
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Not to be constructed. */
class Scheduler {
  constructor() {
    throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }

  yield(): Promise<void> {
    if (!(this instanceof Scheduler)) throw unsupported('yield');
    return setImmediate();
  }

  wait(delay: number, options?: { signal?: AbortSignal }): Promise<void> {
    return setTimeout(delay, undefined, options);
  }
}

const scheduler = Object.create(Scheduler.prototype) as Scheduler;

export default { setTimeout, setImmediate, setInterval, scheduler };
