/**
 * What `fulmar build` asks of a project, in a process below it that loads the project's modules as `fulmar run` does: its
 * config, names of its files, replies that are made now, and its plugins' hooks. Bundles nothing.
 *
 * Stays until it is told that the build is done.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { shownFolder } from '../create-routes.ts';
import type { FileRoute } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { folderSource, type RouteSource } from '../loading/source.ts';
import { indexOf, type IndexNode } from '../loading/route-index.ts';
import type { BuildInfo, ConfigEnvironment, ResolvedConfig } from './config-types.ts';
import { middlewareFiles, partsOf } from './create-project.ts';
import { prerenderAll, type WrittenPage } from './prerender-project.ts';
import { type ConfigDefaults, defaultsOf, findConfig, projectPlugins, resolveConfig } from './resolve-config.ts';
import { whyNot } from './serve-project.ts';
import { staticFilesOf } from './static-folders.ts';
import { withVirtual } from './virtual-routes.ts';

export interface BuildRequest {
  readonly root: string;
  /** Where what is made of the project is written; empty, and removed by whoever asks. */
  readonly folder: string;
  readonly output: string;
  readonly native: boolean;
}

/** All paths are absolute, but those of `files`. */
export interface BuildFacts {
  readonly config: string | null;
  readonly dir: string;
  readonly files: readonly FileRoute[];
  readonly index: IndexNode;
  readonly middlewares: readonly string[];
  readonly defaults: ConfigDefaults;
  readonly statics: readonly { readonly dir: string; readonly files: readonly string[] }[];
  readonly pages: readonly WrittenPage[];
}

/** What is said to whoever builds. */
export type BuildMessage = { readonly facts: BuildFacts } | { readonly failed: string } | { readonly ended: true };

/** Answers by messages of the process; the first message that comes is the end of the build. */
export async function buildProject({ root, folder, ...output }: BuildRequest): Promise<void> {
  const environment = { root, command: 'build' } as const;
  const done = new Promise((resolve) => process.once('message', resolve));
  try {
    const config = await resolveConfig(await partsOf(environment).config(environment), environment);
    const build: BuildInfo = { root, ...output };
    for (const plugin of projectPlugins(config.plugins)) await plugin.buildStart?.(build);
    await tell({ facts: await withFolder(config.routes.dir, () => factsOf(config, environment, folder)) });
    await done;
    for (const plugin of projectPlugins(config.plugins)) await plugin.buildEnd?.(build);
    await tell({ ended: true });
  } catch (error) {
    await tell({ failed: whyNot(error) });
  }
  // What the project's modules have opened may go on for ever.
  process.exit();
}

/** Errors of files name them from where the build runs. */
async function withFolder<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const folder = shownFolder(dir);
    const isTold = !(error instanceof RouteFileError) || error.files.some((file) => file.startsWith(`${folder}/`));
    throw isTold ? error : error.within(folder);
  }
}

const tell = (message: BuildMessage): Promise<void> =>
  new Promise((resolve) => void (process.send?.(message, undefined, undefined, () => resolve()) ?? resolve()));

async function factsOf(config: ResolvedConfig, environment: ConfigEnvironment, folder: string): Promise<BuildFacts> {
  const { root } = environment;
  const { dir } = config.middlewares;
  const source = folderSource(config.routes.dir);
  const files = keptOf(source, config);
  return {
    config: findConfig(root) ?? null,
    dir: realpathSync(config.routes.dir),
    files,
    index: indexOf(files),
    middlewares: dir === false ? [] : middlewareFiles(dir).map((name) => join(dir, name)),
    defaults: defaultsOf(environment),
    statics: config.static.map((one) => ({ dir: one.dir, files: staticFilesOf(one, root) })),
    pages: await prerenderAll(config, { ...source, style: config.routes.style, files, index: indexOf(files) }, folder),
  };
}

/** Those that plugins keep. @throws RouteFileError where a virtual route answers what a file does */
function keptOf(source: RouteSource, config: ResolvedConfig): readonly FileRoute[] {
  const own = new Set(source.files);
  return withVirtual(source, config.routes.virtual, projectPlugins(config.plugins)).files.filter((file) => own.has(file));
}
