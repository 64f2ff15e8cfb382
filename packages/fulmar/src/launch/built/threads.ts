/**
 * Threads and processes that start with a module of the built file: they are given the built file itself, and
 * told which module.
 *
 * Only in files that hold such modules. Other paths are left alone.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import workerThreads from 'node:worker_threads';
import type { BundleScope } from './types.ts';

const ENTRY_VARIABLE = 'FULMAR_BUILD_ENTRY';

export function redirectThreads(scope: BundleScope): void {
  const { Worker } = workerThreads;
  const find = createFinder(scope);
  const BundledWorker = class extends Worker {
    constructor(file: string | URL, options?: workerThreads.WorkerOptions) {
      const entry = options?.eval === true ? undefined : find(file);
      // As text: Node drops the query of a thread's file.
      if (entry === undefined) super(file, options);
      else super(toThread(scope, file, entry), { ...options, eval: true });
    }
  };
  Object.defineProperty(BundledWorker, 'name', { value: 'Worker' });
  Object.assign(workerThreads, { Worker: BundledWorker });
  const { fork } = childProcess;
  Object.assign(childProcess, {
    fork(file: string | URL, ...rest: unknown[]) {
      const entry = find(file);
      if (entry === undefined) return Reflect.apply(fork, childProcess, [file, ...rest]);
      const args = Array.isArray(rest[0]) ? rest[0] : [];
      const options = (rest.find((item) => item !== null && typeof item === 'object' && !Array.isArray(item)) ??
        {}) as childProcess.ForkOptions;
      return fork(scope.file, args as string[], { ...options, env: { ...(options.env ?? process.env), [ENTRY_VARIABLE]: entry } });
    },
  });
  syncBuiltinESMExports();
}

/** A thread's code: to the application it is the file that was named. */
function toThread({ file }: BundleScope, named: string | URL, entry: string): string {
  const url = `${pathToFileURL(file).href}?fulmar-entry=${entry}`;
  return `process.argv[1]=${JSON.stringify(toPath(named))};import(${JSON.stringify(url)});`;
}

function toPath(given: string | URL): string {
  return given instanceof URL || given.startsWith('file:') ? fileURLToPath(given) : resolve(given);
}

/** The entry for the place at which a source lay. */
function createFinder({ root, entries }: BundleScope): (file: unknown) => string | undefined {
  return (given) => {
    if (typeof given !== 'string' && !(given instanceof URL)) return undefined;
    const path = toPath(given);
    const name = path.slice(root.length + (root.endsWith(sep) ? 0 : 1)).replaceAll(sep, '/');
    return path.startsWith(root) && Object.hasOwn(entries, name) ? entries[name] : undefined;
  };
}
