/**
 * Bundles an application, and the files its threads and processes start with, into one ES module each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk, RolldownLog } from 'rolldown';
import { createAliaser } from '../aliases.ts';
import { CliError } from '../errors.ts';
import { toHookSettings } from '../settings.ts';
import { type Asset, withFolders } from './assets.ts';
import { createPlugin, VIRTUAL } from './plugin.ts';
import { Findings } from './problems.ts';
import { placeOf, type Project } from './project.ts';

export interface BundleInput {
  readonly project: Project;
  readonly binFile: string;
  readonly alias: boolean;
  readonly minify: boolean;
  readonly sourcemap: boolean;
  readonly allowMissing: boolean;
  readonly assets: readonly Asset[];
  readonly required: ReadonlyMap<string, string>;
}

export interface Bundled {
  /** File name → code. */
  readonly chunks: ReadonlyMap<string, string>;
  /** Place of a source that threads or processes start with → file name. */
  readonly entries: Readonly<Record<string, string>>;
  /** Our own bundles that they load, with all that those load. */
  readonly own: readonly string[];
  readonly notes: readonly string[];
  readonly modules: number;
}

/** What sources may import besides code: their text. */
const textTypes = Object.fromEntries(
  ['.txt', '.md', '.html', '.sql', '.graphql', '.gql', '.css', '.svg', '.xml'].map((end) => [end, 'text' as const]),
);

export const MAIN = 'main.mjs';

export async function bundleAll(input: BundleInput): Promise<Bundled> {
  const findings = new Findings(input.project);
  const entries = new Map<string, string>();
  const chunks = new Map<string, string>();
  const own = new Set<string>();
  let modules = 0;
  const bundleOne = async (entry: string, name: string): Promise<void> => {
    const onEntry = (file: string): void => {
      if (!entries.has(file)) entries.set(file, file === input.project.entry ? MAIN : `entry-${entries.size + 1}.mjs`);
    };
    const chunk = await bundle({
      ...input,
      findings,
      own,
      onEntry,
      project: { ...input.project, entry },
      hasThreads: () => entries.size > 0,
    });
    chunks.set(name, chunk.code);
    modules = Math.max(modules, chunk.moduleIds.length);
  };
  await bundleOne(input.project.entry, MAIN);
  // Known only now that there are threads: what redirects them is part of the first module.
  if (entries.size > 0) await bundleOne(input.project.entry, MAIN);
  for (const [file, name] of entries) if (!chunks.has(name)) await bundleOne(file, name);
  const named = Object.fromEntries([...entries].map(([file, name]) => [placeOf(file, input.project), name]));
  return { chunks, entries: named, own: withImports(own, input.project.ownFolder), notes: findings.settle(input.allowMissing), modules };
}

interface OneBundle extends BundleInput {
  readonly findings: Findings;
  readonly own: Set<string>;
  readonly onEntry: (file: string) => void;
  readonly hasThreads: () => boolean;
}

async function bundle(input: OneBundle): Promise<OutputChunk> {
  const { rolldown } = await import('rolldown');
  const virtual = new Map<string, string>();
  const resolved: Record<string, string> = {};
  const settings = toHookSettings(input.binFile, { alias: input.alias, verbose: false });
  const cliFile = settings.bundleFile;
  const alias = settings.targets === null ? undefined : createAliaser(settings.targets);
  virtual.set(`${VIRTUAL}entry`, `import ${JSON.stringify(`${VIRTUAL}boot`)};\nimport ${JSON.stringify(input.project.entry)};\n`);
  virtual.set(`${VIRTUAL}boot`, bootSource(input));
  const { project, findings, own, onEntry } = input;
  try {
    const build = await rolldown({
      input: `${VIRTUAL}entry`,
      cwd: project.root,
      platform: 'node',
      tsconfig: false,
      moduleTypes: textTypes,
      shimMissingExports: false,
      resolve: { mainFields: ['main'], extensions: ['.js', '.json', '.node'] },
      plugins: [createPlugin({ project, findings, alias, cliFile, virtual, resolved, own, onEntry })],
      onLog: onlyErrors,
    });
    const { output } = await build.generate({
      format: 'esm',
      codeSplitting: false,
      minify: input.minify,
      keepNames: input.minify,
      sourcemap: input.sourcemap ? 'inline' : false,
      banner: () => `const $fulmarResolved=${JSON.stringify(resolved)};`,
    });
    await build.close();
    return output[0];
  } catch (error) {
    throw toCliError(error);
  }
}

/** Our bundles load each other by literal names. */
function withImports(names: ReadonlySet<string>, folder: string): string[] {
  const all = new Set(names);
  for (const name of all) {
    for (const [, found] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:\brequire\(|\bfrom )["']\.\/([\w.-]+\.[cm]js)["']/g))
      all.add(found ?? '');
  }
  return [...all].sort();
}

/** The first module: see `runtime/index.ts`. */
function bootSource({ project, alias, assets, required, hasThreads }: OneBundle): string {
  const dist = project.ownFolder;
  const loader = (target: string): string => `() => require(${JSON.stringify(target)})`;
  const table = (entries: readonly (readonly [string, string])[]): string =>
    `{${entries.map(([name, target]) => `${JSON.stringify(name)}: ${loader(target)}`).join(', ')}}`;
  const http = './http.cjs';
  return `const { boot } = require(${JSON.stringify(join(dist, 'build-runtime.cjs'))});
boot({
  loaders: ${table([...required])},
  aliases: ${
    alias
      ? table([
          ['http', http],
          ['node:http', http],
        ])
      : '{}'
  },
  resolved: typeof $fulmarResolved === 'undefined' ? {} : $fulmarResolved,
  files: ${JSON.stringify(withFolders(assets))},
  usesHelpers: true,
  threads: ${hasThreads() ? loader(join(dist, 'build-threads.cjs')) : 'undefined'},
});
`;
}

/** What is worth telling about modules, `Findings` tells. */
function onlyErrors(level: string, log: RolldownLog): void {
  if (level === 'error') throw new CliError('FULMAR_CLI_BUILD_FAILED', log.message);
}

function toCliError(error: unknown): unknown {
  if (error instanceof CliError) return error;
  const errors = (error as { errors?: readonly Error[] }).errors ?? [error as Error];
  const own = errors.find((item) => (item as { code?: string }).code?.startsWith('FULMAR_CLI_'));
  if (own !== undefined) return own;
  const isSyntax = errors.some((item) => (item as { code?: string }).code === 'PARSE_ERROR');
  const text = errors.map(({ message }) => message.trim()).join('\n\n');
  return new CliError(isSyntax ? 'FULMAR_CLI_SYNTAX' : 'FULMAR_CLI_BUILD_FAILED', `cannot bundle the application:\n\n${text}`, {
    cause: error,
  });
}
