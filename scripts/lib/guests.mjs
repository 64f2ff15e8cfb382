/**
 * Builds the libraries of guests (`crates/guest-python` …) with cargo and puts them beside the addon, where
 * `packages/fulmar/src/exchange/addon.ts` looks: `dist/fulmar-guest-<language>.<platform>-<arch>[-<libc>].so`. None of
 * the languages is needed for that: the libraries find them when they are opened. The program that they are isolated in is
 * `dist/fulmar-guest-worker-<platform>-<arch>[-<libc>]`.
 */
import { join } from 'node:path';
import { cargoBuild, installFile, platformTag } from './addon.mjs';
import { distDir, Failure } from './run.mjs';

/** Languages that there is a guest of, and what runs one in a process of its own. */
export const guests = ['isolated', 'java', 'python', 'ruby'];

export const guestCrate = (language) => `fulmar-guest-${language}`;
export const guestFile = (language) => `fulmar-guest-${language}.${platformTag()}.so`;

/** The program that guests are isolated in. */
export const workerName = 'fulmar-guest-worker';
export const workerFile = () => `${workerName}-${platformTag()}`;

/** What cargo is asked for. */
export const guestArguments = () => [...guests.flatMap((language) => ['-p', guestCrate(language)]), '--lib', '--bin', workerName];

/** The profile in `Cargo.toml`. */
export const guestProfile = 'guest';

export async function buildGuests() {
  const built = await cargoBuild(guestArguments(), guestProfile);
  const notes = guests.map((language) => installFile(guestLibraryOf(built, language), join(distDir, guestFile(language))));
  notes.push(installFile(guestWorkerOf(built), join(distDir, workerFile())));
  const made = notes.filter((note) => note !== 'up to date');
  return made.length === 0 ? 'up to date' : made.join(', ');
}

/** The library of a language among what cargo built. */
export function guestLibraryOf(artifacts, language) {
  const own = artifacts.find(
    (message) => message.target.kind.includes('cdylib') && message.package_id.includes(`crates/guest-${language}`),
  );
  const library = own?.filenames.find((file) => /\.(?:so|dylib)$/.test(file));
  if (library === undefined) throw new Failure(`cargo built ${guestCrate(language)} without a cdylib`);
  return library;
}

/** The program among what cargo built. */
export function guestWorkerOf(artifacts) {
  const own = artifacts.find((message) => message.target.kind.includes('bin') && message.target.name === workerName);
  if (!own?.executable) throw new Failure(`cargo built no ${workerName}`);
  return own.executable;
}
