/**
 * The first code of a built file: unpacks what the file carries into a private folder, once, and starts the
 * application from there.
 *
 * Its bundle is copied into every built file as text, so it takes Node's modules by name and shares no code.
 * Code that was unpacked gets a time of its own, which any later writing changes: at each start sizes and
 * times are compared. What differs, or lies where someone else could have written, is unpacked anew.
 */
import { platformTag } from '../../host/engine.ts';
import type { Archive, ArchiveEntry, BundleScope } from './types.ts';
import { defineGlobal } from '../../host/globals.ts';

const {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} = process.getBuiltinModule('node:fs');
const { dirname, join } = process.getBuiltinModule('node:path');
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url');

/** Names the folder that holds unpacked files, instead of the usual places. */
const CACHE_VARIABLE = 'FULMAR_BUILD_CACHE';
/** Tells a forked copy of the built file which of its modules to run. */
const ENTRY_VARIABLE = 'FULMAR_BUILD_ENTRY';
const WRITABLE_BY_OTHERS = 0o022;
/** Compiled code is kept this long after the start: by then an application has loaded its modules. */
const CODE_CACHE_DELAY_MS = 2_000;

/** What names of parts begin with: each is looked at when it is loaded, for there may be a thousand. */
const PARTS = 'code/part-';

/** What is run, as a process of another language. */
const PROGRAM = 'code/fulmar-guest-worker';

const MS_PER_DAY = 86_400_000;
/** What no process has used for so many days is removed when another file is unpacked. */
const UNUSED_DAYS_MAX = 90;

/** Prepares the process and returns the URL of the module to import. */
export function start(url: string, archive: Archive): string {
  const self = fileURLToPath(url.replace(/\?.*$/, ''));
  checkPlatform(self, archive);
  const folder = unpack(self, archive);
  const asked = /[?&]fulmar-entry=([\w.-]+)/.exec(url)?.[1] ?? process.env[ENTRY_VARIABLE];
  delete process.env[ENTRY_VARIABLE];
  const files = archive.files.filter(({ name }) => name.startsWith('files/')).map(({ name }) => name.slice('files/'.length));
  const ensure = (part: string): void => ensurePart(part, { self, folder, archive });
  const scope: BundleScope = { file: self, root: dirname(self), folder, entries: archive.entries, files, ensure };
  defineGlobal('fulmar.bundle', { value: scope });
  if (archive.hasSourceMaps) process.setSourceMapsEnabled(true);
  keepInUse(folder);
  keepCompiledCode(join(folder, 'v8'));
  return pathToFileURL(join(folder, 'code', asked ?? archive.main)).href;
}

function checkPlatform(self: string, { platform }: Archive): void {
  const here = platformTag();
  if (platform === here) return;
  fail(`${self} was built for ${platform}, and this is ${here}. Build it on a machine of this kind.`);
}

/** The folder's time is that of its last use. */
function keepInUse(folder: string): void {
  const touch = (): void => {
    try {
      if (Date.now() - lstatSync(folder).mtimeMs > MS_PER_DAY) utimesSync(folder, new Date(), new Date());
    } catch {
      // Read-only: then nothing is removed from it either.
    }
  };
  touch();
  setInterval(touch, MS_PER_DAY).unref();
}

/**
 * Others may start at the same time: what they unpack gets another name meanwhile, and they remove what is
 * old, too.
 */
function sweep(base: string): void {
  for (const name of readdirSync(base)) {
    if (!/^(?:[0-9a-f]{32}|new-\w{6})$/.test(name)) continue;
    const path = join(base, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || Date.now() - found.mtimeMs <= UNUSED_DAYS_MAX * MS_PER_DAY) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else is at it: it goes now, or next time.
    }
  }
}

function keepCompiledCode(folder: string): void {
  const loader = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
    flushCompileCache?: () => void;
  };
  loader.enableCompileCache?.(folder);
  // Node keeps compiled code when a process exits; one that is killed would never have any.
  if (loader.flushCompileCache !== undefined) setTimeout(loader.flushCompileCache, CODE_CACHE_DELAY_MS).unref();
}

function unpack(self: string, archive: Archive): string {
  const problems: string[] = [];
  for (const base of places()) {
    const folder = join(base, archive.digest);
    try {
      if (isIntact(folder, archive)) return folder;
      mkdirSync(base, { recursive: true, mode: 0o700 });
      secure(base);
      sweep(base);
      writeAll(base, folder, archive, contentOf(self));
      return folder;
    } catch (error) {
      problems.push(`${base}: ${(error as Error).message}`);
    }
  }
  return fail(
    `${self} found no folder to unpack its engine and files into. Name one that this user can write: ${CACHE_VARIABLE}=<folder>\n  ${problems.join('\n  ')}`,
  );
}

