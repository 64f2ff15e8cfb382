/**
 * The graph's hooks on Nodes with synchronous ones: behind those of `launch/modules`, which find and compile, and so
 * seeing what these have made of each import.
 */
import type { LoadHookSync, ResolveHookSync } from 'node:module';
import type { ModuleGraph } from './graph.ts';
import { hideVersion, OWN, type Tracked, withoutVersion, withVersion } from './versions.ts';

type Register = (hooks: { resolve: ResolveHookSync; load: LoadHookSync }) => unknown;

/** False where this Node has none. */
export function installSyncHooks(graph: ModuleGraph, tracked: Tracked): boolean {
  const { registerHooks } = process.getBuiltinModule('node:module') as unknown as { registerHooks?: Register };
  if (registerHooks === undefined) return false;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const importer = tracked.importerOf(context.parentURL);
      const file = tracked.fileOf(found.url);
      if (file === undefined) {
        if (importer !== undefined && importer !== OWN && tracked.isRoutes(found.url)) graph.note(importer, OWN);
        return found;
      }
      graph.note(importer, file);
      // `require` is kept by file, and forgets what is renewed.
      if (context.conditions.includes('require')) return found;
      const url = withVersion(found.url, graph.versionOf(file));
      return url === found.url ? found : { ...found, url };
    },
    load(url, context, next) {
      const base = withoutVersion(url);
      const file = tracked.fileOf(base);
      if (file !== undefined) graph.loads(file);
      const loaded = next(base, context);
      if (base === url || loaded.format !== 'module') return loaded;
      return { ...loaded, source: hideVersion(toText(loaded.source), base) };
    },
  });
  return true;
}

function toText(source: unknown): string {
  if (typeof source === 'string') return source;
  return Buffer.from(source as Uint8Array).toString('utf8');
}
