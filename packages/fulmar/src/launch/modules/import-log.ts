/**
 * Notes which file imports what, and where an alias leads it, in a file of JSON lines: for `fulmar doctor`.
 *
 * Off unless that command says where to. Works in the loader thread of old Nodes as well, which shares
 * nothing but files.
 */
import { appendFileSync } from 'node:fs';

/** Names the file; inherited by processes that the application forks. */
export const IMPORT_LOG_VARIABLE = 'FULMAR_DOCTOR_IMPORTS';

/** One import as it was written. */
export interface LoggedImport {
  readonly specifier: string;
  /** Absent: imported by nobody, as the entry is. */
  readonly importer?: string;
  /** The file an alias leads to. */
  readonly target?: string;
}

export type ImportLog = (entry: { specifier: string; importer: string | undefined; target: string | undefined }) => void;

/** `undefined` when nobody wants to know. */
export function openImportLog(): ImportLog | undefined {
  const file = process.env[IMPORT_LOG_VARIABLE];
  if (file === undefined) return undefined;
  const noted = new Set<string>();
  return ({ specifier, importer, target }) => {
    const line = JSON.stringify({ specifier, importer, target } satisfies Record<keyof LoggedImport, unknown>);
    if (noted.has(line)) return;
    noted.add(line);
    appendFileSync(file, `${line}\n`);
  };
}
