/** Folders for what a command writes on its way. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './errors.ts';

/**
 * A new folder, `fulmar-<name>-…`, which the caller removes. Throws a `CommandError` where temporary files
 * cannot be written.
 */
export function makeTemporaryFolder(name: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `fulmar-${name}-`));
  } catch (cause) {
    const { message } = cause as Error;
    throw new CommandError(
      'FULMAR_CLI_TEMPORARY',
      `no folder for temporary files can be made (${message}). Name one that this user can write: TMPDIR=<folder>`,
      { cause },
    );
  }
}
