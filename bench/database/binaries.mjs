/**
 * Finds PostgreSQL's server programs on this machine: first step of `startDatabase`. Looks where Debian puts
 * them (newest major version first), then on PATH. Never installs, never starts anything.
 */
import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

const debianFolder = '/usr/lib/postgresql';
const programs = ['initdb', 'postgres', 'psql'];

/** The command that installs what is missing; part of the error and of a skipped test's reason. */
export const installCommand = 'apt-get install postgresql';

/**
 * The folder that holds initdb, postgres and psql. Throws an error that names the command to install them.
 */
export function findBinaries() {
  const found = [...debianFolders(), ...pathFolders()].find((folder) => programs.every((name) => isProgram(join(folder, name))));
  if (found === undefined) {
    throw new Error(`Expected ${programs.join(', ')} in ${debianFolder}/*/bin or on PATH, found none: run \`${installCommand}\`.`);
  }
  return found;
}

function debianFolders() {
  let versions = [];
  try {
    versions = readdirSync(debianFolder);
  } catch {
    return [];
  }
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(debianFolder, version, 'bin'));
}

/** Folders of PATH, and the folder that a link to `postgres` in one of them points to. */
function pathFolders() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => {
    const postgres = join(folder, 'postgres');
    return isProgram(postgres) ? [folder, dirname(realpathSync(postgres))] : [];
  });
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
