/**
 * What is loaded before an entry that is not ours: in processes that the application forks
 * (`bin/preload.cjs`), and wherever a user names `fulmar/register` (`bin/register.cjs`) or
 * `fulmar/register/typescript`.
 *
 * Before the application, in any process or thread of Node's. Loads neither the engine nor a compiler.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { install } from '../modules/installation.ts';
import { installLifecycle } from '../lifecycle/lifecycle.ts';
import {
  DRAIN_TIMEOUT_MS_DEFAULT,
  DRAIN_TIMEOUT_MS_INTERRUPT,
  DRAIN_TIMEOUT_MS_WATCH,
  isOn,
  NO_ALIAS_VARIABLE,
  REGISTER_BUNDLE,
  toBundleFile,
  toRegisterFile,
  toRegisterTypescriptFile,
  VERBOSE_VARIABLE,
  WATCH_VARIABLE,
} from '../settings.ts';
import type { SignalOptions } from '../lifecycle/signals.ts';
import { isAtTerminal } from '../terminal/terminal.ts';
import { keepYoungGenerationSmall } from '../lifecycle/young-generation.ts';
import { watchEscapes } from './escapes.ts';
import { mapThreads } from './threads.ts';
import { readGlobal, setGlobal } from '../../host/globals.ts';

/**
 * For processes that the application forks, and before what `--require` and `--import` name. Those modules
 * hook the loader themselves, and what they hook shall be ours.
 */
export function preload(binFile: string): void {
  const entry = entryOfProcess();
  if (isCommand(entry, binFile)) {
    const words = process.argv.slice(2, process.argv.indexOf('--'));
    install(binFile, { alias: !words.includes('--no-alias'), verbose: words.includes('--verbose'), bundle: REGISTER_BUNDLE }, undefined);
    return;
  }
  install(binFile, { alias: !isOn(NO_ALIAS_VARIABLE), verbose: false, bundle: REGISTER_BUNDLE }, entry);
  prepareOnce(binFile, { drainTimeoutMs: DRAIN_TIMEOUT_MS_DEFAULT });
}

interface RegisterOptions {
  /** Default: false. */
  readonly compiles?: boolean;
}

/**
 * For every process that a user has told to. It maps modules and, unless it `compiles`, leaves sources to whoever
 * compiles them.
 */
export function register(binFile: string, { compiles = false }: RegisterOptions = {}): void {
  const alias = !isOn(NO_ALIAS_VARIABLE);
  if (!alias && !compiles) return;
  const verbose = isOn(VERBOSE_VARIABLE);
  const entry = entryOfProcess();
  const isOurs = isCommand(entry, binFile);
  // The command looks after itself.
  if (!isOurs) install(binFile, { alias, verbose, compiles, bundle: REGISTER_BUNDLE }, entry);
  mapThreads(compiles ? toRegisterTypescriptFile(binFile) : toRegisterFile(binFile), verbose);
  if (isOurs) return;
  if (verbose) watchEscapes(binFile);
  const isWatched = process.env[WATCH_VARIABLE] !== undefined;
  prepareOnce(binFile, {
    drainTimeoutMs: isWatched ? DRAIN_TIMEOUT_MS_WATCH : DRAIN_TIMEOUT_MS_DEFAULT,
    interruptTimeoutMs: isAtTerminal() ? DRAIN_TIMEOUT_MS_INTERRUPT : undefined,
  });
  // V8's flags are the process's: a thread, which knows its own options alone, does not decide on them.
  if (process.getBuiltinModule('node:worker_threads').isMainThread) keepYoungGenerationSmall();
}

/** Resolved, because a command in `node_modules/.bin` is a link. */
function entryOfProcess(): string | undefined {
  const [, file] = process.argv;
  if (file === undefined) return undefined;
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

const isCommand = (entry: string | undefined, binFile: string): boolean => entry === resolve(binFile, '..', 'fulmar.cjs');

function prepareOnce(binFile: string, timeouts: Pick<SignalOptions, 'drainTimeoutMs' | 'interruptTimeoutMs'>): void {
  // A thread gets no signals, and its errors are its process's.
  if (readGlobal('fulmar.cli.prepared') !== undefined || !process.getBuiltinModule('node:worker_threads').isMainThread) return;
  setGlobal('fulmar.cli.prepared', true);
  installLifecycle({ ...timeouts, verbose: false, supervised: false, bundleFile: toBundleFile(binFile, REGISTER_BUNDLE) });
}
