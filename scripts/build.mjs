// `npm run build`: set-up, then the addon (cargo), the bundles (rolldown) and the type declarations (tsc), each only when stale.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { addonFile, buildAddon } from './lib/addon.mjs';
import { bundle } from './lib/bundle.mjs';
import { capture, distDir, Failure, isMain, packageDir, root, runMain, step } from './lib/run.mjs';
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
  await step('build: bundles', () =>
    unlessUnchanged({ name: 'bundles', inputs: [...bundleInputs, addonFile()], outputs: [distDir] }, bundle),
  );
  await step('build: types', () => {
    const inputs = [sources, join(packageDir, 'tsconfig.types.json'), join(root, 'tsconfig.base.json')];
    return unlessUnchanged({ name: 'types', inputs, outputs: [join(distDir, 'types')] }, declareTypes);
  });
}

/** Declarations are written even when a type is wrong: reporting that is `npm run check`'s part. */
async function declareTypes() {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { output } = await capture(process.execPath, [tsc, '-p', join(packageDir, 'tsconfig.types.json')]);
  if (!existsSync(join(distDir, 'types'))) throw new Failure(`tsc wrote no declarations:\n${output}`);
  const errors = output.match(/error TS/g)?.length ?? 0;
  return errors === 0 ? 'written' : `written; ${errors} type errors, see \`npm run check\``;
}

if (isMain(import.meta.url)) await runMain(build);
