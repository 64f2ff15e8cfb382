/**
 * What lives on when the module that has made it is loaded anew: sessions in memory, of `memorySessions()` and of
 * express-session's `MemoryStore`. Told apart by the file that makes them, and by their order there.
 */
import { sep } from 'node:path';
import { setGlobal } from '../host/globals.ts';
import type { ModuleGraph } from './graph.ts';
import { ownerOf } from './owners.ts';

/** More stores than this are made for each request, or by a loop: those beyond are not kept. */
const KEPT_MAX = 1_000;

type Keep = <Value extends object>(kind: string, make: () => Value) => Value;

export function keepSessions(graph: ModuleGraph): void {
  const kept = new Kept();
  const keep: Keep = (kind, make) => {
    const owner = ownerOf(graph, keep);
    return owner === undefined ? make() : kept.take(`${kind}:${owner}`, graph.versionOf(owner), make);
  };
  setGlobal('fulmar.kept', keep);
  keepExpressSessions(keep);
}

class Kept {
  readonly #values = new Map<string, object>();
  /** How many of a name a version of its file has made. */
  readonly #counts = new Map<string, { version: number; count: number }>();

  take<Value extends object>(name: string, version: number, make: () => Value): Value {
    const counted = this.#counts.get(name);
    const count = counted?.version === version ? counted.count + 1 : 0;
    this.#counts.set(name, { version, count });
    const key = `${count}:${name}`;
    const known = this.#values.get(key) as Value | undefined;
    if (known !== undefined) return known;
    const made = make();
    if (this.#values.size < KEPT_MAX) this.#values.set(key, made);
    return made;
  }
}

const MEMORY_STORE = ['express-session', 'session', 'memory.js'].join(sep);

/** Its constructor assigns `sessions`: the prototype's property of that name is asked, and gives those of before. */
function keepExpressSessions(keep: Keep): void {
  const { prototype } = process.getBuiltinModule('node:module') as unknown as {
    prototype: { load(this: { exports: unknown }, filename: string): void };
  };
  const { load } = prototype;
  prototype.load = function loadFile(filename) {
    load.call(this, filename);
    if (!filename.endsWith(sep + MEMORY_STORE) || typeof this.exports !== 'function') return;
    Object.defineProperty(this.exports.prototype, 'sessions', {
      configurable: true,
      set(this: object, value: object) {
        Object.defineProperty(this, 'sessions', {
          value: keep('express-session', () => value),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      },
    });
  };
}
