/**
 * Threads that packages start by a computed name: pino's transports, which run in a thread of
 * `thread-stream`. What they are is known by the packages' own files and by the `target` of the application's
 * options; pino looks for them where bundlers say (`__bundlerPathsOverrides`).
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { placeOf, type Project } from './project.ts';

/** Files of packages that start a thread, and the file it starts with. */
const starters: Readonly<Record<string, string>> = { 'thread-stream/index.js': 'lib/worker.js' };
/** Files of packages that are told by name what to load in it, and what else they load there themselves. */
const loaders: Readonly<Record<string, readonly string[]>> = { 'pino/lib/transport.js': ['worker.js', '../file.js'] };

export class Transports {
  readonly #project: Project;
  readonly #targets = new Map<string, string>();
  /** Place → file, of what threads load. */
  readonly required = new Map<string, string>();
  #isAsked = false;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Name → place, of what the application names; empty where nobody loads by it. */
  get places(): Readonly<Record<string, string>> {
    return this.#isAsked ? Object.fromEntries([...this.#targets].map(([name, file]) => [name, placeOf(file, this.#project)])) : {};
  }

  /** Looks at a module that is bundled; `targets`: its options of that name. */
  look(file: string, targets: readonly string[], onEntry: (file: string) => void): void {
    const name = file.split(`${sep}node_modules${sep}`).at(-1)?.split(sep).join('/') ?? '';
    const starter = starters[name];
    if (starter !== undefined) onEntry(join(dirname(file), starter));
    for (const loaded of loaders[name] ?? []) {
      this.#isAsked = true;
      this.#require(join(dirname(file), loaded));
    }
    for (const target of targets) this.#target(target, file);
  }

  #target(name: string, importer: string): void {
    if (name.startsWith('pino/') || /^[./]|^\w+:/.test(name)) return;
    try {
      const file = createRequire(importer).resolve(name);
      this.#targets.set(name, file);
      this.#require(file);
    } catch {
      // Another option of that name, such as a proxy's.
    }
  }

  #require(file: string): void {
    if (existsSync(file)) this.required.set(placeOf(file, this.#project), file);
  }
}
