/**
 * `fulmar-compiler/unplugin`: compiles what TypeScript modules ask of `fulmar/types` and `fulmar/rpc`, in bundlers.
 * Types of bundlers are not named, as none of them needs to be installed.
 */

interface Transformed {
  code: string;
  map: { version: number; mappings: string; names: string[]; sources: string[]; sourcesContent?: string[] };
}

interface TransformContext {
  error(error: { message: string; id: string; loc: { file: string; line: number; column: number } }): never;
  addWatchFile(file: string): void;
}

interface RollupPlugin {
  name: string;
  transform: {
    order: 'pre';
    filter: { id: RegExp; code: RegExp };
    handler(this: TransformContext, code: string, id: string): Transformed | undefined;
  };
}

interface VitePlugin extends RollupPlugin {
  enforce: 'pre';
  configResolved(config: { command: string; plugins: readonly { name: string }[] }): void;
  hotUpdate<Module>(
    this: { environment: { moduleGraph: { getModulesByFile(file: string): ReadonlySet<Module> | undefined } } },
    update: { file: string; modules: Module[] },
  ): Module[] | undefined;
}

interface EsbuildPlugin {
  name: string;
  setup(build: {
    onLoad(
      options: { filter: RegExp; namespace?: string },
      callback: (args: { path: string; suffix: string }) => Promise<
        | {
            contents?: string;
            loader?: 'ts' | 'tsx';
            watchFiles?: string[];
            errors?: { text: string; location: { file: string; line: number; column: number; lineText: string } }[];
          }
        | undefined
      >,
    ): void;
  }): void;
}

interface WebpackPlugin {
  name: string;
  apply(compiler: { options: { module: { rules: unknown[] } } }): void;
}

/** For Vite 6 and later. */
export function vite(): VitePlugin;
export function rollup(): RollupPlugin;
export function rolldown(): RollupPlugin;
/** Before plugins that load TypeScript themselves. */
export function esbuild(): EsbuildPlugin;
export function webpack(): WebpackPlugin;
export function rspack(): WebpackPlugin;
