// `npm run build`: set-up, then the addon and the load generator (cargo), the bundles (rolldown) and the native host (cargo, then its
// modules as bytecode; not with --no-native), each only when stale. The types that applications see are written by hand, in
// `packages/fulmar/types`.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addonFile, buildAddon } from './lib/addon.mjs';
import { bundle } from './lib/bundle.mjs';
import { buildNative } from './lib/native.mjs';
import { buildLoadGenerator, loadGeneratorFile } from './lib/load-generator.mjs';
import { distDir, isMain, packageDir, root, runMain, step } from './lib/run.mjs';
import { unlessUnchanged } from './lib/stamp.mjs';
import { setup } from './setup.mjs';

const sources = join(packageDir, 'src');
const bundleInputs = [
  sources,
  join(packageDir, 'package.json'),
  ...['rolldown.config.mjs', 'rolldown.native.config.mjs', 'inline-format.mjs', 'copy-host.mjs'].map((name) => join(packageDir, name)),
  join(root, 'package-lock.json'),
  ...['bundle.mjs', 'native-modules.mjs', 'lazy-requires.mjs', 'rolldown.mjs', 'notices.mjs'].map((name) =>
    join(root, 'scripts', 'lib', name),
  ),
];

/**
 * @param {object} [parts]
 * @param {boolean} [parts.native] the native host, for `fulmar build --native`
 * @param {boolean} [parts.load] the load generator, for `fulmar bench` and the benchmark suite
 */
export async function build({ native = true, load = true } = {}) {
  await setup();
  await step('build: addon', buildAddon);
  if (load) await step('build: load generator', buildLoadGenerator);
  await step('build: bundles', () =>
    unlessUnchanged({ name: 'bundles', inputs: [...bundleInputs, addonFile(), loadGeneratorFile()], outputs: [distDir] }, bundle),
  );
  if (native) await step('build: native host', buildNative);
}

async function main() {
  const { values } = parseArgs({ options: { native: { type: 'boolean', default: true } }, allowNegative: true });
  await build(values);
}

if (isMain(import.meta.url)) await runMain(main);
