/**
 * `node:fs/promises`
 */
import later from 'fulmar:later';
import type * as NodeFs from 'node:fs';
import { type Options, optionsOf } from './arguments.ts';
import { constants } from './constants.ts';
import { FileHandle, openHandle } from './handle.ts';
import * as plans from './plans.ts';
import { promised, throwIfAborted } from './run.ts';
import { table } from './table.ts';
import { unsupported } from '../shared/errors.ts';
import type { Trees } from './trees.later.ts';

const trees = (): Trees => later<typeof import('./trees.later.ts')>() as Trees;
const promises: Record<string, unknown> = {};

for (const name of Object.keys(table)) {
  const line = table[name];
  if (line === undefined || line.byDescriptor === true) continue;
  promises[name] = Object.defineProperty(async (...args: unknown[]) => promised(line.plan(...args)), 'name', { value: name });
}

async function readFile(path: unknown, given?: unknown): Promise<Buffer | string> {
  const options = optionsOf(given, { flag: 'r' });
  if (path instanceof FileHandle) return path.readFile(options);
  throwIfAborted(options.signal);
  const content = await promised({ ...plans.readFile(path, options), namesFolder: true });
  throwIfAborted(options.signal);
  return content;
}

function isIterable(data: unknown): data is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return false;
  return Symbol.asyncIterator in data || Symbol.iterator in data;
}

async function writeFile(path: unknown, data: unknown, given?: unknown): Promise<void> {
  const options = optionsOf(given, { encoding: 'utf8', mode: 0o666, flag: 'w' });
  if (path instanceof FileHandle) return path.writeFile(data, options);
  throwIfAborted(options.signal);
  if (!isIterable(data)) {
    await promised(plans.writeFile(path, data, options));
    throwIfAborted(options.signal);
    return;
  }
  const handle = await openHandle(path, options.flag, options.mode);
  try {
    await handle.writeFile(data, options);
  } finally {
    await handle.close();
  }
}

Object.assign(promises, {
  appendFile: async (path: unknown, data: unknown, given?: unknown) => writeFile(path, data, { flag: 'a', ...optionsOf(given) }),
  cp: async (from: unknown, to: unknown, options?: unknown) => trees().copy(from, to, options),
  glob: (pattern: unknown, options?: unknown) => trees().glob(pattern, options),
  lchmod: async () => {
    throw Object.assign(new Error('The lchmod() method is not implemented'), { code: 'ERR_METHOD_NOT_IMPLEMENTED' });
  },
  mkdtempDisposable: async (prefix: unknown, given?: unknown) => {
    const path = await promised(plans.mkdtemp(prefix, optionsOf(given)));
    const remove = (): Promise<void> => trees().remove(path, { recursive: true, force: true, maxRetries: 0, retryDelay: 100 });
    return { path, remove, [Symbol.asyncDispose]: remove };
  },
  open: openHandle,
  opendir: async (path: unknown, options?: unknown) => trees().openFolder(path, options),
  readFile,
  realpath: async (path: unknown, given?: Options) => promised(plans.realpath(path, optionsOf(given))),
  rm: async (path: unknown, given?: unknown) => trees().remove(path, plans.rmOptions(given)),
  watch: () => {
    throw unsupported('fs.promises.watch', 'use fs.watchFile, or watch from outside of the application');
  },
  writeFile,
  constants,
});

export default promises as unknown as typeof NodeFs.promises;
