/**
 * The folder of the file that calls, for specifiers that are relative to it. Looks at the stack, whose frames of our own
 * are skipped; `from` says it where that is not enough (`import.meta.url`).
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

let own: string | undefined;

/** @param from a file, as path or URL, or a folder that ends with a slash */
export function callerFolder(from: string | undefined): string {
  if (from !== undefined) return dirname(from.startsWith('file:') ? fileURLToPath(from) : from.endsWith('/') ? `${from}x` : from);
  own ??= dirname(fileURLToPath(import.meta.url));
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n').slice(1)) {
    const found = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^():]+)(?::\d+){0,2}\)?$/.exec(line)?.[1];
    if (found === undefined || found.includes('node_modules/fulmar/')) continue;
    const file = found.startsWith('file:') ? fileURLToPath(found) : found;
    if (dirname(file) !== own) return dirname(file);
  }
  return process.cwd();
}
