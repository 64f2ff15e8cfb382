/**
 * How `fulmar-compiler` is bundled: what is found in the cache needs `index.cjs` alone, `compile.cjs` loads
 * TypeScript; what other tools load has a file each. What it has of `packages/fulmar` (the intermediate form) is bundled along.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { compilerFolder } from './folders.mjs';

const bundleOf = (name, source) =>
  defineConfig({
    cwd: compilerFolder,
    input: { [name]: join(compilerFolder, 'src', source) },
    platform: 'node',
    external: [/^node:/, 'typescript', './compile.cjs'],
    output: {
      dir: join(compilerFolder, 'dist'),
      format: 'cjs',
      exports: 'named',
      strict: true,
      sourcemap: false,
      minify: false,
      comments: { jsdoc: false, annotation: true, legal: true },
      entryFileNames: '[name].cjs',
    },
  });

export default [
  bundleOf('index', 'index.ts'),
  bundleOf('compile', 'compile.ts'),
  bundleOf('eslint', 'eslint/index.ts'),
  bundleOf('unplugin', 'unplugin/index.ts'),
  bundleOf('webpack-loader', 'unplugin/webpack-loader.ts'),
];
