/**
 * Where classes stand in sources, for what is wrong with them: noted when the first decorator of a class runs, read when
 * there is an error. The text of a stack is made no earlier. In built files nothing is noted: their lines are nobody's.
 */
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGlobal } from '../../host/globals.ts';

/** The helper that compiled decorators call, its callers and `applyDecorators()` stand between. */
const FRAMES_MAX = 10;
/** `at Module.<anonymous> (file:///app/cats.ts:7:1)`, `at /app/cats.ts:7:1`. */
const FRAME = /^\s*at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):\d+\)?$/;
/** Of TypeScript's and oxc's helpers, and of `reflect-metadata`. */
const HELPER = /decorat/i;
const HELPER_FILE = /[\\/]node_modules[\\/](?:tslib|reflect-metadata|@oxc-project|@swc)[\\/]/;

const stacks = new WeakMap<Function, { readonly stack?: string }>();

/** `decorator`: the function that was called, which is not shown. */
export function notePlace(target: Function, decorator: Function): void {
  if (stacks.has(target) || typeof Error.captureStackTrace !== 'function' || readGlobal('fulmar.bundle') !== undefined) return;
  const { stackTraceLimit } = Error;
  const holder: { stack?: string } = {};
  Error.stackTraceLimit = FRAMES_MAX;
  Error.captureStackTrace(holder, decorator);
  Error.stackTraceLimit = stackTraceLimit;
  stacks.set(target, holder);
}

/** A file and its line, or null where that is not known. */
function placeOf(target: Function): string | null {
  for (const line of stacks.get(target)?.stack?.split('\n') ?? []) {
    const [, name = '', url = '', row = ''] = FRAME.exec(line) ?? [];
    if (url === '' || HELPER.test(name) || HELPER_FILE.test(url)) continue;
    return `${shown(url.startsWith('file:') ? fileURLToPath(url) : url)}:${row}`;
  }
  return null;
}

function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** A line for each class whose place is known, to stand behind a message. */
export function placesOf(targets: readonly (Function | null | undefined)[]): string {
  const lines = [...new Set(targets)].flatMap((one) => {
    const place = one === null || one === undefined ? null : placeOf(one);
    return place === null ? [] : [`\n  ${(one as Function).name || 'an unnamed class'}: ${place}`];
  });
  return lines.join('');
}
