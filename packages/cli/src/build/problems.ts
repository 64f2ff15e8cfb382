/**
 * What a build found that will not work, or not as under `fulmar run`: collected while modules are bundled,
 * told at the end.
 */
import { readFileSync } from 'node:fs';
import { CommandError } from '../errors.ts';
import { isDependency } from '../../../fulmar/src/launch/compile/resolve.ts';
import { placeOf, type Project, shown } from './project.ts';

export type Host = 'node' | 'native' | 'worker';

export type ProblemKind = 'missing' | 'native' | 'builtin';

interface Problem {
  readonly kind: ProblemKind;
  readonly specifier: string;
  readonly importer: string;
}

/** More lines of one kind of note than this are counted only. */
export const NOTES_MAX = 8;
/** Optional modules that are named. */
const OPTIONAL_MAX = 3;

export class Findings {
  readonly #project: Project;
  readonly #host: Host;
  readonly #importers = new Map<string, string>();
  readonly #problems = new Map<string, Problem & { readonly importers: Set<string> }>();
  readonly #leftOut = new Set<string>();
  readonly #unusable = new Set<string>();
  readonly #notes: string[] = [];

  /** What the file will run on decides what can be advised. */
  constructor(project: Project, host: Host) {
    this.#project = project;
    this.#host = host;
  }

  /** `importer` was the first that led to `file`. */
  found(file: string, importer: string | undefined): void {
    if (importer !== undefined && !this.#importers.has(file) && file !== this.#project.entry) this.#importers.set(file, importer);
  }

  problem(problem: Problem): void {
    const { kind, specifier, importer } = problem;
    // Node's modules are asked for by many, and the advice is the same for all of them.
    const key = kind === 'builtin' ? specifier.replace(/^node:/, '') : `${specifier}\n${importer}`;
    const known = this.#problems.get(key);
    if (known === undefined) this.#problems.set(key, { ...problem, importers: new Set([importer]) });
    else known.importers.add(importer);
  }

  /** A module whose absence is handled, or that is asked for in a call that may never be made. */
  leftOut(specifier: string): void {
    this.#leftOut.add(specifier);
  }

  /** A module of Node's that is there only so that whoever imports it loads. */
  unusable(specifier: string): void {
    this.#unusable.add(specifier.replace(/^node:/, ''));
  }

  /** A file of a package that this host needs in another form, in a version that is not known. */
  unadapted(file: string): void {
    this.note(`${file}: is not as in the versions that are adapted to the native host, and is taken as it is: try what uses it`);
  }

  note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes.push(text);
  }

  /** Throws when something is missing, unless that is allowed; returns what is worth a line. */
  settle(allowMissing: boolean): readonly string[] {
    const problems = [...this.#problems.values()].map((problem) => this.#describe(problem));
    if (problems.length > 0 && !allowMissing) {
      const advice = 'With --allow-missing each becomes an error of the call that asks for it.';
      throw new CommandError(
        'FULMAR_CLI_BUILD_MODULES',
        `${problems.length === 1 ? 'one module' : `${problems.length} modules`} cannot be bundled:\n\n${problems.join('\n\n')}\n\n${advice}`,
      );
    }
    const notes = [...this.#notes, ...problems.map((text) => `left out: ${text.trimStart()}`)];
    const more = notes.length - NOTES_MAX;
    const told = more > 0 ? [...notes.slice(0, NOTES_MAX), `and ${more} more notes`] : notes;
    const unusable = [...this.#unusable].sort();
    if (unusable.length > 0) told.push(`modules whose use fails on the native host: ${shorten(unusable)}`);
    const optional = [...this.#leftOut].sort();
    if (optional.length > 0) told.push(describeOptional(optional));
    return told;
  }

  #describe({ kind, specifier, importer, importers }: Problem & { readonly importers: ReadonlySet<string> }): string {
    const line = this.#host === 'worker' ? lineOf(specifier, importer) : '';
    const chain = this.#chain(importer).map((file, at) => `    imported by ${shown(file)}${at === 0 ? line : ''}`);
    const others = importers.size - 1;
    if (others > 0) chain.push(`    and by ${others} more ${others === 1 ? 'file' : 'files'}`);
    return `  ${specifier} ${reasonOf(kind, specifier, this.#host)}\n${chain.join('\n')}`;
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

const addonAdvice: Readonly<Record<Host, string>> = {
  node: 'Use a package in JavaScript or WebAssembly for it, or run the application with `fulmar run`.',
  native: 'Use a package in JavaScript for it (the native host has no WebAssembly), or run the application with `fulmar run`.',
  worker: 'Use a package in JavaScript or WebAssembly for it, or build for another target.',
};

const builtinAdvice: Readonly<Record<Host, string>> = {
  node: '',
  native:
    "is a module of Node's that the native host does not have.\n    Use a package that does without it, or build a file for Node: leave out --native.",
  worker:
    "is a module of Node's, which workers do not have.\n    Use a package that does without it, or give wrangler's configuration the flag nodejs_compat.",
};

/** `:line` where a file names a module; empty where it cannot be told. */
function lineOf(specifier: string, file: string): string {
  try {
    const before = readFileSync(file, 'utf8').split(new RegExp(`['"]${specifier.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}['"]`), 2);
    return before.length < 2 ? '' : `:${(before[0] as string).split('\n').length}`;
  } catch {
    return '';
  }
}

function reasonOf(kind: ProblemKind, specifier: string, host: Host): string {
  if (kind === 'native') return `is a native addon: its compiled file cannot be part of a bundle.\n    ${addonAdvice[host]}`;
  if (kind === 'builtin') return builtinAdvice[host];
  if (specifier.startsWith('.') || specifier.startsWith('/')) return 'does not exist.\n    Correct the path.';
  return `is not installed.\n    Run \`npm install ${packageOf(specifier)}\`, or remove the import.`;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Drivers and plug-ins come by the dozen: a few names say which package asks for them. */
function describeOptional(names: readonly string[]): string {
  if (names.length <= OPTIONAL_MAX) return `optional modules that are not there were left out: ${names.join(', ')}`;
  return `${names.length} optional modules that are not there were left out, such as ${names.slice(0, OPTIONAL_MAX).join(', ')}`;
}

export function shorten(names: readonly string[]): string {
  const more = names.length - NOTES_MAX;
  return more > 0 ? `${names.slice(0, NOTES_MAX).join(', ')} and ${more} more` : names.join(', ');
}
