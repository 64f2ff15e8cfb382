/**
 * One way to run each file operation: now, with a callback, or as a promise. A plan says what to do, how its
 * failure is reported and how its raw result becomes what the application gets.
 */
import type { FileOperations } from 'fulmar:ops';
import { fileOperations } from './embedded.ts';
import { uvException } from '../shared/errno.ts';
import { AbortError } from '../shared/errors.ts';
import { type Callback, pathText } from './arguments.ts';

type Operation = keyof FileOperations;

export interface Plan<T> {
  readonly operation: Operation;
  readonly args: readonly unknown[];
  readonly syscall: string;
  readonly path?: string | Uint8Array | undefined;
  readonly dest?: string | Uint8Array | undefined;
  readonly convert?: ((raw: never) => T) | undefined;
  /** A folder that cannot be read is named in the error. */
  readonly namesFolder?: boolean;
}

function call(plan: Plan<unknown>, callback?: (raw: unknown) => void): unknown {
  const operations = fileOperations() as unknown as Record<string, (...args: unknown[]) => unknown>;
  const operation = operations[plan.operation] as (...args: unknown[]) => unknown;
  return callback === undefined ? operation(...plan.args) : operation(...plan.args, callback);
}

function failure(plan: Plan<unknown>, errno: number): Error {
  const { syscall, path, dest } = plan;
  const EISDIR = -21;
  // The operation opens and reads; reading is what fails on a folder.
  if (plan.operation === 'readFile' && errno === EISDIR) {
    return uvException(errno, 'read', plan.namesFolder === true && path !== undefined ? pathText(path) : undefined);
  }
  return uvException(errno, syscall, path === undefined ? undefined : pathText(path), dest === undefined ? undefined : pathText(dest));
}

function converted<T>(plan: Plan<T>, raw: unknown): T {
  return plan.convert === undefined ? (undefined as T) : plan.convert(raw as never);
}

/** A negative errno stands for a failure. */
function failed(raw: unknown): raw is number {
  return typeof raw === 'number' && raw < 0;
}

export function now<T>(plan: Plan<T>): T {
  const raw = call(plan);
  if (failed(raw)) throw failure(plan, raw);
  return converted(plan, raw);
}

/** Undefined instead of an error when there is no such file. */
export function nowOrMissing<T>(plan: Plan<T>): T | undefined {
  const raw = call(plan);
  if (raw === -2 || raw === -20) return undefined;
  if (failed(raw)) throw failure(plan, raw);
  return converted(plan, raw);
}

export function inBackground<T>(plan: Plan<T>, callback: Callback): void {
  const done = callback as (error: Error | null, value?: T) => void;
  call(plan, (raw) => {
    if (failed(raw)) return done(failure(plan, raw));
    const value = converted(plan, raw);
    if (value === undefined) done(null);
    else done(null, value);
  });
}

export function promised<T>(plan: Plan<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    call(plan, (raw) => {
      if (failed(raw)) reject(failure(plan, raw));
      else resolve(converted(plan, raw));
    });
  });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}
