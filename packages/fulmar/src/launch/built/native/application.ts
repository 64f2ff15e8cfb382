/**
 * Part of the QuickJS host: what an application's bundle finds at `fulmar.bundle`: the host's modules, and
 * what its modules are told about themselves. `packages/cli/src/build` writes the calls; they are few, so
 * everything that can wait is loaded with the first of them.
 *
 * The application appears to lie in the executable's folder: a source that was `src/a.js` in its project is
 * `src/a.js` there, whether or not anything of that name exists.
 */
import type { EmbeddedModules, BundledNames } from './bundled.ts';
import { beforeFirstServer } from '../../lifecycle/first-server.ts';
import type { StartFacts } from '../../terminal/start-line.ts';
import { defineGlobal, readGlobal, setGlobal } from '../../../host/globals.ts';

/** What the host offers (`packages/quickjs-node/src/start/loader.ts`). */
interface Loader {
  builtin(id: string): unknown;
  internal(name: string): unknown;
}

/** What a bundle says of itself before its first module. */
export interface BundleFacts extends BundledNames {
  /** Place of the entry. */
  readonly main: string;
  /** Where the application lies, instead of the executable's folder. */
  readonly root: string | undefined;
  readonly drainTimeoutMs: number | undefined;
  /** What the process says of itself at a terminal. */
  readonly start: StartFacts;
}

type GetBuiltinModule = (id: string) => unknown;

const nothing: BundleFacts = {
  main: '',
  root: undefined,
  drainTimeoutMs: undefined,
  start: { version: '', packages: [] },
  loaders: {},
  resolved: {},
};

/** Prepares the process for the application that the executable carries. */
export function prepare(loader: Loader, executable: string): void {
  const require = createRequire(loader);
  let root = executable.slice(0, executable.lastIndexOf('/'));
  let facts = nothing;
  let api: EmbeddedModules | undefined;
  const scope = {
    require,
    /** The application's folder; empty for `/`. */
    get root(): string {
      return root;
    },
    boot(given: BundleFacts): void {
      facts = given;
      root = given.root ?? root;
      process.argv[1] = `${root}/${given.main}`;
      // Only `fulmar run --native` says where the application lies, and has a process of its own above this
      // one.
      if (given.root !== undefined) lifecycle(loader).endWithWrapper();
      attendFirstServer(loader, given);
    },
    /** When the entry has run: what it exports, where that is not known to be nothing. */
    serve(exports: unknown): void {
      if ((readGlobal('fulmar.servers')?.size ?? 0) > 0) return;
      const { serveExport, tell } = loader.internal('exported.cjs') as typeof import('./exported.ts');
      serveExport({ exports, load: (bundle) => require(`fulmar/${bundle}`), args: process.argv.slice(2), tell });
    },
    get api(): EmbeddedModules {
      if (api === undefined) {
        const { EmbeddedModules: Modules } = loader.internal('bundled.cjs') as typeof import('./bundled.ts');
        api = new Modules(root, facts, { builtin: require, internal: loader.internal });
      }
      return api;
    },
  };
  setGlobal('fulmar.bundle', scope);
  defineGlobal('fulmar.helpers', {
    configurable: true,
    get: () => (loader.internal('helpers.cjs') as typeof import('./helpers.ts')).decoratorHelpers,
  });
  leadBuiltin(require);
}

/**
 * Signals drain the servers that listen, as under `fulmar run`. What does that is loaded with the first of
 * them: before, a signal does what it does to any process. So is the line that tells of the start, where
 * somebody may read it.
 */
function attendFirstServer(loader: Loader, { drainTimeoutMs, start }: BundleFacts): void {
  beforeFirstServer((server) => {
    const { drainAtSignals, isAtTerminal } = lifecycle(loader);
    drainAtSignals(drainTimeoutMs);
    if (isAtTerminal()) (loader.internal('announce.cjs') as typeof import('./announce.ts')).announce(server, start);
  });
}

function lifecycle(loader: Loader): typeof import('./lifecycle.ts') {
  return loader.internal('lifecycle.cjs') as typeof import('./lifecycle.ts');
}

/** `node:http` is Fulmar's to an application, whoever asks for it and in whichever way. */
function createRequire(loader: Loader): (id: string) => unknown {
  return (id) => loader.builtin(id === 'http' || id === 'node:http' ? 'fulmar/http' : id);
}

/**
 * `process.getBuiltinModule('http')` of the application; our own code finds the host's where it looks for it.
 */
function leadBuiltin(require: (id: string) => unknown): void {
  const original = process.getBuiltinModule as GetBuiltinModule;
  setGlobal('fulmar.getBuiltinModule', original);
  const lead: GetBuiltinModule = (id) => (id === 'http' || id === 'node:http' ? require(id) : original(id));
  process.getBuiltinModule = lead as typeof process.getBuiltinModule;
}
