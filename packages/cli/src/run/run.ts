/**
 * `fulmar run` in one process: prepares it so that the application sees what it sees under `node <file>`,
 * then runs the file.
 *
 * The start of every application. Loads nothing that this application does not need.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunOptions } from '../arguments.ts';
import { findEntry } from '../entry.ts';
import { checkEnvFile, loadEnvFile } from '../env-files.ts';
import { CommandError } from '../errors.ts';
import { install } from '../../../fulmar/src/launch/modules/installation.ts';
import { installLifecycle } from '../../../fulmar/src/launch/lifecycle/lifecycle.ts';
import { isAtTerminal, isHungUp } from '../../../fulmar/src/launch/terminal/terminal.ts';
import { endWithWrapper } from '../../../fulmar/src/launch/lifecycle/wrapped.ts';
import { keepYoungGenerationSmall } from '../../../fulmar/src/launch/lifecycle/young-generation.ts';
import {
  CODE_CACHE_DELAY_MS,
  DRAIN_TIMEOUT_MS_DEFAULT,
  DRAIN_TIMEOUT_MS_WATCH,
  NO_ALIAS_VARIABLE,
  RELOAD_SIGNALS,
  toBundleFile,
  toPreloadFile,
  WATCH_VARIABLE,
} from '../../../fulmar/src/launch/settings.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';
import { WORKER_VARIABLE } from '../settings.ts';

interface MainLoader {
  flushCompileCache?: () => void;
  runMain(file: string): void;
  _cache: Record<string, unknown>;
}

/** Ways to run that are not in this process: what they need is loaded with them. */
export interface OtherWays {
  readonly startNative: () => void;
  readonly startAgain: () => void;
  readonly runWorkers: () => void;
}

/**
 * Prepares the command and returns what starts it. Throws a `CommandError` for what can be told before the
 * application starts.
 */
export function run(options: RunOptions, binFile: string, { startNative, startAgain, runWorkers }: OtherWays): () => void {
  endWithWrapper();
  const worker = process.env[WORKER_VARIABLE];
  const isWorker = worker !== undefined;
  if (options.native) refuseOptionsOfNode(options);
  const file = findEntry(options.file);
  if (!isWorker && (options.watch || (options.nodeFlags.length > 0 && options.workers === undefined))) {
    return startAgain;
  }
  if (options.workers !== undefined && !isWorker) {
    // Each worker reads them when it starts, so that a rolling restart finds what has changed.
    for (const envFile of options.envFiles) checkEnvFile(envFile);
    surviveReloads();
    return runWorkers;
  }
  for (const envFile of options.envFiles) loadEnvFile(envFile);
  if (options.native) return startNative;
  delete process.env[WORKER_VARIABLE];
  return () => runHere(file, options, { binFile, worker });
}

