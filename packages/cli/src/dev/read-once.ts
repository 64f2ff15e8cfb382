/**
 * Files that a process reads once, when it starts, and whether it has to start again for what has become of one. Reads
 * `package.json` of the application's folder, and no other file.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const READ_ONCE = /^(?:\.env(?:\..+)?|package\.json|tsconfig(?:\..+)?\.json)$/;
/** What says how modules are found and loaded. */
const OF_MODULES = ['name', 'type', 'main', 'imports', 'exports'] as const;
const OF_PACKAGES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

type Manifest = Readonly<Record<string, unknown>>;

export class ReadOnce {
  readonly #root: string;
  readonly #manifest: Manifest;

  constructor(root: string) {
    this.#root = root;
    this.#manifest = readManifest(root) ?? {};
  }

  /** What to tell of it. `hasFailed`: something could not be loaded, which may be a package that is installed just now. */
  lineOf(path: string, hasFailed: boolean): string | undefined {
    const name = relative(this.#root, path);
    if (!READ_ONCE.test(name)) return undefined;
    // Node remembers where it has found no package.
    if (name === 'package.json' && !hasFailed && !this.#isOutdated()) return undefined;
    const reader = name.startsWith('.env') ? ', by --env-file or the application' : '';
    return `${name} has changed, which is read when the process starts${reader}: end fulmar dev and start it again`;
  }

  /** A package more is found without another start. One that has another version may be loaded as it was. */
  #isOutdated(): boolean {
    const now = readManifest(this.#root);
    if (now === undefined) return false;
    if (OF_MODULES.some((key) => JSON.stringify(now[key]) !== JSON.stringify(this.#manifest[key]))) return true;
    const packages = packagesOf(now);
    return [...packagesOf(this.#manifest)].some(([name, version]) => packages.get(name) !== version);
  }
}

/** Nothing while it is written. */
function readManifest(root: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

const packagesOf = (manifest: Manifest): Map<string, unknown> =>
  new Map(OF_PACKAGES.flatMap((key) => Object.entries((manifest[key] ?? {}) as Record<string, unknown>)));
