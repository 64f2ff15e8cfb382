/**
 * What becomes of the files that modules name by static paths: a dependency's are embedded, when they are not
 * too many; of others the line is told that would embed them. An application's own files may be meant to lie
 * beside the built file.
 */
import { statSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { isDependency } from '../../../fulmar/src/launch/compile/resolve.ts';
import { type Asset, filesOf, isSourceFile, toAsset } from './assets.ts';
import { NOTES_MAX, shorten } from './problems.ts';
import { placeOf, type Project, shown } from './project.ts';

/** A folder of a dependency that holds more is not embedded unless that is asked for. */
const FOLDER_BYTES_MAX = 16 * 1_024 * 1_024;
const FOLDER_FILES_MAX = 500;

/** What only tells about a package, and is in its folder for its readers. */
const isAboutPackage = (path: string): boolean =>
  /(?:^|[\\/])(?:package\.json|readme\b.*|licen[sc]e\b.*|changelog\b.*)$|\.(?:map|d\.[cm]?ts)$/i.test(path);

export class FoundFiles {
  readonly #project: Project;
  readonly #named: readonly Asset[];
  readonly #included: ReadonlySet<string>;
  readonly #assets = new Map<string, Asset>();
  /** What was not embedded, with who names it. */
  readonly #told = new Map<string, string>();

  constructor(project: Project, named: readonly Asset[]) {
    this.#project = project;
    this.#named = named;
    this.#included = new Set(named.map(({ place }) => place));
  }

  /** `file` names `path`, which is relative to its folder. */
  look(file: string, path: string): void {
    const named = resolve(dirname(file), path);
    const stat = statSync(named, { throwIfNoEntry: false });
    if (stat?.isFile() === true) this.#file(file, named);
    else if (stat?.isDirectory() === true) this.#folder(file, named);
  }

  /** All that is embedded, with what `--include` named, in the order of places. */
  get assets(): readonly Asset[] {
    return [...this.#named, ...this.#assets.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
  }

  /** Whether `--include` named something. */
  get hasNamed(): boolean {
    return this.#named.length > 0;
  }

  /** A line for each file and folder that is not embedded, as long as they are few. */
  get notes(): readonly string[] {
    const all = [...this.#told];
    const lines = all.slice(0, NOTES_MAX).map(([named, file]) => {
      const path = shown(named);
      // What is required in a package by computed names, its users do not know.
      const modules = !isDependency(named) && hasSources(named) ? ` (with --require ${path} for the modules in it)` : '';
      return `${shown(file)} names ${path}, which is not embedded; if it reads it: --include ${path}${modules}`;
    });
    const rest = all.slice(NOTES_MAX).map(([named]) => shown(named));
    return rest.length === 0 ? lines : [...lines, `likewise, of what is named by other modules: ${shorten(rest)}`];
  }

  #file(file: string, named: string): void {
    // Code that is required is bundled; a manifest tells a version.
    if (isSourceFile(named) && extname(named) !== '.json') return;
    if (extname(named) === '.node' || this.#isIncluded(named)) return;
    if (isDependency(file) && isDependency(named)) this.embed(named);
    else if (!isAboutPackage(named)) this.#tell(named, file);
  }

  #folder(file: string, named: string): void {
    if (isOutside(named, file, this.#project)) return;
    const files = [...filesOf(named)].filter((path) => !isAboutPackage(path));
    if (files.every((path) => this.#isIncluded(path))) return;
    if (!isDependency(file)) return this.#tell(named, file);
    const data = files.filter((path) => !isSourceFile(path) || extname(path) === '.json');
    if (data.length === 0) return;
    const bytes = data.reduce((sum, path) => sum + statSync(path).size, 0);
    if (data.length > FOLDER_FILES_MAX || bytes > FOLDER_BYTES_MAX || isPackageItself(named)) this.#tell(named, file);
    else for (const path of data) this.embed(path);
  }

  #isIncluded(path: string): boolean {
    return this.#included.has(placeOf(path, this.#project));
  }

  embed(path: string): void {
    this.#assets.set(path, toAsset(path, this.#project));
  }

  #tell(named: string, file: string): void {
    if (!this.#told.has(named)) this.#told.set(named, file);
  }
}

/** A folder above the module's package or application says nothing about what is read there. */
function isOutside(named: string, file: string, { root }: Project): boolean {
  if (!isDependency(file)) return relative(named, root) === '' || relative(root, named).startsWith('..');
  return packageFolder(named) === '' || packageFolder(named) !== packageFolder(file);
}

const packageFolder = (path: string): string => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? '';

const isPackageItself = (path: string): boolean => packageFolder(path) === path;

function hasSources(named: string): boolean {
  return statSync(named).isDirectory() && [...filesOf(named)].some((path) => isSourceFile(path) && extname(path) !== '.json');
}
