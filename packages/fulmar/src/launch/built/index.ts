/**
 * The first module of a built application: prepares the process as `fulmar run` does, without its module
 * hooks.
 *
 * Bundled into every built file. Runs before the application's first module, in each of its threads.
 */
import { join } from 'node:path';
import { answerWorkers } from '../lifecycle/cluster-primary.ts';
import { installHelpers } from '../compile/decorator-helpers.ts';
import { installLifecycle } from '../lifecycle/lifecycle.ts';
import { DRAIN_TIMEOUT_MS_DEFAULT } from '../settings.ts';
import { announceFirst, type StartFacts } from '../terminal/start-line.ts';
import { isAtTerminal } from '../terminal/terminal.ts';
import { redirectReads, withFolders } from './files.ts';
import { BundledModules, type BundledNames } from './modules.ts';
import { tell } from '../terminal/tell.ts';
import type { BundleScope } from './types.ts';
import { defineGlobal, readGlobal } from '../../host/globals.ts';

export interface BootOptions extends BundledNames {
  readonly usesHelpers: boolean;
  /** What the process says of itself at a terminal. */
  readonly start: StartFacts;
  /** Names of pino's transports, and their places. */
  readonly transports: Readonly<Record<string, string>>;
  /** Loads what answers the workers of a cluster; `undefined`: `http` is Node's. */
  readonly cluster: Parameters<typeof answerWorkers>[0] | undefined;
  /** What serves an application that the entry only exports; `undefined`: it exports nothing. */
  readonly exported:
    | { readonly serve: () => typeof import('../exported/index.ts'); readonly app: () => unknown; readonly http: () => unknown }
    | undefined;
  /** Loads `threads.ts`, which only files with modules for threads hold. */
  readonly threads: (() => { redirectThreads: (scope: BundleScope) => void }) | undefined;
}

type GetBuiltinModule = (id: string) => unknown;

export function boot(options: BootOptions): void {
  const scope = readGlobal('fulmar.bundle') as BundleScope;
  if (options.usesHelpers) installHelpers();
  scope.api = new BundledModules(scope.root, options);
  leadBuiltin(options.aliases);
  if (scope.files.length > 0) {
    redirectReads({ root: scope.root, folder: `${scope.folder}/files`, names: withFolders(scope.files) });
  }
  leadTransports(options.transports, scope.root);
  options.threads?.().redirectThreads(scope);
  scope.serve = (exports) => serve(exports, options);
  // Under `fulmar run`, whose workers a built file can have as well, that has been done.
  if (readGlobal('fulmar.cli.installed') !== undefined) return;
  if (options.cluster !== undefined) answerWorkers(options.cluster);
  installLifecycle({ drainTimeoutMs: DRAIN_TIMEOUT_MS_DEFAULT, verbose: false, supervised: false });
  if (isAtTerminal() && isOnlyOne()) announceFirst(() => options.start);
}

/** When the entry has run: see `launch/exported`. */
function serve(exports: unknown, { exported }: BootOptions): void {
  if (exported === undefined || (readGlobal('fulmar.servers')?.size ?? 0) > 0) return;
  if (!process.getBuiltinModule('node:worker_threads').isMainThread) return;
  exported.serve().serveExport({
    exports,
    load: (bundle) => exported[bundle](),
    args: process.argv.slice(2),
    tell: process.send === undefined ? tell : null,
  });
}

/** Threads and processes that the application starts say nothing: there may be many. */
function isOnlyOne(): boolean {
  return process.send === undefined && process.getBuiltinModule('node:worker_threads').isMainThread;
}

/** pino asks a bundle by this name where its transports are. */
function leadTransports(transports: Readonly<Record<string, string>>, root: string): void {
  const global = globalThis as { __bundlerPathsOverrides?: Record<string, string> };
  for (const [name, place] of Object.entries(transports)) {
    global.__bundlerPathsOverrides = { ...global.__bundlerPathsOverrides, [name]: join(root, place) };
  }
}

/**
 * `process.getBuiltinModule('http')` of the application; our own code finds Node's function where it looks
 * for it.
 */
function leadBuiltin(aliases: BundledNames['aliases']): void {
  const kept = readGlobal('fulmar.getBuiltinModule');
  const original = kept ?? (process.getBuiltinModule.bind(process) as GetBuiltinModule);
  if (kept === undefined) defineGlobal('fulmar.getBuiltinModule', { value: original });
  const http = aliases['http'];
  if (http === undefined) return;
  const patched: GetBuiltinModule = (id) => (id === 'http' || id === 'node:http' ? http() : original(id));
  process.getBuiltinModule = patched as typeof process.getBuiltinModule;
}
