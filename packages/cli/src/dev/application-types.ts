/** What `fulmar dev` runs: a folder of routes or a file. Types only. */
import type { RouteRow } from '../../../fulmar/src/dev/index.ts';

export interface Application {
  /** The folder that is watched. */
  readonly root: string;
  /** The file that must run again; undefined: none, it is opened again. */
  readonly entry: string | undefined;
  /** Where it would listen, if that is known before it does. */
  readonly target: { readonly port: number; readonly host?: string } | undefined;
  /** Runs it, also again: what has a new version is loaded. */
  load(): Promise<void>;
  /** Do these paths say something about it that it has not loaded: other files of routes, another config? */
  isReshapedBy(paths: ReadonlySet<string>): boolean;
  /** Must it run again for these, which have new versions? `isOwn`: files that we load for it are among them. */
  needs(files: ReadonlySet<string>, isOwn: boolean): boolean;
  /** Absent: those that are registered. */
  readonly listRoutes?: () => readonly RouteRow[];
}

/** Where the command line says it shall listen. */
export interface Place {
  readonly port?: number;
  readonly host?: string;
}
