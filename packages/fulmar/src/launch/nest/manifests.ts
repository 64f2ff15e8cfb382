/**
 * The packages that an application declares, by its `package.json` and that of its workspace. Reads manifests, never what
 * is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the package around `folder` declares, and what the root of its workspace does. */
export function declaredFor(folder: string, wanted: readonly string[] = sections): ReadonlySet<string> {
  const names = new Set<string>();
  let hasOwn = false;
  for (let at = folder; ; at = dirname(at)) {
    const manifest = readManifest(at);
    if (manifest !== undefined) {
      const isRoot = manifest['workspaces'] !== undefined || existsSync(join(at, 'pnpm-workspace.yaml'));
      // A manifest that only says how files are read, as in `dist`, is nobody's.
      const isPackage = isRoot || manifest['name'] !== undefined || sections.some((section) => manifest[section] !== undefined);
      if ((isPackage && !hasOwn) || isRoot) for (const name of namesIn(manifest, wanted)) names.add(name);
      hasOwn ||= isPackage;
      if (isRoot) return names;
    }
    if (dirname(at) === at) return names;
  }
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

export function namesIn(manifest: Readonly<Record<string, unknown>>, wanted: readonly string[] = sections): string[] {
  return wanted.flatMap((section) => {
    const declared = manifest[section];
    return typeof declared === 'object' && declared !== null ? Object.keys(declared) : [];
  });
}

/** `undefined`: there is none, or none that could be read. */
export function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
