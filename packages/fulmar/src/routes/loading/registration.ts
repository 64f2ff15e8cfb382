/**
 * Makes routes of an app of files that are loaded: each in the app of the innermost folder that has files for all below
 * it (`_middleware.ts`, `_error.ts`, `_404.ts`), which is made with the first file that needs it.
 */
import type { Handler } from '../../app/chain.ts';
import type { App } from '../../app/index.ts';
import { atPlace } from '../../app/place.ts';
import { handlerOf } from '../answer/handler.ts';
import { pageHandler } from '../answer/page-file.ts';
import { addSocket } from '../answer/socket.ts';
import type { FileRoute, PathPart } from '../files/file-route.ts';
import { patternOf } from '../files/pattern.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { declaredBy, type DeclaredFile, type ModuleExports } from '../module/declared.ts';
import { METHODS } from '../module/define.ts';
import { middlewareBy, singleBy, zelyNotFound } from '../module/special.ts';
import type { RouteSource } from './source.ts';

/** What came of a file: its exports, none for a page, or why there are none. */
export type Loaded = { readonly exports: ModuleExports | null } | { readonly error: unknown };

interface Folder {
  readonly app: App;
  /** Of its path. */
  readonly parts: readonly PathPart[];
}

const CONTENTLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** More than there are levels of folders. */
const ROUTE_RANK = 1_000;

export const isSpecial = ({ kind }: FileRoute): boolean => kind !== 'route' && kind !== 'page';
/** Lowest first: special files before routes, outer folders before inner ones. */
export const rankOf = (file: FileRoute): number => file.folders.length + (isSpecial(file) ? 0 : ROUTE_RANK);
const folderOf = ({ folders }: FileRoute): string => folders.at(-1) ?? '';

export class Registration {
  readonly #source: RouteSource;
  readonly #folders = new Map<string, Folder>();
  readonly #prerendered: ReadonlySet<string>;
  /** Special files by their folder. */
  readonly #special = new Map<string, FileRoute[]>();

  /** `prerendered`: paths whose GET is answered already. */
  constructor(app: App, source: RouteSource, prerendered: ReadonlySet<string>) {
    this.#source = source;
    this.#prerendered = prerendered;
    this.#folders.set('', { app, parts: [] });
    for (const file of source.files.filter(isSpecial)) {
      const beside = this.#special.get(folderOf(file)) ?? [];
      this.#special.set(folderOf(file), [...beside, file]);
    }
  }

  /**
   * Files and what came of them; special files of folders around them are among these, or came before. A route that
   * could not be loaded answers with why. @throws RouteFileError for what a file says
   */
  add(loaded: ReadonlyMap<FileRoute, Loaded>): void {
    const files = [...loaded.keys()].toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const file of files) {
      if (isSpecial(file)) this.#addSpecial(file, loaded.get(file) as Loaded);
      else this.#addRoute(file, loaded.get(file) as Loaded);
    }
  }

  #addSpecial(file: FileRoute, loaded: Loaded): void {
    // What stands before routes may be what guards them.
    if ('error' in loaded) throw loaded.error;
    const exports = loaded.exports as ModuleExports;
    const { app } = this.#folder(folderOf(file), file);
    if (file.kind === 'middleware') app.use(...middlewareBy(exports, file));
    else if (file.kind === 'notFound') app.notFound(this.#notFound(exports, file) as never);
    else app.onError(singleBy(exports, file) as never);
  }

  #notFound(exports: ModuleExports, file: FileRoute): Handler {
    return (this.#source.style === 'zely' ? zelyNotFound(exports, file) : singleBy(exports, file)) as Handler;
  }

  /** The app of a folder that has special files. */
  #folder(path: string, file: FileRoute): Folder {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    checkPrefix(file);
    const outer = this.#around(file.folders.slice(0, -1), file);
    let inner: App | undefined;
    outer.app.group(patternOf(file.parts.slice(outer.parts.length)), (app) => void (inner = app as unknown as App));
    const folder = { app: inner as App, parts: file.parts };
    this.#folders.set(path, folder);
    return folder;
  }

  /** That of the innermost of these folders that has one. */
  #around(folders: readonly string[], file: FileRoute): Folder {
    const at = folders.findLastIndex((folder) => this.#special.has(folder));
    if (at === -1) return this.#folders.get('') as Folder;
    const path = folders[at] as string;
    const [special] = this.#special.get(path) as [FileRoute];
    return this.#folder(path, special ?? file);
  }

  #addRoute(route: FileRoute, loaded: Loaded): void {
    const { app, parts } = this.#around(route.folders, route);
    const path = patternOf(route.parts.slice(parts.length));
    const file = this.#source.pathOf(route);
    const isPrerendered = this.#prerendered.size > 0 && this.#prerendered.has(patternOf(route.parts));
    atPlace(`${file}:1`, () => {
      if ('error' in loaded) addFailing(app, path, loaded.error);
      else if (route.kind === 'page') app.get(path, pageHandler(file));
      else addDeclared(app, { route, path, isPrerendered }, declaredBy(loaded.exports as ModuleExports, route, this.#source.style));
    });
  }
}

function addFailing(app: App, path: string, error: unknown): void {
  for (const method of METHODS) {
    if (method === 'ALL') continue;
    try {
      app.on(
        method,
        path as never,
        (() => {
          throw error;
        }) as never,
      );
    } catch {
      // It is there: what is wrong came behind it.
    }
  }
}

interface Place {
  readonly route: FileRoute;
  /** Below the folder that `app` is of. */
  readonly path: string;
  readonly isPrerendered: boolean;
}

function addDeclared(app: App, { route, path, isPrerendered }: Place, declared: DeclaredFile): void {
  const { schema } = declared;
  const others = addSocket(app, { path, file: route.file, parts: route.parts }, declared);
  for (const one of others) {
    // All methods but those that have one: a GET among them has no content.
    const isSplit = one.method === '*' && schema?.body !== undefined && !declared.routes.some(({ method }) => method === 'GET');
    for (const method of isSplit ? ['*', 'GET'] : [one.method]) {
      if (isPrerendered && method === 'GET') continue;
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

/** A folder whose name may be missing, or is the rest of a path, is no prefix. */
function checkPrefix(special: FileRoute): void {
  const wrong = special.parts.find((part) => part.kind === 'rest' || (part.kind === 'parameter' && part.isOptional));
  if (wrong === undefined) return;
  throw new RouteFileError('stands below a folder [[name]] or [...name], which no path can go on behind', [special.file]);
}
