/**
 * The graph's hooks on Nodes without synchronous ones: CommonJS is seen through its own loader, ES modules by a thread
 * (`thread/index.ts`) that is told of versions before they are imported.
 */
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { ModuleGraph } from './graph.ts';
import type { FromThread, ToThread } from './thread-types.ts';
import { OWN, type Tracked } from './versions.ts';

interface Loader {
  register(specifier: string, options: { data: unknown; transferList: unknown[] }): void;
  _resolveFilename(request: string, parent: { filename?: string | null } | null | undefined, ...rest: unknown[]): string;
  readonly prototype: { load(this: object, filename: string): void };
}

export interface LegacyHooks {
  /** Resolves when what is imported from now on has these versions, and when all that was imported before is in the graph. */
  tell(files: Iterable<string>): Promise<void>;
}

export interface LegacyOptions {
  readonly graph: ModuleGraph;
  readonly tracked: Tracked;
  readonly ownFolder: string;
  /** `dist/hot-thread.cjs`. */
  readonly threadFile: string;
  readonly noteTypes: (source: string, files: readonly string[]) => void;
}

export function installLegacyHooks({ graph, tracked, ownFolder, threadFile, noteTypes }: LegacyOptions): LegacyHooks {
  const loader = process.getBuiltinModule('node:module') as unknown as Loader;
  watchCommonJs(loader, graph, tracked);
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Map<number, () => void>();
  port.on('message', (message: FromThread) => {
    if (message.kind === 'import') graph.note(message.importer, message.file);
    else if (message.kind === 'types') noteTypes(message.source, message.files);
    else if (message.kind === 'load') graph.loads(message.file, message.stamp);
    else {
      waiting.get(message.id)?.();
      waiting.delete(message.id);
    }
  });
  port.unref();
  loader.register(pathToFileURL(threadFile).href, { data: { port: port2, ownFolder }, transferList: [port2] });
  let id = 0;
  return {
    tell(files) {
      const message: ToThread = { id: ++id, files: [...files].map((file) => [file, graph.versionOf(file)] as const) };
      const { id: own } = message;
      return new Promise((resolve) => {
        waiting.set(own, resolve);
        port.postMessage(message);
      });
    },
  };
}

function watchCommonJs(loader: Loader, graph: ModuleGraph, tracked: Tracked): void {
  const { _resolveFilename: resolveFilename } = loader;
  loader._resolveFilename = function resolve(request, parent, ...rest) {
    const found = resolveFilename.call(this, request, parent, ...rest);
    const importer = tracked.importerOf(urlOf(parent?.filename));
    const url = urlOf(found);
    const file = tracked.fileOf(url);
    if (file !== undefined) graph.note(importer, file);
    else if (url !== undefined && importer !== undefined && importer !== OWN && tracked.isRoutes(url)) graph.note(importer, OWN);
    return found;
  };
  const { load } = loader.prototype;
  loader.prototype.load = function loadFile(filename) {
    const file = tracked.fileOf(urlOf(filename));
    if (file !== undefined) graph.loads(file);
    load.call(this, filename);
  };
}

/** Names of Node's own modules are no files. */
function urlOf(filename: string | null | undefined): string | undefined {
  return filename?.startsWith('/') === true || /^[a-z]:\\/i.test(filename ?? '') ? pathToFileURL(filename as string).href : undefined;
}
