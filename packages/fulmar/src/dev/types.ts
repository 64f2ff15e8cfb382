/** What `fulmar dev` hands in and is given: the inspector of a process. Types only. */
import type { ListedRoute } from '../app/registry/index.ts';

/** A route as the page lists it; `fulmar routes` has the same. */
export type RouteRow = Pick<ListedRoute, 'method' | 'path' | 'style' | 'place'> &
  Partial<Pick<ListedRoute, 'handler' | 'schemas' | 'middleware' | 'host'>>;

/** A place in a file. Lines and columns count from 1. */
export interface EditorPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** @throws Error that says why no editor shows it */
export type OpenEditor = (place: EditorPlace) => Promise<void> | void;

export interface InspectorOptions {
  /** The project's folder: sources outside of it are neither shown nor opened. */
  readonly root: string;
  /** Default: what the applications of this process have registered. */
  readonly listRoutes?: () => Promise<readonly RouteRow[]> | readonly RouteRow[];
  /** Default: the editor of `FULMAR_EDITOR`, else the one that runs, else that of `VISUAL` or `EDITOR`, else `code`. */
  readonly openEditor?: OpenEditor;
  /** False: pages of the application get no script; those that include it themselves reload all the same. Default: true. */
  readonly inject?: boolean;
  /** True: other machines may see errors and `/_fulmar` as well, as from outside of a container. Default: false. */
  readonly remote?: boolean;
  /** Names besides `localhost` and the one that is listened on under which pages of ours are shown. Default: none. */
  readonly hosts?: readonly string[];
  /** Where frames are printed. Default: standard error. */
  readonly output?: Output;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Inspector {
  /** Files were changed and loaded anew: open pages with our script reload. */
  reloaded(files: readonly string[]): void;
  /** A file cannot be compiled or loaded: open pages show it until it is mended, the terminal at once. */
  broken(error: unknown): void;
  mended(): void;
  /**
   * An error that nobody caught, as a promise's of a request listener: printed, and the answer of the request that it
   * comes of. To be called in a listener of `uncaughtException` or `unhandledRejection`, whose context is that request's.
   * True: it was a request's.
   */
  uncaught(error: unknown): boolean;
  /** A page that shows an error by itself, for who has no server yet. */
  errorPage(error: unknown): string;
  /** Servers go on without it. */
  close(): void;
}
