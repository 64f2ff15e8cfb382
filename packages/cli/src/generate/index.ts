/**
 * `fulmar generate`: makes a part of an application of controllers, and registers it in the nearest module.
 * All is decided before anything is written.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { type GenerateOptions, parseGenerateArguments } from './arguments.ts';
import { folderFor, type GeneratedFile, makeFiles } from './files.ts';
import { generateHelp } from './help.ts';
import { toPascal } from './names.ts';
import { findProject, isInstalled, type Project } from './project.ts';
import { type ChangedModule, planRegistration, type Registered, suffixIn } from './registration.ts';

/** Resolves to the exit code. Rejects with a `CommandError` where something is left to be done by hand, or nothing was made. */
export async function generate(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseGenerateArguments(argv);
  if (options === 'help') {
    printHelp(generateHelp);
    return 0;
  }
  const project = findProject(process.cwd());
  const dist = distFolder(binFile);
  const folder = folderFor(options, project.sources);
  const suffix = suffixIn(folder, project);
  const files = makeFiles({ ...options, folder, suffix, templates: join(dist, '..', 'templates') });
  refuseExisting(files, options);
  const registered = await planFor(options, files, project, dist);
  write(files, registered, options.dryRun);
  tellWhatIsMissing(options, project);
  if (registered === undefined || !('advice' in registered)) return 0;
  if (registered.isProblem) throw new CommandError('FULMAR_CLI_GENERATE_MODULE', registered.advice);
  tell(registered.advice);
  return 0;
}

function refuseExisting(files: readonly GeneratedFile[], { force }: GenerateOptions): void {
  const there = files.filter(({ exists }) => exists).map(({ file }) => shown(file));
  if (force || there.length === 0) return;
  throw new CommandError(
    'FULMAR_CLI_GENERATE_EXISTS',
    `nothing was made: ${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already. Take another name, or --force to replace what is there`,
  );
}

async function planFor(
  { schematic, names, flat, skipImport }: GenerateOptions,
  files: readonly GeneratedFile[],
  project: Project,
  dist: string,
): Promise<Registered | undefined> {
  const { registered } = schematic;
  if (registered === undefined || skipImport) return undefined;
  const { list, type } = registered;
  const file = files.find((one) => one.file.endsWith(`${names.kebab}.${type}.ts`))?.file ?? '';
  const folder = dirname(file);
  // A module belongs to one above it, and not to itself.
  const from = type === 'module' && !flat ? dirname(folder) : folder;
  const className = toPascal(`${names.kebab}-${type}`);
  return planRegistration({ className, file, list, from }, project, dist);
}

function write(files: readonly GeneratedFile[], registered: Registered | undefined, isDry: boolean): void {
  for (const { file, text, exists } of files) put(exists ? 'REPLACE' : 'CREATE', file, text, isDry);
  if (registered !== undefined && isChange(registered)) put('UPDATE', registered.file, registered.text, isDry);
  if (isDry) process.stdout.write('Nothing was written, because of --dry-run.\n');
}

const isChange = (registered: Registered): registered is ChangedModule => 'isChanged' in registered && registered.isChanged;

function put(what: string, file: string, text: string, isDry: boolean): void {
  if (!isDry) {
    mkdirSync(dirname(file), { recursive: true });
    // What has come since it was looked for is not replaced, either.
    writeFileSync(file, text, { flag: what === 'CREATE' ? 'wx' : 'w' });
  }
  process.stdout.write(`${what} ${shown(file)} (${Buffer.byteLength(text)} bytes)\n`);
}

function tellWhatIsMissing({ schematic }: GenerateOptions, { root }: Project): void {
  const missing = (schematic.needs ?? []).filter((name) => !isInstalled(root, name));
  if (missing.length > 0) tell(`it needs packages that are not installed: npm install ${missing.join(' ')}`);
}

const shown = (file: string): string => relative(process.cwd(), file);
