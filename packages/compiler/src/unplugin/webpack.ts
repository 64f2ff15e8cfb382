/** The plugin for webpack and Rspack: a rule for TypeScript, whose loader runs before those of the configuration. */
import { join } from 'node:path';
import { TYPESCRIPT } from '../program/mentions.ts';
import { NAME } from './compile-module.ts';

interface Compiler {
  readonly options: { readonly module: { readonly rules: unknown[] } };
}

export interface WebpackPlugin {
  readonly name: string;
  apply(compiler: Compiler): void;
}

export function webpack(): WebpackPlugin {
  return {
    name: NAME,
    apply({ options }) {
      // Loaders run from the last to the first.
      options.module.rules.push({
        test: TYPESCRIPT,
        exclude: /[\\/]node_modules[\\/]/,
        enforce: 'pre',
        loader: join(__dirname, 'webpack-loader.cjs'),
      });
    },
  };
}
