/**
 * Writes the files of a project: those of its template and those that all share. What differs by project is
 * its name, the versions of our own packages, and the words of its package manager. Never replaces a file.
 */
import { mkdirSync, readdirSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { CommandError } from '../errors.ts';
import { type Manager, toDockerfile, toReadme } from './managers.ts';

export interface ProjectPlan {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
  readonly manager: Manager;
  /** Our `templates`. */
  readonly templates: string;
  /** One of their `projects`. */
  readonly template: string;
  /** Of this Fulmar. */
  readonly version: string;
}

/** What a folder may hold that is as good as empty. */
const harmless: ReadonlySet<string> = new Set(['.git', '.idea', '.vscode', '.DS_Store']);
const NAMES_SHOWN = 3;

/** Throws a `CommandError` where a project would be put among other files. */
export function checkFolder(folder: string, shown: string): void {
  const wrong = (text: string, cause?: unknown): CommandError => new CommandError('FULMAR_CLI_NEW_FOLDER', text, { cause });
  const found = statOf(folder, (cause) => wrong(`no project can be put at ${shown}: ${(cause as Error).message}`, cause));
  if (found === undefined) return;
  if (!found.isDirectory()) throw wrong(`${shown} is a file. Name a folder that is empty or not there`);
  const names = readdirSync(folder).filter((name) => !harmless.has(name));
  if (names.length === 0) return;
  const more = names.length > NAMES_SHOWN ? ', …' : '';
  throw wrong(
    `the folder ${shown} is not empty (${names.slice(0, NAMES_SHOWN).join(', ')}${more}). Name one that is empty or not there, or remove what is in it`,
  );
}

/** Undefined where there is nothing yet; a name that is too long, or below a file, can never be one. */
function statOf(path: string, wrong: (cause: unknown) => CommandError): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw wrong(cause);
  }
}

/** Returns the paths of the files, relative to the folder. Throws a `CommandError` where one cannot be written. */
export function writeProject(plan: ProjectPlan): string[] {
  const files = [...filesOf(join(plan.templates, 'shared')), ...filesOf(join(plan.templates, 'projects', plan.template))];
  try {
    for (const { path, text } of files) {
      const file = resolve(plan.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, adapt(path, text, plan), { flag: 'wx' });
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new CommandError('FULMAR_CLI_NEW_FOLDER', `the project cannot be written: ${message}`, { cause });
  }
  return files.map(({ path }) => path).sort();
}

interface TemplateFile {
  /** With `/`. */
  readonly path: string;
  readonly text: string;
}

function filesOf(folder: string): TemplateFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, file: join(folder, name) }))
    .filter(({ file }) => statSync(file).isFile())
    .map(({ name, file }) => ({ path: toRealName(name.replaceAll(sep, '/')), text: readFileSync(file, 'utf8') }));
}

/** npm publishes no `.gitignore`, and tools would take the others for their own: a dot is `_` there. */
const toRealName = (path: string): string => path.replace(/(^|\/)_/, '$1.');

function adapt(path: string, text: string, plan: ProjectPlan): string {
  if (path === 'package.json') return toManifest(text, plan);
  if (path === 'README.md') return toReadme(text.replace(/^# .*/, `# ${plan.name}`), plan.manager);
  return path === 'Dockerfile' ? toDockerfile(text, plan.manager) : text;
}

type Versions = Readonly<Record<string, string>>;

function toManifest(text: string, { name, version }: ProjectPlan): string {
  const manifest = JSON.parse(text) as { dependencies: Versions; devDependencies: Versions };
  const withOurs = (versions: Versions): Versions =>
    Object.fromEntries(Object.entries(versions).map(([one, range]) => [one, /^fulmar(?:-|$)/.test(one) ? `^${version}` : range]));
  const { dependencies, devDependencies } = manifest;
  const own = { ...manifest, name, dependencies: withOurs(dependencies), devDependencies: withOurs(devDependencies) };
  return `${JSON.stringify(own, undefined, 2)}\n`;
}
