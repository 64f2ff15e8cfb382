/**
 * Which imports lead to Fulmar: `http` and `node:http` to `fulmar/http`, `express` to `fulmar/express`.
 *
 * Asked once for each import of one of those names, for the application and for its dependencies. Never maps deep imports
 * (`express/lib/…`), other versions of Express than 5, `https` or `http2`, and never an import of our own code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { AliasTarget, AliasTargets } from './settings.ts';

/** The major version of Express that `fulmar/express` stands for. */
const EXPRESS_MAJOR = 5;

/** Returns the target for `specifier` as imported by the file `importer` (`undefined`: by nobody), or `undefined` to leave it alone. */
export type Aliaser = (specifier: string, importer: string | undefined) => AliasTarget | undefined;

/** A cheap first look, before an importer's path is worked out. */
export function mayBeAliased(specifier: string): boolean {
  return specifier === 'express' || specifier === 'http' || specifier === 'node:http';
}

export function createAliaser(targets: AliasTargets): Aliaser {
  const ownPrefix = targets.ownFolder + sep;
  const isOurExpress = createExpressCheck();
  return (specifier, importer) => {
    if (!mayBeAliased(specifier) || importer?.startsWith(ownPrefix)) return undefined;
    if (specifier !== 'express') return targets.http;
    const folder = importer === undefined ? process.cwd() : dirname(importer);
    return isOurExpress(folder) ? targets.express : undefined;
  };
}

/** Is the Express that files of a folder would get one that we replace? None installed counts as yes. */
function createExpressCheck(): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  const check = (folder: string): boolean => {
    const cached = known.get(folder);
    if (cached !== undefined) return cached;
    const manifest = join(folder, 'node_modules', 'express', 'package.json');
    const parent = dirname(folder);
    let answer: boolean;
    if (existsSync(manifest)) answer = readMajor(manifest) === EXPRESS_MAJOR;
    else answer = parent === folder || check(parent);
    known.set(folder, answer);
    return answer;
  };
  return check;
}

function readMajor(manifest: string): number {
  try {
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? Number.parseInt(version, 10) : Number.NaN;
  } catch {
    // A broken manifest: upstream's own resolution shall report it.
    return Number.NaN;
  }
}
