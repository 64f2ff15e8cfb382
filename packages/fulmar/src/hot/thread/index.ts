/**
 * The graph's hooks in the loader thread of Nodes without synchronous ones. An entry of its own (`dist/hot-thread.cjs`),
 * registered behind the hooks of `launch/modules`. The graph lives in the main thread: what is imported goes there, and
 * versions come from there before anything is imported by them.
 */
import type { LoadHook, ResolveHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import { setGlobal } from '../../host/globals.ts';
import { stampOf } from '../graph.ts';
import type { FromThread, ToThread } from '../thread-types.ts';
import { hideVersion, OWN, Tracked, withoutVersion, withVersion } from '../versions.ts';

const versions = new Map<string, number>();
let port: MessagePort | undefined;
let tracked: Tracked | undefined;

const send = (message: FromThread): void => port?.postMessage(message);

export function initialize(data: { readonly port: MessagePort; readonly ownFolder: string }): void {
  ({ port } = data);
  tracked = new Tracked(data.ownFolder);
  setGlobal('fulmar.type-files', (source, files) => send({ kind: 'types', source, files }));
  port.on('message', ({ files, id }: ToThread) => {
    for (const [file, version] of files) versions.set(file, version);
    send({ kind: 'done', id });
  });
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  if (tracked === undefined) return found;
  const importer = tracked.importerOf(context.parentURL);
  const file = tracked.fileOf(found.url);
  if (file === undefined) {
    if (importer !== undefined && importer !== OWN && tracked.isRoutes(found.url)) send({ kind: 'import', importer, file: OWN });
    return found;
  }
  send({ kind: 'import', importer, file });
  const url = withVersion(found.url, versions.get(file) ?? 0);
  return url === found.url ? found : { ...found, url };
};

export const load: LoadHook = async (url, context, next) => {
  const base = withoutVersion(url);
  const file = tracked?.fileOf(base);
  if (file !== undefined) send({ kind: 'load', file, stamp: stampOf(file) });
  const loaded = await next(base, context);
  if (base === url || loaded.format !== 'module' || loaded.source === undefined || loaded.source === null) return loaded;
  const { source } = loaded;
  const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
  return { ...loaded, source: hideVersion(text, base) };
};
