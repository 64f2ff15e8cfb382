/**
 * What is printed before the process ends by an error that nobody caught: the source line with a caret, the
 * error as `inspect` shows it, the host's version.
 */
import ops from 'fulmar:ops';
import { inspected } from '../shared/errors.ts';

interface Place {
  file: string;
  line: number;
  column: number;
}

/** So much of the limit is as good as all. */
const NEARLY = 0.8;

export function printFatal(error: unknown): void {
  let text: string;
  try {
    text = describe(error);
  } catch {
    // Even inspecting failed.
    text = `Uncaught:\n${String((error as { stack?: unknown } | undefined)?.stack ?? error)}\n`;
  }
  ops.writeSync(2, `${text}${memoryHint(error)}\nFulmar v${ops.version} (native)\n`);
}

/** Said where the error itself may not say it: there is no memory left for more. */
function memoryHint(error: unknown): string {
  const limit = Number(process.env['FULMAR_NATIVE_MEMORY_LIMIT_MB'] ?? 0);
  if (limit === 0) return '';
  const message = (error as Error | null)?.message ?? '';
  // A promise is rejected with null when there was no memory for the error.
  const isSaid = message === 'out of memory' || message.endsWith('rejected with the reason "null".');
  if (!isSaid && ops.heap()[0] < limit * NEARLY * 2 ** 20) return '';
  return `\nJavaScript's memory is used up: the limit is ${limit} MB (FULMAR_NATIVE_MEMORY_LIMIT_MB)\n`;
}

function describe(error: unknown): string {
  const stack = typeof error === 'object' && error !== null ? (error as { stack?: unknown }).stack : undefined;
  if (typeof stack !== 'string') {
    return `Uncaught:\n${inspected(error)}\n`;
  }
  const place = placeOf(stack);
  const source = place === undefined ? '' : sourceOf(place);
  return `${source}${inspected(error, { colors: false })}\n`;
}

/** The first line of the stack that is the application's. */
function placeOf(stack: string): Place | undefined {
  for (const line of stack.split('\n')) {
    const match = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    const [, file, row, column] = match ?? [];
    if (file === undefined || file.startsWith('node:')) continue;
    return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** `file:line`, the line, a caret; nothing when the source is not at hand. */
function sourceOf({ file, line, column }: Place): string {
  let text: string | undefined;
  try {
    text = ops.readText(file).split('\n')[line - 1];
  } catch {
    return '';
  }
  if (text === undefined) return '';
  // V8 points at `throw`, not at what is thrown.
  const before = /\bthrow\s+(?:new\s+)?$/.exec(text.slice(0, column - 1));
  const at = before === null ? column - 1 : before.index;
  const indent = text.slice(0, at).replaceAll(/[^\t]/g, ' ');
  return `${file}:${line}\n${text}\n${indent}^\n\n`;
}
