/**
 * Bundles an application, and the files its threads and processes start with, into one ES module each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { koaComposeStatement } from '../../../fulmar/src/launch/modules/koa-compose.ts';
import { toInlineComment } from '../../../fulmar/src/launch/compile/source-map.ts';
import type { Asset } from './assets.ts';
import { exportedSource, mayExport, serveStatement } from './exported.ts';
import { FoundFiles } from './found-files.ts';
import { type BundlerOutput, runBundler } from './bundler.ts';
import { Findings } from './problems.ts';
import { placeOf, type Project } from './project.ts';
import { SLOPPY } from './sloppy.ts';
import { nodeTarget } from './target.ts';
import { Transports } from './transports.ts';

export interface BundleInput {
  readonly project: Project;
  readonly binFile: string;
  /** Of Fulmar. */
  readonly version: string;
  readonly alias: boolean;
  readonly minify: boolean;
  readonly sourcemap: boolean;
  readonly allowMissing: boolean;
  readonly assets: readonly Asset[];
  readonly required: ReadonlyMap<string, string>;
  /** Whoever loads the main bundle gets what the entry exports, and these of our bundles. */
  readonly exportsEntry?: boolean;
  readonly alsoOwn?: readonly string[];
  /** Modules that are loaded by themselves: see `bundler.ts`. */
  readonly parts?: readonly string[];
}

export interface Bundled {
  /** File name → code. */
  readonly chunks: ReadonlyMap<string, string>;
  /** Place of a source that threads or processes start with → file name. */
  readonly entries: Readonly<Record<string, string>>;
  /** Our own bundles that they load, with all that those load. */
  readonly own: readonly string[];
  readonly notes: readonly string[];
  /** All that is embedded. */
  readonly assets: readonly Asset[];
  readonly modules: number;
}

export const MAIN = 'main.mjs';
/** What the entry of a project knows parts that are CommonJS by. */
export const SCRIPTS = '$fulmarScripts';

export async function bundleAll(input: BundleInput): Promise<Bundled> {
  const findings = new Findings(input.project, 'node');
  const found = new FoundFiles(input.project, input.assets);
  const transports = new Transports(input.project);
  const entries = new Map<string, string>();
  const chunks = new Map<string, string>();
  const own = new Set<string>(input.alsoOwn);
  let modules = 0;
  const bundleOne = async (entry: string, name: string): Promise<void> => {
    const onEntry = (file: string): void => {
      if (!entries.has(file)) entries.set(file, file === input.project.entry ? MAIN : `entry-${entries.size + 1}.mjs`);
    };
    const isMain = entry === input.project.entry;
    const made = await bundle({
      ...input,
      parts: isMain ? (input.parts ?? []) : [],
      name,
      findings,
      found,
      transports,
      own,
      onEntry,
      project: { ...input.project, entry, source: isMain ? input.project.source : undefined },
      hasThreads: () => entries.size > 0,
    });
    for (const { chunk, sloppy } of [{ ...made, chunk: { ...made.chunk, fileName: name } }, ...made.parts]) {
      chunks.set(chunk.fileName, chunk.code);
      if (sloppy !== undefined)
        chunks.set(toScript(chunk.fileName), input.sourcemap ? `${sloppy.code}\n${toInlineComment(sloppy.map)}\n` : sloppy.code);
    }
    modules = Math.max(modules, modulesOf(made));
  };
  await bundleOne(input.project.entry, MAIN);
  // Known only now that there are threads: what redirects them is part of the first module.
  if (entries.size > 0) await bundleOne(input.project.entry, MAIN);
  for (const [file, name] of entries) if (!chunks.has(name)) await bundleOne(file, name);
  const named = Object.fromEntries([...entries].map(([file, name]) => [placeOf(file, input.project), name]));
  return {
    chunks,
    entries: named,
    own: withImports(own, input.project.ownFolder),
    assets: found.assets,
    notes: [...findings.settle(input.allowMissing), ...found.notes],
    modules,
  };
}

const modulesOf = ({ chunk, parts }: BundlerOutput): number =>
  parts.reduce((sum, part) => sum + part.chunk.moduleIds.length, chunk.moduleIds.length);

/** The script with the sloppy modules of a bundle, beside it. */
const toScript = (name: string): string => name.replace(/\.mjs$/, '.sloppy.cjs');

interface OneBundle extends BundleInput {
  readonly name: string;
  readonly findings: Findings;
  readonly found: FoundFiles;
  readonly transports: Transports;
  readonly own: Set<string>;
  readonly onEntry: (file: string) => void;
  readonly hasThreads: () => boolean;
}

async function bundle(input: OneBundle): Promise<BundlerOutput> {
  const load = (file: string): string =>
    `const ${SLOPPY}=process.getBuiltinModule("node:module").createRequire(import.meta.url)(${JSON.stringify(`./${toScript(file)}`)});`;
  return runBundler({
    ...input,
    target: nodeTarget(input.own),
    boot: bootSource(input),
    output: ({ resolved, standIns, hasSloppy, scripts }) => ({
      format: 'esm',
      sourcemap: input.sourcemap ? 'inline' : false,
      entryFileNames: '[name].mjs',
      chunkFileNames: 'shared-[name].mjs',
      banner: ({ name, isEntry, fileName, moduleIds }) => {
        const isMain = isEntry && name === 'main';
        const facts = isMain
          ? `const $fulmarResolved=${JSON.stringify(resolved)},$fulmarStandIns=${JSON.stringify(standIns())},${SCRIPTS}=${JSON.stringify(scripts())};`
          : '';
        return facts + (hasSloppy(moduleIds) ? load(isMain ? input.name : fileName) : '');
      },
    }),
    mapFolder: join(input.project.root, 'dist'),
    ...lastOf(input),
  });
}

/** Whoever loads the bundle serves what it exports, or it does so itself. */
function lastOf(input: OneBundle): { last?: string } {
  if (input.name !== MAIN) return {};
  if (input.exportsEntry === true) return { last: 'export { application };' };
  return mayExport(input.project) ? { last: serveStatement } : {};
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

/** The first module: see `launch/built/index.ts`. */
function bootSource(input: OneBundle): string {
  const { name: bundle, project, version, alias, required, transports, hasThreads } = input;
  const dist = project.ownFolder;
  const loader = (target: string): string => `() => require(${JSON.stringify(target)})`;
  const table = (entries: readonly (readonly [string, string])[]): string =>
    `{${entries.map(([name, target]) => `${JSON.stringify(name)}: ${loader(target)}`).join(', ')}}`;
  const http = './http.cjs';
  return `${alias ? koaComposeStatement(project.entry) : ''}const { boot } = require(${JSON.stringify(join(dist, 'build-runtime.cjs'))});
boot({
  loaders: ${table([...required, ...(bundle === MAIN ? [] : transports.required)])},
  transports: ${JSON.stringify(transports.places)},
  aliases: ${
    alias
      ? table([
          ['http', http],
          ['node:http', http],
        ])
      : '{}'
  },
  resolved: typeof $fulmarResolved === 'undefined' ? {} : $fulmarResolved,
  usesHelpers: true,
  start: {version: ${JSON.stringify(version)}, packages: $fulmarStandIns},
  cluster: ${alias ? loader('./lazy-cluster.cjs') : 'undefined'},
  exported: ${lastOf(input).last === serveStatement ? exportedSource(project) : 'undefined'},
  threads: ${hasThreads() ? loader(join(dist, 'build-threads.cjs')) : 'undefined'},
});
`;
}
