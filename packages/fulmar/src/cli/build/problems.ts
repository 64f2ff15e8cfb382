/**
 * What a build found that will not work, or not as under `fulmar run`: collected while modules are bundled, told at the end.
 */
import { CliError } from '../errors.ts';
import { isDependency } from '../resolve.ts';
import { placeOf, type Project, shown } from './project.ts';

export type ProblemKind = 'missing' | 'native';

interface Problem {
  readonly kind: ProblemKind;
  readonly specifier: string;
  readonly importer: string;
}

/** More lines of one kind of note than this are counted only. */
const NOTES_MAX = 8;

export class Findings {
  readonly #project: Project;
  readonly #importers = new Map<string, string>();
  readonly #problems = new Map<string, Problem>();
  readonly #leftOut = new Set<string>();
  readonly #notes: string[] = [];

  constructor(project: Project) {
    this.#project = project;
  }

  /** `importer` was the first that led to `file`. */
  found(file: string, importer: string | undefined): void {
    if (importer !== undefined && !this.#importers.has(file) && file !== this.#project.entry) this.#importers.set(file, importer);
  }

  problem(problem: Problem): void {
    this.#problems.set(`${problem.specifier}\n${problem.importer}`, problem);
  }

  /** A module whose absence is handled, or that is asked for in a call that may never be made. */
  leftOut(specifier: string): void {
    this.#leftOut.add(specifier);
  }

  note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes.push(text);
  }

  /** Throws when something is missing, unless that is allowed; returns what is worth a line. */
  settle(allowMissing: boolean): readonly string[] {
    const problems = [...this.#problems.values()].map((problem) => this.#describe(problem));
    if (problems.length > 0 && !allowMissing) {
      const advice = 'With --allow-missing each becomes an error of the call that asks for it.';
      throw new CliError(
        'FULMAR_CLI_BUILD_MODULES',
        `${problems.length === 1 ? 'one module' : `${problems.length} modules`} cannot be bundled:\n\n${problems.join('\n\n')}\n\n${advice}`,
      );
    }
    const notes = [...this.#notes, ...problems.map((text) => `left out, as --allow-missing says: ${text}`)];
    const more = notes.length - NOTES_MAX;
    const told = more > 0 ? [...notes.slice(0, NOTES_MAX), `and ${more} more notes`] : notes;
    const optional = [...this.#leftOut].sort();
    if (optional.length > 0) told.push(`optional modules that are not installed were left out: ${shorten(optional)}`);
    return told;
  }

  #describe({ kind, specifier, importer }: Problem): string {
    const chain = this.#chain(importer).map((file) => `    imported by ${shown(file)}`);
    const reason =
      kind === 'native'
        ? 'is a native addon: its compiled file cannot be part of a bundle.\n    Use a package in JavaScript or WebAssembly for it, or run the application with `fulmar run`.'
        : specifier.startsWith('.') || specifier.startsWith('/')
          ? 'does not exist.\n    Correct the path.'
          : `is not installed.\n    Run \`npm install ${packageOf(specifier)}\`, or remove the import.`;
    return `  ${specifier} ${reason}\n${chain.join('\n')}`;
  }

  #chain(importer: string): string[] {
    const chain: string[] = [];
    for (let file: string | undefined = importer; file !== undefined && !chain.includes(file); file = this.#importers.get(file))
      chain.push(file);
    return chain;
  }

  /** Is a file the application's own, not a dependency's? */
  isOwn(file: string): boolean {
    return !isDependency(file) && !placeOf(file, this.#project).includes('node_modules/');
  }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function shorten(names: readonly string[]): string {
  const more = names.length - NOTES_MAX;
  return more > 0 ? `${names.slice(0, NOTES_MAX).join(', ')} and ${more} more` : names.join(', ');
}
