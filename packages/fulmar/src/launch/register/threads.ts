/**
 * Worker threads of a registered process: their modules are mapped, too, whatever options they are started
 * with.
 *
 * Node hands `--import` of a command line on to threads (not before the first line of one that is made of a
 * text), but not that of `NODE_OPTIONS`, and nothing to a thread with `execArgv` of its own. Installed once
 * by `fulmar/register`; `fulmar run` leaves threads to Node.
 */
import { syncBuiltinESMExports } from 'node:module';
import { tell } from '../terminal/tell.ts';
import { readGlobal, setGlobal } from '../../host/globals.ts';

type Threads = typeof import('node:worker_threads');
type ThreadArguments = ConstructorParameters<Threads['Worker']>;

export const areThreadsMapped = (): boolean => readGlobal('fulmar.cli.threads') !== undefined;

/** `registerFile` is what a thread is to load. */
export function mapThreads(registerFile: string, verbose: boolean): void {
  if (areThreadsMapped()) return;
  setGlobal('fulmar.cli.threads', true);
  const threads = process.getBuiltinModule('node:worker_threads');
  const construct = (target: Threads['Worker'], [file, options]: ThreadArguments, newTarget: Function): Worker => {
    const start = (execArgv: string[]): Worker => Reflect.construct(target, [file, { ...options, execArgv }], newTarget) as Worker;
    const own = options?.execArgv;
    const given = own ?? process.execArgv;
    // What Node refuses it shall refuse.
    const isWrong = options === null || !Array.isArray(given);
    if (isWrong || isRequired(given, registerFile)) return Reflect.construct(target, [file, options], newTarget) as Worker;
    const mapped = ['--require', registerFile, ...given];
    try {
      return own === undefined ? startMapped(start, mapped) : start(mapped);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (verbose) tell(`the worker thread ${String(file)} takes no --require, and sees Node's own modules: ${error.message}`);
      return Reflect.construct(target, [file, options], newTarget) as Worker;
    }
  };
  threads.Worker = new Proxy(threads.Worker, { construct: construct as NonNullable<ProxyHandler<Threads['Worker']>['construct']> });
  syncBuiltinESMExports();
}

/** `--import` of it comes too late for a thread that is made of a text. */
const isRequired = (execArgv: readonly unknown[], file: string): boolean =>
  execArgv.some((word, at) => word === file && ['--require', '-r'].includes(execArgv[at - 1] as string));

type Worker = InstanceType<Threads['Worker']>;

/**
 * What a thread inherits may be written in `execArgv` only in part: the options of the whole process are
 * refused there.
 */
function startMapped(start: (execArgv: string[]) => Worker, execArgv: string[]): Worker {
  try {
    return start(execArgv);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const refused = new Set(error.message.replace(/^.*: /, '').split(', '));
    const left = withoutRefused(execArgv, refused);
    // Node names no more of them than stand before the first value.
    if (left.length === execArgv.length) throw error;
    return startMapped(start, left);
  }
}

/** With their values, where these stand apart: one that stayed would be taken for the end of the options. */
function withoutRefused(execArgv: readonly string[], refused: ReadonlySet<string>): string[] {
  const isRefused = (at: number): boolean => refused.has(execArgv[at] ?? '');
  return execArgv.filter((word, at) => !isRefused(at) && (word.startsWith('-') || !isRefused(at - 1)));
}

const isRefusal = (error: unknown): error is Error => (error as { code?: unknown }).code === 'ERR_WORKER_INVALID_EXEC_ARGV';
