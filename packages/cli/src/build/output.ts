/**
 * Where a built file is put: written in a new folder beside its place, then renamed into it. What was there
 * goes, as a name: neither what a symbolic link leads to nor a program that runs from the older file is
 * written to, and nobody can have put a link in the way.
 */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../../../fulmar/src/launch/errors.ts';
import { CommandError } from '../errors.ts';

/** Where `out` is once the folders above it are followed; itself, where they do not exist yet. */
export function toPlace(out: string): string {
  try {
    return join(realpathSync(dirname(out)), basename(out));
  } catch {
    return out;
  }
}

/** Throws a `CommandError` where there is something that no file may take the place of. */
export function checkOutput(out: string): void {
  const found = statOf(out);
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return;
  throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: it is there, and no file`);
}

/** `write` makes the file at the path that it is given. */
export function putInPlace(out: string, write: (temporary: string) => void): void {
  let folder: string | undefined;
  try {
    mkdirSync(dirname(out), { recursive: true });
    folder = mkdtempSync(join(dirname(out), '.fulmar-build-'));
    const temporary = join(folder, basename(out));
    write(temporary);
    renameSync(temporary, out);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: ${(cause as Error).message}`, { cause });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Throws a `CommandError` where there is something that no folder of ours may take the place of: what has
 * files without `mark`, which each of ours has.
 */
export function checkFolder(out: string, mark: string): void {
  const found = statOf(out);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: it is there, and no folder`);
  if (readdirSync(out).length === 0 || existsSync(join(out, mark))) return;
  throw new CommandError(
    'FULMAR_CLI_BUILD_OUTPUT',
    `cannot write ${out}: it is a folder with files that fulmar build did not make. Name another one with -o, or remove it`,
  );
}

/** `write` makes the files in the folder that it is given, which then takes the place of an older one. */
export function putFolderInPlace(out: string, write: (temporary: string) => void): void {
  let folder: string | undefined;
  try {
    mkdirSync(dirname(out), { recursive: true });
    folder = mkdtempSync(join(dirname(out), '.fulmar-build-'));
    const temporary = join(folder, 'new');
    mkdirSync(temporary);
    write(temporary);
    if (statOf(out) !== undefined) renameSync(out, join(folder, 'old'));
    renameSync(temporary, out);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: ${(cause as Error).message}`, { cause });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below a file, or in a folder that is not ours to see: writing will tell.
    return undefined;
  }
}
