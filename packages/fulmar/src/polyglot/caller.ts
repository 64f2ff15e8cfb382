/**
 * The folder of the file that calls, for specifiers that are relative to it. Looks at the stack, whose frames of our own
 * are skipped; `from` says it where that is not enough (`import.meta.url`).
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGlobal } from '../host/globals.ts';

/** Between us and who calls are few of ours, but perhaps many of libraries. */
const STACK_FRAMES_MAX = 50;

let own: string | undefined;

/** @param from a file, as path or URL, or a folder that ends with a slash */
export function callerFolder(from: string | undefined): string {
  if (from !== undefined) return dirname(from.startsWith('file:') ? fileURLToPath(from) : from.endsWith('/') ? `${from}x` : from);
  const file = callerFile();
  if (file !== undefined) return dirname(file);
  // In what was built all modules are one file, among ours or without a place: they are beside the built file.
  const { root } = (readGlobal('fulmar.bundle') ?? {}) as { readonly root?: string };
  return root === undefined ? process.cwd() : root || '/';
}

/** `undefined`: nobody of the stack is a file of the application's. */
export function callerFile(): string | undefined {
  own ??= dirname(fileURLToPath(import.meta.url));
  for (const found of filesOfStack()) {
    if (found.includes('node_modules/fulmar/')) continue;
    const file = found.startsWith('file:') ? fileURLToPath(found) : found;
    if (dirname(file) !== own) return file;
  }
  return undefined;
}

/** Of what runs, not of what it was compiled from: maps of ours name files that are elsewhere. */
function filesOfStack(): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = STACK_FRAMES_MAX;
  Error.prepareStackTrace = (_error, sites) => sites;
  const stack = new Error('where').stack as unknown;
  Error.stackTraceLimit = stackTraceLimit;
  if (prepareStackTrace === undefined) delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
  else Error.prepareStackTrace = prepareStackTrace;
  if (Array.isArray(stack)) {
    const files = (stack as NodeJS.CallSite[]).map((site) => site.getFileName());
    return files.filter((file): file is string => typeof file === 'string' && /^(?:file:\/\/)?\//.test(file));
  }
  // A host without sites has the text alone.
  const lines = String(stack).split('\n').slice(1);
  return lines.flatMap((line) => /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^():]+)(?::\d+){0,2}\)?$/.exec(line)?.[1] ?? []);
}
