/**
 * `fulmar build`: makes one file of an application, for Node, with its dependencies, Fulmar, the engine and the files it reads.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { findEntry } from '../entry.ts';
import { CliError } from '../errors.ts';
import { tell } from '../lifecycle.ts';
import { platformTag } from '../platform.ts';
import { distFolder } from '../settings.ts';
import { type BuildOptions, parseBuildArguments } from './arguments.ts';
import { findAssets, findRequired } from './assets.ts';
import { bundleAll } from './bundle.ts';
import { writeBuiltFile } from './file.ts';
import { buildHelp } from './help.ts';
import { toProject } from './project.ts';

const BYTES_PER_MB = 1e6;

/** Resolves to the exit code. Rejects with a `CliError` for what the user can do something about. */
export async function build(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseBuildArguments(argv);
  if (options === 'help') {
    process.stdout.write(buildHelp);
    return 0;
  }
  const entry = realpathSync(findEntry(options.file));
  const dist = realpathSync(distFolder(binFile));
  const addonFile = join(dist, `fulmar.${platformTag()}.node`);
  if (!existsSync(addonFile)) {
    throw new CliError(
      'FULMAR_CLI_BUILD_FAILED',
      `this installation holds no ${basename(addonFile)}, the engine for this platform. Install again; in a checkout run \`npm run build\`.`,
    );
  }
  const out = toOutput(options, entry);
  const project = toProject(entry, dist);
  const assets = findAssets(options.include, project);
  const required = findRequired(options.require, assets, project);
  const bundled = await bundleAll({ ...options, project, binFile: join(dist, '..', 'bin', 'fulmar.cjs'), assets, required });
  const version = (JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as { version: string }).version;
  const bytes = writeBuiltFile({ out, bundled, assets, dist, addonFile, version, sourcemap: options.sourcemap });
  for (const note of bundled.notes) tell(note);
  const embedded = assets.length === 0 ? '' : `, ${assets.length} embedded files`;
  process.stdout.write(
    `${relative(process.cwd(), out) || out}: ${bundled.modules} modules${embedded}, ${(bytes / BYTES_PER_MB).toFixed(1)} MB. Run it with: node ${relative(process.cwd(), out)}\n`,
  );
  return 0;
}

function toOutput({ out }: BuildOptions, entry: string): string {
  const path = resolve(out ?? `${basename(entry, extname(entry))}.bundle.mjs`);
  if (isDirectory(path)) {
    throw new CliError(
      'FULMAR_CLI_BUILD_OUTPUT',
      `cannot write ${path}: it is a directory. Name a file in it: -o ${join(out ?? '.', 'app.mjs')}`,
    );
  }
  if (path === entry) throw new CliError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${path}: it is the file to build`);
  if (extname(path) !== '.mjs') {
    throw new CliError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${path}: Node knows an ES module by its name; end it in .mjs`);
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
