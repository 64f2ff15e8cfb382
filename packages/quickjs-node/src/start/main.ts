/**
 * Starts the application: what the executable carries, or the file that `run` names.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import type { Loader } from './loader.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';

export function main(loader: Loader): unknown {
  // Also without an application: what `run` is given may be a bundle.
  prepareApplication(loader);
  const carried = ops.main();
  const [, ...words] = ops.argv();
  if (carried !== undefined) {
    process.argv = [process.execPath, process.execPath, ...words];
    return typeof carried === 'function' ? runFunction(carried, 'main', loader) : carried;
  }
  const [command, given, ...rest] = words;
  if (command !== 'run' || given === undefined) throw new Error('run <file> expected');
  const file = given.startsWith('/') ? given : `${process.cwd()}/${given.replace(/^(?:\.\/)+/, '')}`;
  process.argv = [process.execPath, file, ...rest];
  const source = ops.readText(file);
  return file.endsWith('.mjs') ? ops.runModule(file, source) : runFunction(ops.compile(file, source), file, loader);
}

type ModuleFunction = NonNullable<ReturnType<typeof ops.load>>;

function runFunction(run: ModuleFunction, file: string, loader: Loader): unknown {
  const module = { exports: {} };
  const require = withParts(loader, module);
  run.call(module.exports, module.exports, require, module, file, file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  return module.exports;
}

/**
 * `require` of a bundle that is in parts (`packages/cli/src/build/native/bundle.ts`): each is read, and run, when it is first
 * asked for; parts know each other, and the first one, by `./<name>`.
 */
function withParts(loader: Loader, main: { exports: unknown }): (id: string) => unknown {
  const scope = readGlobal('fulmar.bundle') as { part?: (id: string) => unknown };
  const loaded = new Map<string, { exports: unknown }>([['./main.js', main]]);
  const require = (id: string): unknown => {
    const known = loaded.get(id);
    if (known !== undefined) return known.exports;
    const run = id.startsWith('./') ? ops.load(`code/${id.slice('./'.length)}`) : undefined;
    if (run === undefined) return loader.builtin(id);
    const module = { exports: {} };
    loaded.set(id, module);
    let isDone = false;
    try {
      run.call(module.exports, module.exports, require, module, id, '');
      isDone = true;
    } finally {
      // As of a module of Node's that throws: the next one who asks runs it again.
      if (!isDone) loaded.delete(id);
    }
    return module.exports;
  };
  // For parts whose names are computed.
  scope.part = require;
  return require;
}

/** `src/launch/built/native/application.ts`: what bundles made by `fulmar build --native` call. */
function prepareApplication(loader: Loader): void {
  loader.internal(later.file<typeof import('../../../fulmar/src/launch/built/native/application.ts')>()).prepare(loader, ops.execPath());
}
