// Builds the load generator with cargo and puts it where `fulmar bench` looks: `dist/fulmar-load-<platform>-<arch>[-<libc>]`.
// Cargo decides what is stale, as for the addon.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cargoBuild, installFile, platformTag } from './addon.mjs';
import { distDir, Failure, root } from './run.mjs';

const crate = 'fulmar-load';

export const loadGeneratorFile = () => join(distDir, `${crate}-${platformTag()}`);

export async function buildLoadGenerator() {
  if (!existsSync(join(root, 'crates', 'load', 'Cargo.toml'))) return 'no crate yet';
  const built = await cargoBuild(['-p', crate, '--bin', crate]);
  const program = built.find((message) => message.target.kind.includes('bin') && message.target.name === crate)?.executable;
  if (program === undefined || program === null) throw new Failure(`cargo built ${crate} without an executable`);
  return installFile(program, loadGeneratorFile());
}
