/**
 * `fulmar build`: makes one file of an application, for Node or as an executable, with its dependencies,
 * Fulmar, the engine and the files it reads.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { asksForProcesses, guestLibraries, processParts } from './guest-files.ts';
import { findPart } from '../../../fulmar/src/launch/installed/installed.ts';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { findTarget } from '../target.ts';
import { readVersion } from '../../../fulmar/src/launch/installed/version.ts';
import { type BuildOptions, type Platform, parseBuildArguments } from './arguments.ts';
import { type Asset, findAssets, findRequired, viewerAssets } from './assets.ts';
import { bundleAll, type Bundled, type BundleInput } from './bundle.ts';
import { writeBuiltFile } from './file.ts';
import { buildFolder, checkFolderOptions, type FolderInput, toFolderProject } from './folder/index.ts';
import { buildHelp } from './help.ts';
import { buildNative } from './native/index.ts';
import { checkOutput, toPlace } from './output.ts';
import { buildForPlatform, toPlatformOutput } from './platform/index.ts';
import { toProject } from './project.ts';

export { buildThrowaway, runNative } from './native/run.ts';

const BYTES_PER_MB = 1e6;

/** Resolves to the exit code. Rejects with a `CommandError` for what the user can do something about. */
export async function build(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseBuildArguments(argv);
  if (options === 'help') {
    printHelp(buildHelp);
    return 0;
  }
  const { file, project: folder } = findTarget(options.file, { name: 'build', doing: 'building' });
  const dist = realpathSync(distFolder(binFile));
  if (folder !== undefined) checkFolderOptions(options);
  const { entry } = folder === undefined ? { entry: realpathSync(file) } : toFolderProject(folder, dist);
  const out = options.target === undefined ? toOutput(options, entry, folder) : toPlatformOutput(options.target, options.out, entry);
  const project = folder === undefined ? toProject(entry, dist) : toFolderProject(folder, dist);
  const assets = [...findAssets(options.include, project), ...viewerAssets(project)];
  const required = findRequired(options.require, assets, project);
  const version = readVersion(binFile);
  const input = { ...options, project, binFile: join(dist, '..', 'bin', 'fulmar.cjs'), assets, required, out, dist, version };
  const build = { ...input, bin: join(dist, '..', 'bin'), make: (more: FolderInput) => make({ ...input, ...more }) };
  const { modules, notes, bytes, assets: all } = await (folder === undefined ? make(input) : buildFolder(build));
  for (const note of notes) tell(note);
  const path = relative(process.cwd(), out) || out;
  const embedded = all.length === 0 ? '' : `, ${all.length} embedded ${all.length === 1 ? 'file' : 'files'}`;
  process.stdout.write(`${path}: ${modules} modules${embedded}, ${(bytes / BYTES_PER_MB).toFixed(1)} MB. ${adviceFor(options, path)}\n`);
  return 0;
}

const uses: Readonly<Record<Platform, (path: string) => string>> = {
  lambda: (path) => `Zip what is in it; the handler is index.handler: cd ${path} && zip -r ../function.zip .`,
  vercel: () => 'Deploy it with: vercel deploy --prebuilt',
  cloudflare: (path) => `Run it with: wrangler dev ${path} --no-bundle`,
};

function adviceFor({ native, target }: BuildOptions, path: string): string {
  if (target !== undefined) return uses[target](path);
  return `Run it with: ${native ? (path.startsWith('.') || path.startsWith(sep) ? path : `.${sep}${path}`) : `node ${path}`}`;
}

interface Made {
  readonly modules: number;
  readonly notes: readonly string[];
  readonly assets: readonly Asset[];
  readonly bytes: number;
}

type Input = BundleInput & { readonly whole?: string } & Pick<BuildOptions, 'native' | 'target'> & {
    readonly out: string;
    readonly dist: string;
    readonly stripDebug: boolean;
  };

function make(input: Input): Promise<Made> {
  if (input.target !== undefined) return buildForPlatform(input.target, input);
  return input.native ? buildExecutable(input) : buildFile(input);
}

async function buildExecutable(input: Input): Promise<Made> {
  const { bundle, bytes } = await buildNative(input);
  return { ...bundle, bytes };
}

async function buildFile(input: Input): Promise<Made> {
  const { file: addonFile, problem, advice } = findPart(input.dist, 'engine', input.project.entry);
  if (problem !== null)
    throw new CommandError('FULMAR_CLI_BUILD_FAILED', `the engine cannot be built in: ${addonFile}: ${problem}. ${advice}`);
  const bundled = await bundleAll(input);
  return { ...bundled, bytes: writeBuiltFile({ ...input, bundled, binaries: [addonFile, ...guestBinaries(bundled, input)] }) };
}

function guestBinaries({ own, chunks }: Bundled, { dist, project }: Input): string[] {
  if (!own.includes('lib-polyglot.cjs')) return [];
  const parts = [...chunks.values()].some(asksForProcesses) ? processParts(dist, project) : [];
  return [...guestLibraries(dist, project), ...parts].map(({ file }) => file);
}

/** Of a project: `dist/server.mjs` in its folder, where `fulmar start` looks for it. */
function toOutput({ out, native }: BuildOptions, entry: string, folder: string | undefined): string {
  const name = folder === undefined ? basename(entry, extname(entry)) : 'server';
  const usual = folder === undefined ? `${name}.bundle.mjs` : `${name}.mjs`;
  const path =
    folder === undefined || out !== undefined ? resolve(out ?? (native ? name : usual)) : join(folder, 'dist', native ? name : usual);
  if (isDirectory(path)) {
    throw new CommandError(
      'FULMAR_CLI_BUILD_OUTPUT',
      `cannot write ${path}: it is a directory. Name a file in it: -o ${join(out ?? name, native ? 'app' : 'app.mjs')}`,
    );
  }
  checkOutput(path);
  if (toPlace(path) === entry) throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${path}: it is the file to build`);
  if (!native && extname(path) !== '.mjs') {
    throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${path}: Node knows an ES module by its name; end it in .mjs`);
  }
  return path;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there yet, or not to be had: writing will tell.
    return false;
  }
}
