/**
 * `createRoutes({ dir })`: an app whose routes are the files of a folder. Files are read and loaded when the app is made
 * ready, and what is wrong with them is told then, before anything listens.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shown } from '../app/checked-options.ts';
import { App, createApp, type AppOptions } from '../app/index.ts';
import { handlerOf } from './answer/handler.ts';
import { pageHandler } from './answer/page-file.ts';
import { addSocket } from './answer/socket.ts';
import type { FileRoute, PathPart } from './files/file-route.ts';
import { patternOf } from './files/pattern.ts';
import { RouteFileError } from './files/route-file-error.ts';
import { scanRoutes } from './files/scan.ts';
import { foldersOf, type RouteFolder } from './folders.ts';
import { declaredBy, type DeclaredFile, type ModuleExports } from './module/declared.ts';
import { loadModule } from './module/load.ts';
import { middlewareBy, singleBy } from './module/special.ts';

export interface RoutesOptions extends AppOptions {
  /** The folder. Default: `routes` in the working directory. */
  readonly dir?: string | URL;
}

const CONTENTLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Load = (file: string) => Promise<ModuleExports>;
type Modules = ReadonlyMap<FileRoute, ModuleExports>;

/** @throws (when it is made ready) RouteFileError for files that say nothing, or the same; what they throw themselves */
export function createRoutes({ dir = 'routes', ...options }: RoutesOptions = {}): App {
  if (!(dir instanceof URL) && (typeof dir !== 'string' || dir === ''))
    throw new TypeError(`dir of createRoutes() is the path or the file: URL of a folder, and this is ${shown(dir)}.`);
  const app = createApp(options);
  const folder = dir instanceof URL ? fileURLToPath(dir) : dir;
  app.onReady(async () => {
    const files = scanRoutes(folder);
    const root = realpathSync(folder);
    const modules = await loadAll(files, (file) => loadModule(join(root, file)));
    addFolder(app, foldersOf(files), { modules, root });
  });
  return app;
}

async function loadAll(files: readonly FileRoute[], load: Load): Promise<Modules> {
  const loaded = await Promise.all(
    files.filter(({ kind }) => kind !== 'page').map(async (route): Promise<[FileRoute, ModuleExports]> => [route, await load(route.file)]),
  );
  return new Map(loaded);
}

interface Built {
  readonly modules: Modules;
  readonly root: string;
}

function addFolder(app: App, { middleware, notFound, error, routes, folders }: RouteFolder, built: Built): void {
  const exportsOf = (file: FileRoute): ModuleExports => built.modules.get(file) as ModuleExports;
  if (middleware !== undefined) app.use(...middlewareBy(exportsOf(middleware), middleware));
  if (notFound !== undefined) app.notFound(singleBy(exportsOf(notFound), notFound) as never);
  if (error !== undefined) app.onError(singleBy(exportsOf(error), error) as never);
  for (const { route, parts } of routes) addRoute(app, route, parts, built);
  for (const folder of folders) app.group(patternOf(folder.parts), (inner) => addFolder(inner as unknown as App, folder, built));
}

function addRoute(app: App, route: FileRoute, parts: readonly PathPart[], { modules, root }: Built): void {
  const path = patternOf(parts);
  if (route.kind === 'page') {
    app.get(path, pageHandler(join(root, route.file)));
    return;
  }
  const declared = declaredBy(modules.get(route) as ModuleExports, route);
  const { schema } = declared;
  const others = addSocket(app, { path, file: route.file, parts: route.parts }, declared);
  for (const one of others) {
    // All methods but those that have one: a GET among them has no content.
    const isSplit = one.method === '*' && schema?.body !== undefined && !declared.routes.some(({ method }) => method === 'GET');
    for (const method of isSplit ? ['*', 'GET'] : [one.method]) {
      const given = [schemaFor(schema, method), ...one.middleware, handlerOf(one, declared, route.parts)];
      register(app, { method, path, file: route.file }, given);
    }
  }
}

/** Of the file: requests without content have none of it. */
function schemaFor(schema: DeclaredFile['schema'], method: string): object {
  if (schema === undefined) return {};
  const { body, ...others } = schema;
  return CONTENTLESS.has(method) || body === undefined ? others : { ...others, body };
}

/** @throws RouteFileError for what the app refuses */
function register(app: App, { method, path, file }: { method: string; path: string; file: string }, given: readonly unknown[]): void {
  try {
    if (method === '*') app.all(path as never, ...(given as [never]));
    else app.on(method, path as never, ...(given as [never]));
  } catch (cause) {
    throw new RouteFileError((cause as Error).message, [file], { cause });
  }
}
