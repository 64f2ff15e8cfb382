/**
 * The folders of routes as groups of the app: what stands in a folder (`_middleware.ts`, `_error.ts`, `_404.ts`) holds for
 * all below it. Knows files by what they are, never what is in them.
 */
import type { FileRoute, PathPart } from './files/file-route.ts';
import { RouteFileError } from './files/route-file-error.ts';

export interface RouteFolder {
  /** Behind that of the folder around it. */
  readonly parts: readonly PathPart[];
  readonly middleware: FileRoute | undefined;
  readonly notFound: FileRoute | undefined;
  readonly error: FileRoute | undefined;
  /** Paths behind the folder's. */
  readonly routes: readonly { readonly route: FileRoute; readonly parts: readonly PathPart[] }[];
  readonly folders: readonly RouteFolder[];
}

/** Folders without files of their own are those around them. */
export function foldersOf(files: readonly FileRoute[]): RouteFolder {
  const own = files.filter(({ kind }) => kind !== 'route' && kind !== 'page').map(({ folders }) => folders.at(-1) ?? '');
  return folderOf('', [], files, new Set(own));
}

/** `own`: folders that have special files. */
function folderOf(path: string, before: readonly PathPart[], files: readonly FileRoute[], own: ReadonlySet<string>): RouteFolder {
  const special = (kind: FileRoute['kind']): FileRoute | undefined =>
    files.find((one) => one.kind === kind && (one.folders.at(-1) ?? '') === path);
  const [middleware, notFound, error] = [special('middleware'), special('notFound'), special('error')];
  const first = middleware ?? notFound ?? error;
  const whole = first?.parts ?? before;
  checkPrefix(whole, first);
  const inner = innerOf(path, files, own);
  const isWithin = (file: FileRoute): boolean => inner.some((folder) => file.folders.includes(folder));
  return {
    parts: whole.slice(before.length),
    middleware,
    notFound,
    error,
    routes: files
      .filter((one) => (one.kind === 'route' || one.kind === 'page') && !isWithin(one))
      .map((route) => ({ route, parts: route.parts.slice(whole.length) })),
    folders: inner.map((folder) =>
      folderOf(
        folder,
        whole,
        files.filter((one) => one.folders.includes(folder)),
        own,
      ),
    ),
  };
}

/** The nearest folders below one that have special files. */
function innerOf(path: string, files: readonly FileRoute[], own: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const { folders } of files) {
    const below = folders.slice(path === '' ? 0 : folders.indexOf(path) + 1);
    const nearest = below.find((folder) => own.has(folder));
    if (nearest !== undefined) found.add(nearest);
  }
  return [...found];
}

/** A folder whose name may be missing, or is the rest of a path, is no prefix. */
function checkPrefix(parts: readonly PathPart[], special: FileRoute | undefined): void {
  const wrong = parts.find((part) => part.kind === 'rest' || (part.kind === 'parameter' && part.isOptional));
  if (wrong === undefined || special === undefined) return;
  throw new RouteFileError('stands below a folder [[name]] or [...name], which no path can go on behind', [special.file]);
}
