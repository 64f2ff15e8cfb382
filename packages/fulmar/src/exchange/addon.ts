/**
 * Where the addon is: beside our bundles in a checkout and in built files, in the package of this platform
 * (`@fulmar/linux-x64-gnu` …) where Fulmar is installed.
 *
 * Called once, when the first listener is made. Loads nothing: a file that is cut off would end the process
 * with a signal while the system maps it, so that its size is compared with what its package says before.
 */
import { platformTag } from '../host/engine.ts';
import { readGlobal } from '../host/globals.ts';
import { VERSION } from '../host/version.ts';
import { damagedAddon, foreignAddon, missingAddon, unreadableAddon } from './addon-problems.ts';

/** What `scripts/lib/platform-packages.mjs` writes into the package of a platform. */
interface PlatformManifest {
  readonly version: string;
  readonly main: string;
  readonly fulmar: { readonly bytes: Readonly<Record<string, number>> };
}

/**
 * Path of the addon for this platform. Throws with the platform and what to do when there is none, or it is
 * not whole.
 */
export function findAddon(moduleUrl: string): string {
  return findBinary(moduleUrl, (tag) => `fulmar.${tag}.node`);
}

/** Path of a guest's library for this platform, as `findAddon`; on the QuickJS host within the executable, or beside it. */
export function findGuest(language: string, moduleUrl: string): string {
  return findBeside((tag) => `fulmar-guest-${language}.${tag}.so`, moduleUrl);
}

/** Path of the program that guests are isolated in, as `findGuest`. */
export function findGuestWorker(moduleUrl: string): string {
  return findBeside((tag) => `fulmar-guest-worker-${tag}`, moduleUrl);
}

function findBeside(nameOf: (tag: string) => string, moduleUrl: string): string {
  if (readGlobal('fulmar.host') === undefined) return findBinary(moduleUrl, nameOf);
  const { dirname, join } = process.getBuiltinModule('node:path');
  const { existsSync } = process.getBuiltinModule('node:fs');
  const name = nameOf(platformTag());
  const { root } = (readGlobal('fulmar.bundle') ?? {}) as { readonly root?: string };
  const embedded = join(root ?? '', '.fulmar', name);
  return root !== undefined && existsSync(embedded) ? embedded : join(dirname(process.execPath), name);
}

function findBinary(moduleUrl: string, nameOf: (tag: string) => string): string {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { dirname, join } = process.getBuiltinModule('node:path');
  const here = dirname(process.getBuiltinModule('node:url').fileURLToPath(moduleUrl));
  const tag = platformTag();
  // Bundled, the addon of a checkout lies beside this code; run from source, in the package's dist folder.
  const name = nameOf(tag);
  const places = [join(here, name), join(here, '../../dist', name)];
  const place = places.find((file) => existsSync(file));
  if (place !== undefined) return place;
  const manifest = findManifest(`@fulmar/${tag}/package.json`, moduleUrl);
  if (manifest === undefined) throw missingAddon(name, tag, join(here, '..', 'package.json'));
  return checked(manifest, name);
}

/**
 * As this package sees it, and as the application does: package managers that link show each package only
 * what it names.
 */
function findManifest(name: string, moduleUrl: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module');
  for (const from of [moduleUrl, process.argv[1]]) {
    try {
      if (from !== undefined) return createRequire(from).resolve(name);
    } catch {
      // Not from there.
    }
  }
  return undefined;
}

/** Path of the file beside its manifest, as long as that says. */
function checked(manifest: string, name: string): string {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const { dirname, join } = process.getBuiltinModule('node:path');
  let file = dirname(manifest);
  let size: number;
  let expected: number | undefined;
  let version: string | undefined;
  try {
    const found = JSON.parse(readFileSync(manifest, 'utf8')) as Partial<PlatformManifest> | null;
    expected = found?.fulmar?.bytes[name];
    if (expected === undefined) throw new Error(`${manifest} does not say what its package holds`);
    version = found?.version;
    file = join(file, name);
    ({ size } = statSync(file));
  } catch (error) {
    throw unreadableAddon(file, dirname(manifest), error);
  }
  if (version !== VERSION) throw foreignAddon(manifest, { version, expected: VERSION });
  if (size === expected) return file;
  throw damagedAddon(file, { size, expected });
}
