/**
 * `fulmar new`, which `npm create fulmar` runs as well: makes a project of a template, begins a repository,
 * installs the packages.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { basename, join, relative, resolve } from 'node:path';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { readVersion } from '../../../fulmar/src/launch/installed/version.ts';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { type NewOptions, parseNewArguments } from './arguments.ts';
import { newHelp } from './help.ts';
import { detectManager, type Manager } from './managers.ts';
import { nameFromFolder } from './names.ts';
import { checkFolder, writeProject } from './project.ts';
import { askFor } from './questions.ts';
import { beginRepository, installPackages } from './steps.ts';
import { folderOf, noTemplate, type Template } from './templates.ts';

/** Resolves to the exit code. Rejects with a `CommandError` when no project, or one without packages, was made. */
export async function create(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseNewArguments(argv);
  if (options === 'help') {
    printHelp(newHelp);
    return 0;
  }
  if (options.folder !== undefined) checkFolder(resolve(options.folder), options.folder);
  const { folder: shown, template } = await complete(options);
  const folder = resolve(shown);
  const source = folderOf(template, options.language ?? 'typescript');
  checkFolder(folder, shown);
  const manager = options.manager ?? detectManager(process.env['npm_config_user_agent']);
  const name = options.name ?? nameFromFolder(basename(folder));
  const templates = join(distFolder(binFile), '..', 'templates');
  const files = writeProject({ folder, name, manager, templates, template: source, version: readVersion(binFile) });
  process.stdout.write(`${name}: ${files.length} files in ${folder}, of the template ${template.name}\n`);
  if (options.git) beginRepository(folder);
  if (options.install) await installPackages(folder, manager);
  process.stdout.write(whatNext(folder, manager, options.install));
  return 0;
}

/** Asks for what is missing, where somebody is there to answer. */
async function complete({ folder, template, name }: NewOptions): Promise<{ folder: string; template: Template }> {
  const known = { folder: folder ?? name?.replace(/^@.*\//, ''), template };
  if (known.folder !== undefined && known.template !== undefined) return { folder: known.folder, template: known.template };
  if (template === undefined && process.stdin.isTTY && process.stderr.isTTY) return askFor(known, process.stdin, process.stderr);
  if (template === undefined) throw noTemplate();
  throw new CommandError('FULMAR_CLI_MISSING_VALUE', `fulmar new needs a folder: fulmar new my-app --template ${template.name}`);
}

function whatNext(folder: string, manager: Manager, isInstalled: boolean): string {
  const path = relative(process.cwd(), folder);
  const lines = [
    ...(path === '' ? [] : [`cd ${/^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`}`]),
    ...(isInstalled ? [] : [`${manager} install`]),
    `${manager} run dev`,
  ];
  return `\nNext:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
