/**
 * `createRoutes({ dir })`: an app whose routes are the files of a folder. The folder is read when the app is made ready,
 * and files are loaded then, so that what is wrong with them is told before anything listens; or each by its first
 * request.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shown } from '../app/checked-options.ts';
import { type App, createApp, type AppOptions } from '../app/index.ts';
import { addPrerendered, type PrerenderedPage } from './answer/prerendered.ts';
import { RouteFileError } from './files/route-file-error.ts';
import { builtSource } from './loading/built-source.ts';
import { loadAll, loadLate } from './loading/late-routes.ts';
import { Registration } from './loading/registration.ts';
import { folderSource, type RouteSource } from './loading/source.ts';
import { isStyle, type RouteStyle } from './module/declared.ts';
import { installGlobals } from './zely/globals.ts';

export interface RoutesOptions extends AppOptions {
  /** The folder. Default: `routes` in the working directory. */
  readonly dir?: string | URL;
  /** Files are loaded by the first request that they may be for. Default: false, all before the first request. */
  readonly lazy?: boolean;
  /** `zely`: files are those of Zely, with its contexts. Default: `app`. */
  readonly style?: RouteStyle;
  /** `GET`, `POST`, `defineRoute`, `middleware` and the like are there without an import. Default: for `style: 'zely'`. */
  readonly globals?: boolean;
}

/** The same, of files that somebody else has found. */
export interface SourcedOptions extends AppOptions {
  readonly isLazy: boolean;
  /** The folder, for messages. */
  readonly folder: string;
  /** Replies that were made when the project was built. */
  readonly pages?: readonly PrerenderedPage[];
  /** Told of the files before they are routes. */
  readonly onSource?: (source: RouteSource) => Promise<void>;
}

export function createRoutesOf(toSource: () => RouteSource, { isLazy, folder, onSource, pages = [], ...options }: SourcedOptions): App {
  const app = createApp(options);
  app.onReady(async () => {
    try {
      const source = toSource();
      addPrerendered(app, pages);
      await onSource?.(source);
      const registration = new Registration(app, source, new Set(pages.map(({ path }) => path)));
      if (isLazy) loadLate(app, source, registration);
      else await loadAll(source, registration);
    } catch (error) {
      throw error instanceof RouteFileError ? error.within(shownFolder(folder)) : error;
    }
  });
  return app;
}

/** From the working directory, where it lies below that. */
export function shownFolder(folder: string): string {
  const below = relative('.', folder);
  return below === '' || below.startsWith('..') ? folder : below;
}

/** @throws (when it is made ready) RouteFileError for files that say nothing, or the same; what they throw themselves */
export function createRoutes({ dir = 'routes', lazy = false, style = 'app', globals, ...options }: RoutesOptions = {}): App {
  if (!(dir instanceof URL) && (typeof dir !== 'string' || dir === ''))
    throw new TypeError(`dir of createRoutes() is the path or the file: URL of a folder, and this is ${shown(dir)}.`);
  if (typeof lazy !== 'boolean') throw new TypeError(`lazy of createRoutes() is true or false, and this is ${shown(lazy)}.`);
  if (!isStyle(style)) throw new TypeError(`style of createRoutes() is 'app' or 'zely', and this is ${shown(style)}.`);
  if (globals !== undefined && typeof globals !== 'boolean')
    throw new TypeError(`globals of createRoutes() is true or false, and this is ${shown(globals)}.`);
  if (globals ?? style === 'zely') installGlobals();
  const folder = dir instanceof URL ? fileURLToPath(dir) : dir;
  // Paths of Zely may end with a slash.
  const settings = style === 'zely' ? { strict: false, ...options } : options;
  return createRoutesOf(() => ({ ...(builtSource(folder) ?? folderSource(folder)), style }), { ...settings, isLazy: lazy, folder });
}
