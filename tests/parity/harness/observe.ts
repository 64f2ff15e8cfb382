/**
 * What a side shows besides bytes: notes of the program, console and deprecation output, uncaught errors.
 * Installed while one side runs and removed before the other starts; never keeps anything between cases.
 */
import { inspect } from 'node:util';
import type { CaseContext, CaseOptions, SideName } from './case.ts';
import { FROZEN_NOW } from './shared-state.ts';

const FRAME = /\n\s+at .*/g;
const INSPECT = { depth: 8, breakLength: 100, maxArrayLength: 500, maxStringLength: 20_000 } as const;
/** How long something announced with `pending()` may take. */
const PENDING_DEADLINE_MS = 4_000;

export interface Observer {
  readonly context: CaseContext;
  readonly records: string[];
  readonly console: string[];
  readonly uncaught: string[];
  /** Waits for everything announced with `pending()`, then lets queued immediates run. */
  settle(): Promise<void>;
  /** Removes every hook; returns nothing that outlives the case. */
  stop(): void;
}

type ConsoleMethod = 'log' | 'info' | 'warn' | 'error';
const CONSOLE_METHODS: readonly ConsoleMethod[] = ['log', 'info', 'warn', 'error'];

export function observe(side: SideName, options: CaseOptions): Observer {
  const records: string[] = [];
  const lines: string[] = [];
  const uncaught: string[] = [];
  const waiting = new Set<() => void>();
  let wake: (() => void) | undefined;
  const undo = [
    captureConsole(lines),
    captureWarnings(lines),
    captureUncaught(uncaught),
    replaceEnvironment(options.env ?? {}),
    options.frozenNow === true ? freezeNow() : () => undefined,
  ];
  const record = (...values: unknown[]): void => void records.push(values.map(describe).join(' '));
  const context: CaseContext = {
    side,
    record,
    pending: () => {
      const done = (): void => {
        waiting.delete(done);
        if (waiting.size === 0) wake?.();
      };
      waiting.add(done);
      return done;
    },
    attempt: (label, fn) => {
      try {
        record(label, '=>', fn());
      } catch (error) {
        record(label, 'throws', error);
      }
    },
  };
  const settle = async (): Promise<void> => {
    if (waiting.size > 0) await deadline((resolve) => (wake = resolve));
    if (waiting.size > 0) records.push(`${waiting.size} announced thing(s) never ended`);
    await immediate();
    await immediate();
    await immediate();
  };
  return { context, records, console: lines, uncaught, settle, stop: () => undo.forEach((fn) => fn()) };
}

/** A value as text that is the same on both sides: stack frames go, everything else stays. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return describeError(value);
  return inspect(value, INSPECT).replace(FRAME, '');
}

function describeError(error: Error): string {
  const own = Object.entries(error).filter(([, value]) => typeof value !== 'function' && typeof value !== 'object');
  const fields = own.map(([key, value]) => `${key}=${String(value)}`).sort();
  return [`${error.name}: ${error.message}`, ...fields].join(' | ').replace(FRAME, '');
}

function captureConsole(lines: string[]): () => void {
  const originals = CONSOLE_METHODS.map((method) => console[method]);
  for (const method of CONSOLE_METHODS) {
    console[method] = (...values: unknown[]) => void lines.push(`console.${method}: ${values.map(describe).join(' ').replace(FRAME, '')}`);
  }
  return () => CONSOLE_METHODS.forEach((method, i) => (console[method] = originals[i] ?? console[method]));
}

function captureWarnings(lines: string[]): () => void {
  // `depd` hands its messages to this event when someone listens, and writes to stderr otherwise.
  const onDeprecation = (warning: Error & { namespace?: string }): void => {
    lines.push(`deprecation: ${warning.namespace ?? ''} ${warning.message}`);
  };
  process.on('deprecation' as 'warning', onDeprecation);
  return () => void process.off('deprecation' as 'warning', onDeprecation);
}

function captureUncaught(uncaught: string[]): () => void {
  const had = process.hasUncaughtExceptionCaptureCallback();
  if (!had) process.setUncaughtExceptionCaptureCallback((error: unknown) => void uncaught.push(describe(error)));
  const onRejection = (reason: unknown): void => void uncaught.push(`rejection ${describe(reason)}`);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('unhandledRejection', onRejection);
    for (const listener of others) process.on('unhandledRejection', listener);
    if (!had) process.setUncaughtExceptionCaptureCallback(null);
  };
}

function replaceEnvironment(values: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  const assign = ([name, value]: readonly [string, string | undefined]): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  Object.entries(values).forEach(assign);
  return () => before.forEach(assign);
}

function freezeNow(): () => void {
  const original = Date.now;
  Date.now = () => FROZEN_NOW;
  return () => void (Date.now = original);
}

export function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function deadline(start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PENDING_DEADLINE_MS);
    start(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
