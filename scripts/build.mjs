/**
 * `npm run build`: set-up, then the addon, the guests and the load generator (cargo), the bundles (rolldown) and the
 * QuickJS host (cargo, then its modules as bytecode; not with --no-native), each only when stale. The types
 * that applications see are written by hand, in `packages/fulmar/types`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addonFile, buildAddon } from './lib/addon.mjs';
import { bundle } from '../packages/build/bundle.mjs';
import { buildGuests } from './lib/guests.mjs';
import { buildNative } from './lib/quickjs.mjs';
import { buildLoadGenerator, loadGeneratorFile } from './lib/load-generator.mjs';
import { distDir, isMain, root, runMain, step } from './lib/run.mjs';
import { unlessUnchanged } from './lib/stamp.mjs';
import { setup } from './setup.mjs';

const bundleInputs = [
  ...[
    'fulmar/src',
    'fulmar/package.json',
    'cli/src',
    'compiler/src',
    'compiler/package.json',
    'client/src',
    'quickjs-node/src',
    'build/passes',
  ].map((name) => join(root, 'packages', name)),
  ...[
    'bundle',
    'compiler',
    'client.config',
    'compiler.config',
    'folders',
    'quickjs-modules',
    'quickjs-node.config',
    'rolldown',
    'run-time.config',
    'types',
  ].map((name) => join(root, 'packages', 'build', `${name}.mjs`)),
  join(root, 'package-lock.json'),
  join(root, 'scripts', 'lib', 'notices.mjs'),
];

/**
 * @param {object} [parts]
 * @param {boolean} [parts.native] the QuickJS host, for `fulmar build --native`
 * @param {boolean} [parts.guests] the libraries of other languages, for `fulmar/polyglot`
 * @param {boolean} [parts.load] the load generator, for `fulmar bench` and the benchmark suite
 */
export async function build({ native = true, guests = true, load = true } = {}) {
  await setup();
  await step('build: addon', buildAddon);
  if (guests) await step('build: guests', buildGuests);
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
