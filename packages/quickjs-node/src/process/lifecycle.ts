/**
 * How the process ends: `beforeExit`, `exit`, exit codes, and errors that nobody caught.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import type * as Fatal from './fatal.later.ts';
import { closeTicks, processTicks } from './ticks.ts';

/** An error that nobody caught. */
const UNCAUGHT_CODE = 1;
/** A listener of `uncaughtException` threw. */
const HANDLER_FAILED_CODE = 7;

type Emitter = { emit(event: string, ...args: unknown[]): boolean };

let emitter: Emitter;
let exitCode: unknown;
let capture: ((error: unknown) => void) | null = null;
export const state = { exiting: false };

/** Says which object is `process`. */
export function setEmitter(process: Emitter): void {
  emitter = process;
}

export function getExitCode(): unknown {
  return exitCode;
}

export function setExitCode(value: unknown): void {
  exitCode = checkedCode(value);
}

function checkedCode(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const code = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof code !== 'number' || Number.isNaN(code)) throw invalidArgType('code', 'number', value);
  if (!Number.isInteger(code)) throw outOfRange('code', 'an integer', value);
  return value;
}

function codeNumber(): number {
  return Number(exitCode ?? 0) | 0;
}

/** `process.exit` */
export function exit(...args: [code?: unknown]): never {
  if (args.length > 0 && args[0] !== undefined) exitCode = checkedCode(args[0]);
  if (!state.exiting) {
    state.exiting = true;
    closeTicks();
    emitter.emit('exit', exitCode ?? 0);
  }
  return ops.exit(codeNumber());
}

/** Ends without events. */
export function reallyExit(code: unknown): never {
  return ops.exit(Number(code ?? 0) | 0);
}

/** Nothing keeps the process alive: a listener of `beforeExit` may change that. */
export function empty(): void {
  emitter.emit('beforeExit', exitCode ?? 0);
  processTicks();
  if (!ops.alive()) exit();
}

/** An error that nobody caught, as Node's own handler treats it; returns when somebody listens. */
export function uncaught(error: unknown, fromPromise = false): void {
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  try {
    emitter.emit('uncaughtExceptionMonitor', error, origin);
    if (capture !== null) {
      capture(error);
      return;
    }
    if (emitter.emit('uncaughtException', error, origin)) return;
  } catch (inner) {
    fatal().printFatal(inner);
    ops.exit(HANDLER_FAILED_CODE);
  }
  if (!state.exiting) {
    state.exiting = true;
    exitCode = UNCAUGHT_CODE;
    closeTicks();
    try {
      emitter.emit('exit', UNCAUGHT_CODE);
    } catch {
      // As in Node: the first error is what is told.
    }
  }
  fatal().printFatal(error);
  ops.exit(exitCode === undefined || exitCode === null ? UNCAUGHT_CODE : codeNumber());
}

function fatal(): typeof Fatal {
  return later<typeof import('./fatal.later.ts')>();
}

export function setUncaughtExceptionCaptureCallback(callback: unknown): void {
  if (callback === null) {
    capture = null;
    return;
  }
  if (typeof callback !== 'function') throw invalidArgType('fn', ['Function', 'null'], callback);
  if (capture !== null) {
    throw coded(
      Error,
      'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
      '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active',
    );
  }
  capture = callback as (error: unknown) => void;
}

export function hasUncaughtExceptionCaptureCallback(): boolean {
  return capture !== null;
}