/** A folder that was named is the only one that will do. */
function places(): string[] {
  const { env } = process;
  const named = env[CACHE_VARIABLE];
  if (named) return [named];
  const user = process.getuid?.() ?? 'user';
  const home = env['XDG_CACHE_HOME'] || (env['HOME'] && join(env['HOME'], '.cache'));
  const { tmpdir } = process.getBuiltinModule('node:os');
  return [...(home ? [join(home, 'fulmar')] : []), join(tmpdir(), `fulmar-build-${user}`)];
}

/** Only this user and root may be able to write there. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory()) return false;
  return process.getuid === undefined || ((uid === process.getuid() || uid === 0) && (mode & WRITABLE_BY_OTHERS) === 0);
}

function secure(folder: string): void {
  if (isPrivate(folder)) return;
  if (lstatSync(folder).isSymbolicLink()) throw new Error('it is a symbolic link; name the folder it leads to');
  // By a descriptor, which cannot have become a link meanwhile: rights are changed of this folder or of none.
  const descriptor = openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
  }
  if (!isPrivate(folder)) throw new Error('it is not a folder of this user alone');
}

/** What the comment at the end of the built file holds. */
function contentOf(self: string): Buffer {
  const text = readFileSync(self, 'latin1');
  const start = text.indexOf(':', text.lastIndexOf('\n/*fulmar-files:')) + 1;
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from(text.slice(start, text.indexOf('*/', start)), 'base64'));
}

function isIntact(folder: string, { files }: Archive): boolean {
  try {
    if (!isPrivate(dirname(folder)) || !isPrivate(folder)) return false;
    return files.every((file) => !file.name.startsWith('code/') || file.name.startsWith(PARTS) || isSame(folder, file));
  } catch {
    return false;
  }
}

/** @throws Error where there is none */
function isSame(folder: string, { name, bytes, mtimeMs }: ArchiveEntry): boolean {
  const found = lstatSync(join(folder, name));
  return found.size === bytes && found.mtimeMs === mtimeMs;
}

interface Unpacked {
  readonly self: string;
  readonly folder: string;
  readonly archive: Archive;
}

/** Looks at the files of a part, which is about to be loaded, and unpacks anew what differs. */
function ensurePart(part: string, { self, folder, archive }: Unpacked): void {
  const damaged = archive.files.filter((file) => {
    if (!file.name.startsWith(`code/${part}.`)) return false;
    try {
      return !isSame(folder, file);
    } catch {
      return true;
    }
  });
  if (damaged.length === 0) return;
  const content = contentOf(self);
  const temporary = mkdtempSync(join(dirname(folder), 'new-'));
  try {
    let offset = 0;
    for (const file of archive.files) {
      if (damaged.includes(file)) {
        writeOne(temporary, file, content.subarray(offset, offset + file.bytes));
        renameSync(join(temporary, file.name), join(folder, file.name));
      }
      offset += file.bytes;
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Written beside and renamed: another process sees all of it or nothing. */
function writeAll(base: string, folder: string, archive: Archive, content: Buffer): void {
  const temporary = mkdtempSync(join(base, 'new-'));
  try {
    let offset = 0;
    for (const file of archive.files) {
      writeOne(temporary, file, content.subarray(offset, offset + file.bytes));
      offset += file.bytes;
    }
    putInPlace(temporary, folder, () => isIntact(folder, archive));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * A folder that another process has made meanwhile stays: that process runs from it. A damaged one goes aside
 * first.
 */
function putInPlace(made: string, folder: string, isIntactNow: () => boolean): void {
  try {
    renameSync(made, folder);
  } catch {
    if (isIntactNow()) return;
    const aside = mkdtempSync(join(dirname(folder), 'new-'));
    try {
      renameSync(folder, join(aside, 'old'));
      renameSync(made, folder);
    } catch (error) {
      if (!isIntactNow()) throw error;
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }
}

function writeOne(folder: string, { name, mtimeMs }: ArchiveEntry, content: Uint8Array): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: name.startsWith(PROGRAM) ? 0o700 : 0o600 });
  // Validators of files (ETag, Last-Modified) are made of it.
  utimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000);
}

function fail(text: string): never {
  process.stderr.write(`fulmar: ${text}\n`);
  process.exit(1);
}
