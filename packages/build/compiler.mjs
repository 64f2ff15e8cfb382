/** Bundles `packages/compiler/src` into `packages/compiler/dist`: two files, and the licences of what is in them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compilerFolder } from './folders.mjs';
import { generate, writeIfChanged } from './rolldown.mjs';
import { bundledPackages, notices } from '../../scripts/lib/notices.mjs';

export async function bundleCompiler() {
  const { default: configs } = await import('./compiler.config.mjs');
  const target = join(compilerFolder, 'dist');
  mkdirSync(target, { recursive: true });
  const output = [];
  for (const config of configs) output.push(...(await generate(config)));
  for (const chunk of output) writeIfChanged(join(target, chunk.fileName), chunk.code);
  writeIfChanged(join(target, 'THIRD_PARTY_NOTICES'), notices(bundledPackages(output), []));
}
