/**
 * Runs the bundler for one entry of an application: what all kinds of built files have in common.
 */
import { basename, dirname } from 'node:path';
import type { OutputChunk, OutputOptions, RolldownLog, RolldownOutput } from 'rolldown';
import { createAliaser, type PackageSighting } from '../../../fulmar/src/launch/modules/aliases.ts';
import { CliError } from '../../../fulmar/src/launch/errors.ts';
import { CommandError } from '../errors.ts';
import { toHookSettings } from '../../../fulmar/src/launch/settings.ts';
import { describeStandIns } from '../../../fulmar/src/launch/modules/stand-ins.ts';
import type { FoundFiles } from './found-files.ts';
import { createPlugin, VIRTUAL } from './plugin.ts';
import type { Findings } from './problems.ts';
import type { Project } from './project.ts';
import { loadBundler } from '../rolldown.ts';
import { SloppyModules, type SloppyScript } from './sloppy.ts';
import type { Target } from './target.ts';
import type { Transports } from './transports.ts';

export interface BundlerInput {
  readonly project: Project;
  readonly binFile: string;
  readonly alias: boolean;
  readonly minify: boolean;
  readonly findings: Findings;
  readonly found: FoundFiles;
  readonly transports?: Transports;
  readonly target: Target;
  /** Code of the module that runs before the application's. */
  readonly boot: string;
  readonly onEntry: (file: string) => void;
  readonly output: (made: Prepared) => OutputOptions;
  /** Modules that become parts beside the bundle, `part-<position>`: each is loaded by itself, what they share is there once. */
  readonly parts?: readonly string[];
  /** Modules that are known by their positions, as parts are, where there are none. */
  readonly numbered?: readonly string[];
  /** What the sources of the script's map are relative to. */
  readonly mapFolder: string;
  /** Code behind the entry, whose exports it has as `application`. */
  readonly last?: string;
}

/** What is known when all modules have been read, as a banner is made. */
export interface Prepared {
  /** What `require.resolve` found, `importer\nspecifier` → place. */
  readonly resolved: Readonly<Record<string, string>>;
  /** What stands for which package, as `describeStandIns` tells it. */
  readonly standIns: () => readonly string[];
  /** There is a script beside the bundle, or beside the one with these modules: see `sloppy.ts`. */
  readonly hasSloppy: (modules?: readonly string[]) => boolean;
  /** Positions of parts that are CommonJS. */
  readonly scripts: () => readonly number[];
}

export interface BundledChunk {
  readonly chunk: OutputChunk;
  /** The script beside it. */
  readonly sloppy: SloppyScript | undefined;
}

export interface BundlerOutput extends BundledChunk {
  /** The parts, and what they share. */
  readonly parts: readonly BundledChunk[];
}

/** What sources may import besides code: their text. */
const textTypes = Object.fromEntries(
  ['.txt', '.md', '.html', '.sql', '.graphql', '.gql', '.css', '.svg', '.xml'].map((end) => [end, 'text' as const]),
);

/** The bundler's own helpers in a chunk of theirs: with a module of the application, they would load it with the first part. */
const splitting = { groups: [{ name: 'helpers', test: /^\0rolldown\/runtime/ }] };

/** Rejects with a `CommandError`, whose cause is the bundler's error. */
export async function runBundler(input: BundlerInput): Promise<BundlerOutput> {
  const { rolldown } = await loadBundler(input.project);
  const { project, findings, target, onEntry } = input;
  const virtual = new Map<string, string>();
  const resolved: Record<string, string> = {};
  const sloppy = new SloppyModules();
  const settings = toHookSettings(input.binFile, { alias: input.alias, verbose: false }, project.entry);
  const cliFile = settings.bundleFile;
  const { targets } = settings;
  const used = new Set<string>();
  const scripts = new Set<string>();
  const parts = input.parts ?? [];
  const note = ({ target: found }: PackageSighting): void => void used.add(found === undefined ? '' : basename(found.require, '.cjs'));
  const alias =
    targets === null ? undefined : createAliaser(target.compresses ? targets : { ...targets, zlib: undefined }, note, () => project.entry);
  const standIns = (): string[] => describeStandIns(dirname(project.entry), (name) => used.has(name));
  virtual.set(`${VIRTUAL}entry`, entrySource(project.entry, input.last));
  virtual.set(`${VIRTUAL}boot`, input.boot);
  if (project.source !== undefined) virtual.set(project.entry, project.source);
  try {
    const build = await rolldown({
      input: { main: `${VIRTUAL}entry`, ...Object.fromEntries(parts.map((file, at) => [`part-${at}`, file])) },
      cwd: project.root,
      platform: 'node',
      tsconfig: false,
      moduleTypes: textTypes,
      shimMissingExports: false,
      resolve: {
        mainFields: ['main'],
        extensions: ['.js', '.json', '.node'],
        ...(target.conditions === undefined ? {} : { conditionNames: [...target.conditions] }),
      },
      plugins: [
        createPlugin({
          project,
          findings,
          target,
          alias,
          cliFile,
          virtual,
          resolved,
          sloppy,
          found: input.found,
          transports: input.transports,
          scripts,
          onEntry,
        }),
      ],
      onLog: onlyErrors,
    });
    const { output } = await build.generate({
      codeSplitting: parts.length === 0 ? false : splitting,
      minify: input.minify,
      keepNames: input.minify,
      ...input.output({
        resolved,
        standIns,
        hasSloppy: (modules) => sloppy.hasAny(modules),
        scripts: () => (input.numbered ?? parts).flatMap((file, at) => (scripts.has(file) ? [at] : [])),
      }),
    });
    await build.close();
    return await toBundled(output, sloppy, input);
  } catch (error) {
    throw toCliError(error);
  }
}

async function toBundled(output: RolldownOutput['output'], sloppy: SloppyModules, input: BundlerInput): Promise<BundlerOutput> {
  const settings = { minify: input.minify, folder: input.mapFolder, bundler: input.project };
  const withScript = async (chunk: OutputChunk): Promise<BundledChunk> => ({
    chunk,
    sloppy: await sloppy.toScript(chunk.moduleIds, settings),
  });
  const [first] = output;
  const chunks = output.filter((one) => one.type === 'chunk');
  const main = chunks.find(({ name, isEntry }) => isEntry && name === 'main') ?? first;
  return { ...(await withScript(main)), parts: await Promise.all(chunks.filter((one) => one !== main).map(withScript)) };
}

function entrySource(entry: string, last: string | undefined): string {
  const file = JSON.stringify(entry);
  const application = last === undefined ? `import ${file};` : `import * as application from ${file};\n${last}`;
  return `import ${JSON.stringify(`${VIRTUAL}boot`)};\n${application}\n`;
}

/** What is worth telling about modules, `Findings` tells. */
function onlyErrors(level: string, log: RolldownLog): void {
  if (level === 'error') throw new CommandError('FULMAR_CLI_BUILD_FAILED', log.message);
}

function toCliError(error: unknown): unknown {
  if (error instanceof CliError) return error;
  const errors = (error as { errors?: readonly Error[] }).errors ?? [error as Error];
  const own = errors.find((item) => (item as { code?: string }).code?.startsWith('FULMAR_CLI_'));
  if (own !== undefined) return own;
  const isSyntax = errors.some((item) => (item as { code?: string }).code === 'PARSE_ERROR');
  const text = errors.map(({ message }) => message.trim()).join('\n\n');
  return new CommandError(isSyntax ? 'FULMAR_CLI_SYNTAX' : 'FULMAR_CLI_BUILD_FAILED', `cannot bundle the application:\n\n${text}`, {
    cause: error,
  });
}
