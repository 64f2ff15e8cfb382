/**
 * The host's own modules: Node's (`node/<name>.cjs`), Fulmar's (`fulmar/<name>.cjs`) and what both share.
 * Each is loaded when it is first required.
 */
import type { LateFile } from 'fulmar:later';
import type { Ops } from 'fulmar:ops';

interface Loaded {
  exports: unknown;
}

export interface Loader {
  /**
   * One of Node's or Fulmar's modules by the name an application uses (`node:fs`, `fs`, `fulmar/express`);
   * throws when there is none.
   */
  builtin(id: string): unknown;
  isBuiltin(id: string): boolean;
  /** One of the host's modules by its file name. */
  internal<Module>(file: LateFile<Module>): Module;
}

/** Fulmar's modules that applications import. */
const ours: ReadonlySet<string> = new Set([
  'app',
  'middleware',
  'openapi',
  'types',
  'rpc',
  'routes',
  'polyglot',
  'polyglot-global',
  'lib-project',
  'controllers',
  'controllers-openapi',
  'http',
  'express',
  'express4',
  'koa',
  'koa2',
]);

export function createLoader(ops: Ops): Loader {
  const loaded = new Map<string, Loaded>();

  function internal<Module>(name: LateFile<Module>): Module {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports as Module;
    const run = ops.load(name);
    if (run === undefined) throw notFound(name);
    const module: Loaded = { exports: {} };
    loaded.set(name, module);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    let done = false;
    try {
      run.call(module.exports, module.exports as object, (id) => required(id, folder), module, name, folder);
      done = true;
    } finally {
      if (!done) loaded.delete(name);
    }
    return module.exports as Module;
  }

  function required(id: string, folder: string): unknown {
    if (id === 'fulmar:ops') return ops;
    if (id === 'fulmar:later') return internal;
    return id.startsWith('.') ? internal(joined(folder, id)) : builtin(id);
  }

  function fileOf(id: string): string | undefined {
    if (id === 'fulmar') return 'fulmar/app.cjs';
    if (id.startsWith('fulmar/')) {
      const name = id.slice('fulmar/'.length);
      return ours.has(name) ? `fulmar/${name}.cjs` : undefined;
    }
    const file = `node/${id.startsWith('node:') ? id.slice('node:'.length) : id}.cjs`;
    return ops.has(file) ? file : undefined;
  }

  function builtin(id: string): unknown {
    const file = fileOf(id);
    if (file === undefined) throw notFound(id);
    const exports = internal(file) as { __esModule?: boolean; default?: unknown };
    // A module of ours is written as an ES module whose default export is what `require` gives.
    return file.startsWith('node/') && exports.__esModule === true ? exports.default : exports;
  }

  return { builtin, isBuiltin: (id) => fileOf(id) !== undefined, internal };
}

/** `folder` is empty or ends with a slash. */
function joined(folder: string, id: string): string {
  let base = folder;
  let rest = id;
  for (;;) {
    if (rest.startsWith('./')) rest = rest.slice('./'.length);
    else if (rest.startsWith('../')) {
      rest = rest.slice('../'.length);
      base = base.slice(0, base.lastIndexOf('/', base.length - 2) + 1);
    } else return base + rest;
  }
}

function notFound(id: string): Error {
  return Object.assign(new Error(`Cannot find module '${id}': it is neither in the application nor in the native runtime`), {
    code: 'MODULE_NOT_FOUND',
  });
}
