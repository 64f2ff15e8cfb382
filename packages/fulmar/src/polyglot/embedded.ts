/**
 * Files of other languages in what `fulmar build` made. A file for Node has unpacked them, and the guest reads them there,
 * with whatever lies beside them; an executable writes nothing, so that the guest is given their texts, and archives in memory.
 */
import { guestFile } from '../exchange/binding.ts';
import { guestEnding, javaRoot } from '../host/guest-files.ts';
import { readGlobal } from '../host/globals.ts';

/** What is known of a built application here (`launch/built/types.ts`). */
interface Bundle {
  readonly root?: string;
  readonly folder?: string;
}

interface Located {
  /** What the guest loads. */
  readonly file: string;
  /** Texts by path: of the file and of those of its language below its folder. */
  readonly sources?: Readonly<Record<string, string>>;
}

export function embedded(specifier: string): Located {
  const { root, folder } = bundle();
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  if (root === undefined || !isAbsolute(specifier)) return { file: specifier };
  if (folder !== undefined) return { file: unpacked(specifier) };
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  // A package of Python's.
  const inPackage = join(specifier, '__init__.py');
  const file = guestEnding(specifier) === undefined && existsSync(inPackage) ? inPackage : specifier;
  const ending = guestEnding(file);
  if (ending === undefined) return { file: guestFile(specifier) };
  if (!existsSync(file)) return { file: specifier };
  const own = join(specifier, '..');
  const below = ending === '.java' ? javaRoot(own, readFileSync(file, 'utf8')) : own;
  const key = below + ending;
  let sources = texts.get(key);
  if (sources === undefined) texts.set(key, (sources = textsBelow(below, ending)));
  return { file, sources };
}

/** By folder and ending: what an executable carries does not change. */
const texts = new Map<string, Readonly<Record<string, string>>>();

const bundle = (): Bundle => (readGlobal('fulmar.bundle') ?? {}) as Bundle;

/**
 * Where files or folders are for who reads them without us: what a built file carries is where it has been unpacked, and
 * files of an executable are in memory.
 * @param path `lib/*` is all jars of a folder
 */
export function filesAt(path: string): readonly string[] {
  const { root, folder } = bundle();
  const { basename, dirname, isAbsolute, join } = process.getBuiltinModule('node:path');
  if (root === undefined || folder !== undefined || !isAbsolute(path)) return [unpacked(path)];
  const { existsSync, readdirSync } = process.getBuiltinModule('node:fs');
  const below = dirname(path);
  if (basename(path) !== '*' || !existsSync(below)) return [guestFile(path)];
  const jars = readdirSync(below).filter((name) => name.endsWith('.jar'));
  return jars.length === 0 ? [path] : jars.toSorted().map((name) => guestFile(join(below, name)));
}

function unpacked(path: string): string {
  const { root, folder } = bundle();
  const { isAbsolute, join, relative } = process.getBuiltinModule('node:path');
  if (root === undefined || folder === undefined || !isAbsolute(path)) return path;
  const { existsSync } = process.getBuiltinModule('node:fs');
  const place = join(folder, 'files', relative(root, path));
  return existsSync(place.replace(/\/\*$/, '')) ? place : path;
}

/** Not followed: links, which an executable does not have. */
function textsBelow(folder: string, ending: string): Record<string, string> {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { join } = process.getBuiltinModule('node:path');
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(found, textsBelow(path, ending));
    else if (guestEnding(entry.name) === ending) found[path] = readFileSync(path, 'utf8');
  }
  return found;
}
