/**
 * Listeners of `process` that a module has added go when that module is loaded anew, which adds them again. Those of
 * packages called by it too; those that nobody of the application has added stay.
 */
import type { ModuleGraph } from './graph.ts';
import { ownerOf } from './owners.ts';

interface Added {
  readonly owner: string;
  readonly event: string | symbol;
  readonly listener: (...args: never[]) => void;
}

const METHODS = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'] as const;
/** A module that adds more has a leak of its own; those beyond are not followed. */
const LISTENERS_MAX = 10_000;

export class ProcessListeners {
  #added: Added[] = [];

  constructor(graph: ModuleGraph) {
    const note = (callee: Function, event: string | symbol, listener: Added['listener']): void => {
      const owner = this.#added.length < LISTENERS_MAX ? ownerOf(graph, callee) : undefined;
      if (owner !== undefined) this.#added.push({ owner, event, listener });
    };
    for (const name of METHODS) {
      const original = process[name] as (event: string | symbol, listener: Added['listener']) => NodeJS.Process;
      const replaced = function add(this: NodeJS.Process, event: string | symbol, listener: Added['listener']): NodeJS.Process {
        note(replaced, event, listener);
        return original.call(this, event, listener);
      };
      Object.defineProperty(process, name, { value: replaced, configurable: true, writable: true });
    }
  }

  removeOf(files: ReadonlySet<string>): void {
    const old = this.#added.filter(({ owner }) => files.has(owner));
    if (old.length === 0) return;
    this.#added = this.#added.filter(({ owner }) => !files.has(owner));
    for (const { event, listener } of old) process.off(event as string, listener as never);
  }
}
