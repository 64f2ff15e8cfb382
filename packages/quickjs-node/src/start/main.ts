/**
 * Starts the application: what the executable carries, or the file that `run` names.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import type { Loader } from './loader.ts';

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

function runFunction(run: NonNullable<ReturnType<typeof ops.load>>, file: string, loader: Loader): unknown {
  const module = { exports: {} };
  run.call(module.exports, module.exports, loader.builtin, module, file, file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  return module.exports;
}

/** `src/launch/built/native/application.ts`: what bundles made by `fulmar build --native` call. */
function prepareApplication(loader: Loader): void {
  loader.internal(later.file<typeof import('../../../fulmar/src/launch/built/native/application.ts')>()).prepare(loader, ops.execPath());
}
