// `npm run build`: set-up, then the addon and the load generator (cargo) and the bundles (rolldown), each only when stale. The
// types that applications see are written by hand, in `packages/fulmar/types`.
import { join } from 'node:path';
import { addonFile, buildAddon } from './lib/addon.mjs';
import { bundle } from './lib/bundle.mjs';
import { buildLoadGenerator, loadGeneratorFile } from './lib/load-generator.mjs';
import { distDir, isMain, packageDir, root, runMain, step } from './lib/run.mjs';
import { unlessUnchanged } from './lib/stamp.mjs';
import { setup } from './setup.mjs';

const sources = join(packageDir, 'src');
const bundleInputs = [
  sources,
  join(packageDir, 'package.json'),
  join(packageDir, 'rolldown.config.mjs'),
  join(root, 'package-lock.json'),
  join(root, 'scripts', 'lib', 'bundle.mjs'),
];

export async function build() {
  await setup();
  await step('build: addon', buildAddon);
  await step('build: load generator', buildLoadGenerator);
  await step('build: bundles', () =>
    unlessUnchanged({ name: 'bundles', inputs: [...bundleInputs, addonFile(), loadGeneratorFile()], outputs: [distDir] }, bundle),
  );
}

if (isMain(import.meta.url)) await runMain(build);
