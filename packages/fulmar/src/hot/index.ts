/**
 * Reloading in one process, for `fulmar dev`: which files the application has loaded, new versions of those that have
 * changed, and the sockets, sessions and listeners of the process that go from the old code to the new. Installed before
 * the application's first module, behind the hooks of `launch/modules`. Watches nothing: who does says what has changed.
 */
import { createRequire } from 'node:module';
import { setGlobal } from '../host/globals.ts';
import { Generations } from './generations.ts';
import { type CommonCache, ModuleGraph } from './graph.ts';
import { installLegacyHooks } from './hooks-legacy.ts';
import { installSyncHooks } from './hooks-sync.ts';
import { keepSessions } from './kept.ts';
import { ProcessListeners } from './process-listeners.ts';
import { Sockets } from './sockets.ts';
import { isInstalled, Tracked } from './versions.ts';

export { isInstalled, OWN } from './versions.ts';
export type { ModuleGraph } from './graph.ts';

export interface HotOptions {
  /** That of our bundles. */
  readonly ownFolder: string;
  /** `dist/hot-thread.cjs`, for old Nodes. */
  readonly threadFile: string;
  readonly onError: (error: unknown) => void;
  /** Apps of `fulmar/routes` are the application's own to make: who imports that is loaded anew with a file of them. */
  readonly throughOwn: boolean;
  /** Told of each file of the application that is imported, once. */
  readonly onFile: (file: string) => void;
}

export interface Hot {
  readonly graph: ModuleGraph;
  /** Gives the changed files and all that import them a new version. */
  renew(changed: Iterable<string>): Promise<{ readonly files: ReadonlySet<string>; readonly reachesOwn: boolean }>;
  /** Runs what loads modules. Rejects with what that throws; all that it has loaded is loaded anew with the next change. */
  attempt<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The same as the application's newest code: what it listens on is taken from the code before. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** What listens by this gives way to the newest code when that wants to listen. */
  standIn<Value>(work: () => Value): Value;
  /** Has the newest code listened? */
  hasListened(): boolean;
}

export function startHot({ ownFolder, threadFile, onError, throughOwn, onFile }: HotOptions): Hot {
  const { cache } = createRequire(threadFile);
  const graph = new ModuleGraph(cache as unknown as CommonCache, onFile);
  const tracked = new Tracked(ownFolder);
  const typesOf = (source: string, files: readonly string[]): void => noteTypes(graph, source, files);
  const legacy = installSyncHooks(graph, tracked)
    ? undefined
    : installLegacyHooks({ graph, tracked, ownFolder, threadFile, noteTypes: typesOf });
  const generations = new Generations();
  const listeners = new ProcessListeners(graph);
  keepSessions(graph);
  setGlobal('fulmar.type-files', typesOf);
  const sockets = new Sockets({ generations, onError });
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const following = graph.follow();
    try {
      return await work();
    } catch (error) {
      await legacy?.tell([]);
      graph.failed(following.loaded);
      throw error;
    } finally {
      following.end();
    }
  };
  return {
    graph,
    async renew(changed) {
      // What was imported before is in the graph then.
      await legacy?.tell([]);
      const renewal = graph.renew(changed, throughOwn);
      listeners.removeOf(renewal.files);
      await legacy?.tell(renewal.files);
      return renewal;
    },
    attempt,
    async run(work) {
      try {
        return await attempt(() => generations.begin(work));
      } catch (error) {
        sockets.keep();
        throw error;
      }
    },
    standIn: (work) => generations.standIn(work),
    hasListened: () => sockets.hasOf(generations.newest),
  };
}

/** Files of types alone are loaded by nobody. */
function noteTypes(graph: ModuleGraph, source: string, files: readonly string[]): void {
  for (const file of files) {
    if (isInstalled(file)) continue;
    graph.note(source, file);
    if (graph.isStale(file)) graph.loads(file);
  }
}
