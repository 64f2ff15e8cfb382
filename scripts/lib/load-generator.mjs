/**
 * Builds the load generator with cargo and puts it where `fulmar bench` looks:
 * `dist/fulmar-load-<platform>-<arch>[-<libc>]`. Cargo decides what is stale, as for the addon.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cargoBuild, installFile, platformTag, programOf } from './addon.mjs';
import { distDir, root } from './run.mjs';

export const loadCrate = 'fulmar-load';

export const loadGeneratorFile = () => join(distDir, `${loadCrate}-${platformTag()}`);

export async function buildLoadGenerator() {
  if (!existsSync(join(root, 'crates', 'load', 'Cargo.toml'))) return 'no crate yet';
  const built = await cargoBuild(['-p', loadCrate, '--bin', loadCrate]);
  return installFile(programOf(built, loadCrate), loadGeneratorFile());
}
