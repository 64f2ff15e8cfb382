/**
 * `node:timers`
 */
import { clearImmediate, Immediate } from './immediate.ts';
import { type Callback, clearTimer, Timeout } from './timeout.ts';
import { validateFunction } from '../shared/validators.ts';

const PROMISIFY = Symbol.for('nodejs.util.promisify.custom');

function rest(args: unknown[]): unknown[] | undefined {
  return args.length === 0 ? undefined : args;
}

function setTimeout(callback: Callback, after?: number, ...args: unknown[]): Timeout {
  validateFunction(callback, 'callback');
  return new Timeout(callback, after, rest(args), false);
}

function setInterval(callback: Callback, after?: number, ...args: unknown[]): Timeout {
  validateFunction(callback, 'callback');
  return new Timeout(callback, after, rest(args), true);
}

function setImmediate(callback: Callback, ...args: unknown[]): Immediate {
  validateFunction(callback, 'callback');
  return new Immediate(callback, rest(args));
}

function clearTimeout(timer: unknown): void {
  clearTimer(timer);
}

function clearInterval(timer: unknown): void {
  clearTimer(timer);
}

function promises(): Record<string, unknown> {
  return process.getBuiltinModule('node:timers/promises') as unknown as Record<string, unknown>;
}

Object.defineProperty(setTimeout, PROMISIFY, { enumerable: true, get: () => promises()['setTimeout'] });
Object.defineProperty(setImmediate, PROMISIFY, { enumerable: true, get: () => promises()['setImmediate'] });

const timers = { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval };
Object.defineProperty(timers, 'promises', { enumerable: true, configurable: true, get: promises });

export default timers;
