/** Bundlers that watch, each as a function that tells what every build made, or what was wrong with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rspack } from '@rspack/core';
import * as esbuild from 'esbuild';
import { watch as rolldown } from 'rolldown';
import { watch as rollup } from 'rollup';
import typescript from 'typescript';
import webpack from 'webpack';
import * as types from 'fulmar-compiler/unplugin';

export type Tell = (code: string) => void;

export interface Watcher {
  readonly name: string;
  /** Begins to build into `out/main.js`; resolves to what ends it. */
  start(folder: string, tell: Tell): Promise<() => Promise<unknown>>;
}

const external = /^fulmar/;
const made = (folder: string): string => readFileSync(join(folder, 'out', 'main.js'), 'utf8');

/** Rollup has no TypeScript. */
const stripped = {
  name: 'stripped',
  transform: (code: string, id: string) =>
    id.endsWith('.ts')
      ? typescript.transpileModule(code, { compilerOptions: { target: typescript.ScriptTarget.ES2022 } }).outputText
      : null,
};

interface RollupWatcher {
  on(event: 'event', told: (event: RollupEvent) => Promise<void>): unknown;
  close(): Promise<void>;
}

interface RollupEvent {
  readonly code: string;
  readonly error?: { readonly message: string } | null;
  readonly result?: { close(): Promise<void> } | null;
}

function followRollup(watcher: RollupWatcher, folder: string, tell: Tell): () => Promise<unknown> {
  watcher.on('event', async ({ code, error, result }) => {
    await result?.close();
    if (code === 'ERROR') tell(error?.message ?? '');
    if (code === 'BUNDLE_END') tell(made(folder));
  });
  return () => watcher.close();
}

interface PackStats {
  toJson(options: object): { errors?: { message: string }[] };
}

interface PackCompiler {
  watch(options: object, done: (error: Error | null, stats?: PackStats) => void): { close(done: () => void): void };
}

function packBy(make: unknown, loader: object, plugin: object): Watcher['start'] {
  return async (folder, tell) => {
    const compiler = (make as (config: object) => PackCompiler)({
      mode: 'development',
      devtool: false,
      context: folder,
      entry: './src/main.ts',
      output: { path: join(folder, 'out'), filename: 'main.js' },
      externals: { 'fulmar/types': 'var fulmar' },
      module: { rules: [{ test: /\.ts$/, ...loader }] },
      plugins: [plugin],
    });
    const watching = compiler.watch({ aggregateTimeout: 5 }, (error, stats) => {
      const [first] = stats?.toJson({ errors: true }).errors ?? [];
      tell(error === null && first === undefined ? made(folder) : String(error ?? first?.message));
    });
    return () => new Promise<void>((resolve) => watching.close(resolve));
  };
}

export const watchers: readonly Watcher[] = [
  {
    name: 'Rollup',
    start: async (folder, tell) =>
      followRollup(
        rollup({
          input: join(folder, 'src/main.ts'),
          external,
          output: { file: join(folder, 'out/main.js') },
          plugins: [types.rollup(), stripped],
        }),
        folder,
        tell,
      ),
  },
  {
    name: 'Rolldown',
    start: async (folder, tell) =>
      followRollup(
        rolldown({
          cwd: folder,
          input: 'src/main.ts',
          external,
          output: { file: join(folder, 'out/main.js') },
          plugins: [types.rolldown()],
        }),
        folder,
        tell,
      ),
  },
  {
    name: 'esbuild',
    async start(folder, tell) {
      const told: esbuild.Plugin = {
        name: 'told',
        setup: (build) => build.onEnd(({ errors }) => tell(errors.length === 0 ? made(folder) : errors.map(({ text }) => text).join('\n'))),
      };
      const context = await esbuild.context({
        absWorkingDir: folder,
        entryPoints: ['src/main.ts'],
        outfile: 'out/main.js',
        bundle: true,
        format: 'esm',
        external: ['fulmar/types'],
        logLevel: 'silent',
        plugins: [types.esbuild(), told],
      });
      await context.watch();
      return () => context.dispose();
    },
  },
  {
    name: 'webpack',
    start: packBy(webpack, { loader: 'ts-loader', options: { transpileOnly: true } }, types.webpack()),
  },
  {
    name: 'Rspack',
    start: packBy(
      rspack,
      { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' } } }, type: 'javascript/auto' },
      types.rspack(),
    ),
  },
];