function refuseOptionsOfNode({ workers, nodeFlags, polyglot }: RunOptions): void {
  if (polyglot) {
    const advice = "import 'fulmar/polyglot/global' in the application, which does the same there";
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--polyglot is for Node, and --native runs without it: ${advice}`);
  }
  const [option] = [...(workers === undefined ? [] : ['--workers']), ...nodeFlags];
  if (option === undefined) return;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `${option} is for Node, and --native runs without it: give one of them`);
}

/** Before there are workers to renew: those that are about to start are new. */
function surviveReloads(): void {
  const isHungUpNow = isHungUp();
  for (const signal of RELOAD_SIGNALS) {
    process.on(signal, () => {
      if (signal === 'SIGUSR2' || !isHungUpNow() || process.listenerCount(signal) > 1) return;
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
}

interface Place {
  readonly binFile: string;
  /** What the primary of `--workers` has said. */
  readonly worker: string | undefined;
}

function runHere(file: string, options: RunOptions, { binFile, worker }: Place): void {
  process.argv.splice(1, process.argv.length, file, ...options.args);
  if (!options.alias) process.env[NO_ALIAS_VARIABLE] = '1';
  const { startThread } = install(binFile, options, entryOf(file, options, binFile));
  if (options.verbose && options.alias) loadOwn<Register>(binFile, 'register').watchEscapes(binFile);
  const drainTimeoutMs = process.env[WATCH_VARIABLE] === undefined ? options.drainTimeoutMs : DRAIN_TIMEOUT_MS_WATCH;
  installLifecycle({
    drainTimeoutMs: drainTimeoutMs ?? DRAIN_TIMEOUT_MS_DEFAULT,
    verbose: options.verbose,
    supervised: worker !== undefined,
    bundleFile: toBundleFile(binFile),
    ...(isAtTerminal() && loadOwn<Interactive>(binFile, 'cli-interactive').attend({ binFile, entry: file, worker, drainTimeoutMs })),
  });
  keepYoungGenerationSmall();
  // What the application forks, with `child_process.fork` or its own cluster, starts with the same hooks.
  const preloadFile = toPreloadFile(binFile);
  if (!process.execArgv.includes(preloadFile)) process.execArgv.push('--require', preloadFile);
  const loader = process.getBuiltinModule('node:module') as unknown as MainLoader;
  // Node keeps compiled code when a process exits; one that is killed would never have any.
  if (loader.flushCompileCache !== undefined) setTimeout(loader.flushCompileCache, CODE_CACHE_DELAY_MS).unref();
  delete loader._cache[binFile];
  process.mainModule = undefined as never;
  if (options.polyglot) loadOwn<object>(binFile, 'polyglot-global');
  // Before it runs: an application may give up the right to look.
  const path = realPath(file);
  // Old Nodes would `require` a .mts entry, which then could not await.
  if (startThread !== undefined && extname(file) === '.mts') void import(pathToFileURL(file).href);
  else loader.runMain(file);
  void exportsOf(path, loader)?.then(
    (exports) => {
      if (!isServable(exports)) return;
      loadOwn<Exported>(binFile, 'cli-exported').serveExport({
        exports,
        load: (bundle) => loadOwn(binFile, bundle),
        args: options.args,
        tell: worker === undefined ? (line) => void process.stderr.write(`fulmar: ${line}\n`) : null,
      });
    },
    // It is told by whoever has run it.
    () => {},
  );
}

/** Files of ours that open a folder, their first argument: for `fulmar run` and for `fulmar build`. */
const openers: readonly string[] = ['project.mjs', 'build-project.mjs'];

/**
 * The file by which imports are judged. Of a project, which our own file opens, one that stands for its folder: an ES
 * module, as those are, and not there.
 */
function entryOf(file: string, { args }: RunOptions, binFile: string): string {
  const [root] = args;
  const isOpener = dirname(file) === dirname(binFile) && openers.includes(basename(file));
  return isOpener && root !== undefined ? join(root, 'fulmar-project.mjs') : file;
}

/** Most applications listen by now, and export nothing: they load nothing for those that do not. */
function isServable(exports: unknown): boolean {
  if ((readGlobal('fulmar.servers')?.size ?? 0) > 0) return false;
  return typeof exports === 'function' || (typeof exports === 'object' && exports !== null && Object.keys(exports).length > 0);
}

/** Undefined where there is none: Node says why. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** What the entry exports, when it has run. Undefined: nothing that could be served. */
function exportsOf(path: string | undefined, loader: MainLoader): Promise<unknown> | undefined {
  if (path === undefined) return undefined;
  const module = loader._cache[path] as { readonly exports: unknown } | undefined;
  if (module !== undefined) return isServable(module.exports) ? Promise.resolve(module.exports) : undefined;
  // Under another URL it would run a second time.
  if (process.execArgv.includes('--preserve-symlinks-main')) return undefined;
  return import(pathToFileURL(path).href);
}

type Exported = typeof import('../../../fulmar/src/launch/exported/index.ts');
type Interactive = typeof import('../../../fulmar/src/launch/interactive/index.ts');
type Register = typeof import('../../../fulmar/src/launch/register/index.ts');

/** What few runs need: what is only for somebody who sits at a terminal, or wants to know more. */
function loadOwn<T>(binFile: string, bundle: string): T {
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(binFile)(`../dist/${bundle}.cjs`) as T;
}
