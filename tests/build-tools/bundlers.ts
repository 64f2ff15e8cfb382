/** The bundlers, each as a function: what it makes of an entry, as a script for browsers that declares `made`, and what it says where it cannot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rspack } from '@rspack/core';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { build as vite } from 'vite';
import webpack from 'webpack';
import * as types from 'fulmar-compiler/unplugin';

export interface Bundle {
  readonly code: string;
  readonly map: string;
}

/** What is wrong, as the bundler tells it to other programs. */
export interface Refusal {
  readonly text: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export interface Bundler {
  readonly name: string;
  bundle(folder: string): Promise<Bundle>;
  refusal(error: unknown): Refusal;
}

interface RollupError {
  readonly message: string;
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
}

/** Rollup's form, which Vite has, too. Rolldown's has all errors in a list. */
function ofRollup(error: unknown): Refusal {
  const one = ((error as { errors?: RollupError[] }).errors?.[0] ?? error) as RollupError;
  return { text: one.message, file: one.loc?.file ?? one.id, line: one.loc?.line, column: one.loc?.column };
}

interface Stats {
  toJson(options: object): { errors?: { message: string; moduleName?: string }[] };
}

/** Of webpack the place is in the text: it has a field for it that it fills itself. */
function ofWebpack(error: unknown): Refusal {
  const text = (error as Error).message;
  const [, file, line, column] = /(\S+\.ts):(\d+):(\d+) /.exec(text) ?? [];
  return { text, file, line: Number(line), column: Number(column) - 1 };
}

const outputOf = (output: readonly { type: string; code?: string; map?: object | null }[]): Bundle => {
  const chunk = output.find(({ type }) => type === 'chunk');
  return { code: chunk?.code ?? '', map: JSON.stringify(chunk?.map) };
};

function webpackBy(run: (config: never, done: (error: Error | null, stats?: Stats) => void) => unknown, loader: object, plugin: object) {
  return async (folder: string): Promise<Bundle> => {
    const config = {
      mode: 'development',
      context: folder,
      entry: './src/main.ts',
      devtool: 'source-map',
      output: { path: join(folder, 'out'), filename: 'main.js', library: { type: 'var', name: 'made' } },
      resolve: { extensions: ['.ts', '.js', '.mjs'] },
      module: { rules: [{ test: /\.ts$/, ...loader }] },
      plugins: [plugin],
    };
    const stats = await new Promise<Stats | undefined>((resolve, reject) =>
      run(config as never, (error, found) => (error ? reject(error) : resolve(found))),
    );
    const [first] = stats?.toJson({ errors: true }).errors ?? [];
    if (first !== undefined) throw new Error(first.message);
    return { code: readFileSync(join(folder, 'out/main.js'), 'utf8'), map: readFileSync(join(folder, 'out/main.js.map'), 'utf8') };
  };
}

export const bundlers: readonly Bundler[] = [
  {
    name: 'Vite',
    async bundle(folder) {
      const made = await vite({
        root: folder,
        configFile: false,
        logLevel: 'silent',
        plugins: [types.vite()],
        build: { write: false, minify: false, sourcemap: true, lib: { entry: 'src/main.ts', formats: ['iife'], name: 'made' } },
      });
      return outputOf((made as unknown as [{ output: [] }])[0].output);
    },
    refusal: ofRollup,
  },
  {
    name: 'Rolldown',
    async bundle(folder) {
      const build = await rolldown({ cwd: folder, input: 'src/main.ts', platform: 'browser', plugins: [types.rolldown()] });
      const { output } = await build.generate({ format: 'iife', name: 'made', sourcemap: true });
      await build.close();
      return outputOf(output);
    },
    refusal: ofRollup,
  },
  {
    name: 'esbuild',
    async bundle(folder) {
      const { outputFiles } = await esbuild.build({
        absWorkingDir: folder,
        entryPoints: ['src/main.ts'],
        outdir: 'out',
        bundle: true,
        write: false,
        format: 'iife',
        globalName: 'made',
        sourcemap: true,
        logLevel: 'silent',
        plugins: [types.esbuild()],
      });
      const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
      return { code: textOf('.js'), map: textOf('.js.map') };
    },
    refusal(error) {
      const [first] = (error as esbuild.BuildFailure).errors;
      const { file, line, column } = first?.location ?? {};
      return { text: first?.text ?? '', file, line, column };
    },
  },
  {
    name: 'webpack',
    bundle: webpackBy(
      webpack as never,
      { loader: 'ts-loader', options: { transpileOnly: true, compilerOptions: { sourceMap: true } } },
      types.webpack(),
    ),
    refusal: ofWebpack,
  },
  {
    name: 'Rspack',
    bundle: webpackBy(
      rspack as never,
      { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }, type: 'javascript/auto' },
      types.rspack(),
    ),
    refusal: ofWebpack,
  },
];
