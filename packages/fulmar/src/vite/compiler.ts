/** The plugin that compiles types, of `fulmar-compiler` where it is installed: beside Fulmar or in the project. */
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { resolveFrom } from '../launch/installed/companion.ts';

interface TypesPlugin {
  readonly name: string;
}

/** None where it is not installed: a program that uses types says so when it runs. */
export function typesPlugin(): TypesPlugin[] {
  const found = resolveFrom([__filename, join(process.cwd(), 'package.json')], 'fulmar-compiler/unplugin');
  return found === undefined ? [] : [(createRequire(__filename)(found) as { vite(): TypesPlugin }).vite()];
}
