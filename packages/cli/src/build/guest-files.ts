/**
 * Files of other languages in what is built: those that calls of `fulmar/polyglot` name by literals and that modules import,
 * with what they import of their own folder, are embedded; the libraries of the guests come along where they are used.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { guestEnding, guestEndings, javaRoot } from '../../../fulmar/src/host/guest-files.ts';
import { findPart, guestPart } from '../../../fulmar/src/launch/installed/installed.ts';
import { type Asset, filesOf } from './assets.ts';
import type { FoundFiles } from './found-files.ts';
import { placeOf, type Project, shown } from './project.ts';
import { API } from './scan.ts';
import type { Findings } from './problems.ts';
import type { Target, TargetModule } from './target.ts';

/** Modules that stand for such files begin with this. */
export const GUEST_MODULE = '\0fulmar:guest:';

/** Where an executable has a guest's library, as a file that is embedded; `exchange/addon.ts` looks there. */
const LIBRARY_FOLDER = '.fulmar';

/** What a line of Python imports; members in parentheses may be on several. */
const PYTHON_IMPORT = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\((?:#[^\n]*|[^)#])*|[^#\n]+)|import[ \t]+([\w., \t]+))/gm;

/** What a line of Ruby loads from beside its file. */
const RUBY_REQUIRE = /^[ \t]*require_relative[ \t(]+['"]([^'"\n]+)['"]/gm;

interface Embedding {
  readonly found: FoundFiles;
  readonly findings: Findings;
  readonly target: Target;
  readonly project: Project;
}

/** `path`, relative to the module `file`, is embedded, and what it imports of its own folder. */
export function embedGuestFile(file: string, path: string, { found, findings, target, project }: Embedding): void {
  const start = resolve(dirname(file), path);
  const waiting = filesNamed(start);
  if (waiting.length === 0) {
    findings.note(`${shown(file)} names ${path}, and there is no such file`);
    return;
  }
  const isClasses =
    statSync(start, { throwIfNoEntry: false })?.isDirectory() === true && waiting.every((one) => guestEnding(one) !== '.py');
  if (target.keepsFilesWithin === true && isClasses) {
    const place = placeOf(start, project);
    findings.note(`${shown(file)} names ${path}, a folder of classes: it has to lie beside the executable, as ${place}; a jar is embedded`);
    return;
  }
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    found.embed(next);
    if (guestEnding(next) === '.py') waiting.push(...importedByPython(next, dirname(start)));
    if (guestEnding(next) === '.rb') waiting.push(...requiredByRuby(next));
    if (guestEnding(next) === '.java') waiting.push(...usedByJava(next));
  }
}

/** A file; those of a folder with classes; modules of a package of Python; `lib/*`: the archives of a folder. */
function filesNamed(path: string): string[] {
  if (path.endsWith(`${sep}*`)) {
    const folder = dirname(path);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.endsWith('.jar')).map((name) => join(folder, name));
  }
  if (!existsSync(path)) return [];
  const files = [...filesOf(path)];
  return existsSync(join(path, '__init__.py')) ? files.filter((one) => guestEnding(one) === '.py') : files;
}

/** Files beside one of Python's, or below `root`, that it imports. What it loads in other ways is named by `--include`. */
function importedByPython(file: string, root: string): string[] {
  const folder = dirname(file);
  const names: string[] = [];
  for (const [, from, what = '', plain] of readFileSync(file, 'utf8').matchAll(PYTHON_IMPORT)) {
    if (plain !== undefined) names.push(...plain.split(',').map(firstWord));
    else if (from !== undefined) {
      names.push(from);
      // `from . import a as b, c`
      const members = what
        .replaceAll(/#[^\n]*|[()]/g, '')
        .split(',')
        .map(firstWord)
        .filter((one) => one !== '');
      names.push(...members.map((one) => (from.endsWith('.') ? from + one : `${from}.${one}`)));
    }
  }
  // Names without dots begin where the program does, those with dots here.
  const folders = (name: string): readonly string[] => (name.startsWith('.') || root === folder ? [folder] : [folder, root]);
  return names.flatMap((name) => folders(name).flatMap((one) => moduleFiles(one, name)));
}

/** Files beside one of Ruby's that it requires. */
function requiredByRuby(file: string): string[] {
  const paths = Array.from(readFileSync(file, 'utf8').matchAll(RUBY_REQUIRE), ([, path = '']) => resolve(dirname(file), path));
  return paths.map((path) => (path.endsWith('.rb') ? path : `${path}.rb`)).filter((path) => existsSync(path));
}

/** Sources of classes that one of Java's may use: those below where its packages begin whose names are in it. */
function usedByJava(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const words = new Set(text.match(/\w+/g));
  return [...filesOf(javaRoot(dirname(file), text))].filter((path) => guestEnding(path) === '.java' && words.has(basename(path, '.java')));
}

const firstWord = (text: string): string => text.trim().split(/\s/)[0] ?? '';

function moduleFiles(folder: string, name: string): string[] {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const base = dots > 1 ? resolve(folder, ...Array.from({ length: dots - 1 }, () => '..')) : folder;
  const parts = name
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const files: string[] = [];
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = join(base, ...parts.slice(0, depth));
    files.push(...[`${path}.py`, join(path, '__init__.py')].filter((one) => existsSync(one)));
  }
  return files;
}

/** A module whose default export is the lazy handle of a file, as `fulmar run` has it. */
export function guestModule(file: string, kind: string, project: Project): TargetModule {
  const made = `Polyglot.import(${API}.place(${JSON.stringify(placeOf(file, project).replaceAll(sep, '/'))}));`;
  const isScript = kind === 'require-call';
  const code = isScript
    ? `module.exports = require('fulmar/polyglot').${made}`
    : `import { Polyglot } from 'fulmar/polyglot';\nexport default ${made}`;
  return { id: `${GUEST_MODULE}${isScript ? 'script:' : ''}${file}:`, code };
}

/** The libraries of all guests that this installation has, as embedded files. */
export function guestLibraries(dist: string, project: Project): readonly Asset[] {
  return embedded([...new Set(Object.values(guestEndings))].map(guestPart), dist, project);
}

/** Does this code ask for languages in processes of their own? It may mean something else by the word. */
export const asksForProcesses = (code: string): boolean => /\bisolated\s*[(:]/.test(code);

/** What starts processes, and what runs in them. */
export function processParts(dist: string, project: Project): readonly Asset[] {
  return embedded(['isolated', 'worker'].map(guestPart), dist, project);
}

function embedded(parts: readonly ReturnType<typeof guestPart>[], dist: string, project: Project): readonly Asset[] {
  return parts.flatMap((part) => {
    const { file, problem } = findPart(dist, part, project.entry);
    return problem === null ? [{ place: `${LIBRARY_FOLDER}/${basename(file)}`, file, bytes: statSync(file).size, mtimeMs: 0 }] : [];
  });
}
