/**
 * Why a file of routes could not be loaded, with the file and the line: what its module throws, what does not parse, what it
 * imports that is not there. Keeps the error itself as the cause.
 */
import { pathToFileURL } from 'node:url';
import type { FileRoute } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';

/** `path`: absolute. */
export function loadError(error: unknown, { file }: FileRoute, path: string): RouteFileError {
  if (error instanceof RouteFileError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const line = lineIn(error, path);
  const first = message.split('\n')[0] ?? '';
  const loops = error instanceof ReferenceError && first.endsWith(' before initialization') ? ' (do modules import each other?)' : '';
  return new RouteFileError(
    `could not be loaded: ${first}${loops}${placeOf(error, line)}`,
    [line === undefined ? file : `${file}:${line}`],
    { cause: error },
  );
}

/** Of the file itself: of what does not parse it stands first, of what is thrown in a frame. */
function lineIn(error: unknown, path: string): string | undefined {
  const { stack } = error as { stack?: unknown };
  if (typeof stack !== 'string') return undefined;
  for (const name of [pathToFileURL(path).href, path]) {
    const at = stack.indexOf(`${name}:`);
    const line = at === -1 ? null : /^\d+/.exec(stack.slice(at + name.length + 1));
    if (line !== null) return line[0];
  }
  return undefined;
}

/** Of another file, which it imports. */
function placeOf(error: unknown, line: string | undefined): string {
  const { stack } = error as { stack?: unknown };
  const [, first] = (typeof stack === 'string' && /(?:^|\(|at )((?:file:\/\/)?\/[^\s()]+:\d+)/m.exec(stack)) || [];
  return line !== undefined || first === undefined || /\/(?:node_modules|fulmar\/(?:dist|src))\//.test(first) ? '' : ` (${first})`;
}
