/**
 * Keeps compiled sources on disk, so that a second start neither loads the compiler nor compiles.
 *
 * Stands before `transpile.ts` in the module hooks. An entry's name is the hash of everything its content
 * depends on; a folder that cannot be written, or could be written by another user, is not used.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { findCompanion } from '../installed/companion.ts';
import type { ModuleFormat } from './file-types.ts';
import { type Transpiled, transpile } from './transpile.ts';
import { tsconfigOf } from './tsconfig.ts';
import { compileTypes } from './types.ts';

/** Changes whenever the compiled form does. */
const FORM_VERSION = 3;
/** More entries than this are swept: those not written for `ENTRY_AGE_MS_MAX`. */
const ENTRIES_MAX = 4_096;
const ENTRY_AGE_MS_MAX = 14 * 24 * 3_600_000;

/** First letter of an entry. */
const marks: Readonly<Record<ModuleFormat, string>> = { commonjs: 'c', module: 'm' };
const formats = Object.keys(marks) as ModuleFormat[];

let folder: string | null | undefined;
let compilerVersion: string | undefined;
/** The version of a compiler that is not installed. */
const NONE = '';

/**
 * The compiled form of the source at `file`, from the cache when it is there. `from`: a file of this package.
 */
export function transpileFile(file: string, wanted: ModuleFormat, from: string): Transpiled {
  const tsconfig = tsconfigOf(dirname(file));
  folder ??= findFolder(file);
  const source = compileTypes(file, readFileSync(file, 'utf8'), from, () => folder ?? null);
  compilerVersion ??= findCompanion('oxc-transform', from, file)?.version ?? NONE;
  // What Node strips is made anew: it takes hardly longer than to read it.
  if (folder === null || compilerVersion === NONE) return transpile(file, source, wanted, tsconfig, from);
  // Loaded here: a JavaScript application needs neither of the two.
  const { hash } = process.getBuiltinModule('node:crypto');
  const key = hash(
    'sha1',
    JSON.stringify([
      FORM_VERSION,
      packageVersion(from),
      compilerVersion,
      wanted,
      file,
      tsconfig.file === undefined,
      tsconfig.options,
      source.code,
    ]),
  );
  const entry = join(folder, key);
  const known = read(entry);
  if (known !== undefined) return known;
  const made = transpile(file, source, wanted, tsconfig, from);
  write(entry, made);
  return made;
}

function read(entry: string): Transpiled | undefined {
  try {
    const text = readFileSync(entry, 'utf8');
    const format = formats.find((one) => text.startsWith(marks[one]));
    // One that was written when the power failed may be there and empty.
    return format && { code: text.slice(1), format };
  } catch {
    return undefined;
  }
}

/**
 * By rename, so that another process never reads half an entry. A cache that cannot be written is no error.
 */
function write(entry: string, { code, format }: Transpiled): void {
  const temporary = `${entry}.${process.pid}`;
  try {
    writeFileSync(temporary, marks[format] + code, { mode: 0o600 });
    renameSync(temporary, entry);
  } catch {
    folder = null;
  }
}

/**
 * `node_modules/.cache/fulmar` next to the application, else a private folder among the temporary files, else
 * none.
 */
function findFolder(file: string): string | null {
  if (process.env['FULMAR_TRANSPILE_CACHE'] === '0') return null;
  const modules = findModules(dirname(file));
  const { tmpdir } = process.getBuiltinModule('node:os');
  const places = [join(tmpdir(), `fulmar-cache-${process.getuid?.() ?? 'user'}`)];
  if (modules !== undefined) places.unshift(join(modules, '.cache', 'fulmar'));
  for (const place of places) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      if (!isPrivate(place)) continue;
      sweep(place);
      return place;
    } catch {
      // Read-only or not ours: the next place.
    }
  }
  return null;
}

function isPrivate(place: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(place);
  if (uid !== process.getuid() || !lstatSync(place).isDirectory()) return false;
  if ((mode & 0o022) !== 0) chmodSync(place, 0o700);
  return true;
}

function findModules(from: string): string | undefined {
  const modules = join(from, 'node_modules');
  if (existsSync(modules)) return modules;
  const parent = dirname(from);
  return parent === from ? undefined : findModules(parent);
}

function sweep(place: string): void {
  const names = readdirSync(place);
  if (names.length <= ENTRIES_MAX) return;
  const oldest = Date.now() - ENTRY_AGE_MS_MAX;
  for (const name of names) {
    const path = join(place, name);
    // Another process may have removed it by now.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < oldest) rmSync(path, { force: true });
  }
}

let version: string | undefined;

function packageVersion(from: string): string {
  version ??= (JSON.parse(readFileSync(join(dirname(from), '..', 'package.json'), 'utf8')) as { version: string }).version;
  return version;
}
