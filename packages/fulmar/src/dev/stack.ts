/**
 * The frames of a stack that V8 has written, and whose each is: the application's, a package's, Node's, ours. Reads
 * text alone, each character once; sources are read elsewhere (`source.ts`).
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STACK_LINE_CHARS_MAX, STACK_LINES_MAX } from './limits.ts';

export type FrameOwner = 'application' | 'package' | 'node' | 'fulmar';

/** Lines and columns count from 1. */
export interface Frame {
  /** Of the function; empty at the top of a module. */
  readonly name: string;
  /** A path, `node:…` or what else V8 has put there. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly owner: FrameOwner;
}

const AT = 'at ';

/** `message`: of the error, which stands before the frames and may look like some. */
export function framesOf(stack: string, message: unknown): Frame[] {
  if (typeof message !== 'string') return framesOf(stack, '');
  const at = message === '' ? -1 : stack.indexOf(message);
  const rest = at < 0 ? stack : stack.slice(at + message.length);
  const lines = rest.slice(0, STACK_LINES_MAX * STACK_LINE_CHARS_MAX).split('\n', STACK_LINES_MAX);
  return lines.flatMap((line) => frameOf(line.slice(0, STACK_LINE_CHARS_MAX).trim()) ?? []);
}

/** `at name (file:1:2)`, `at file:1:2`, `at async name (…)`. */
function frameOf(line: string): Frame | undefined {
  if (!line.startsWith(AT)) return undefined;
  const text = line.slice(AT.length);
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  const place = placeOf(open < 0 ? text.replace(/^async /, '') : text.slice(open + 2, -1));
  if (place === undefined) return undefined;
  return { name: open < 0 ? '' : text.slice(0, open), ...place, owner: ownerOf(place.file) };
}

function placeOf(text: string): { file: string; line: number; column: number } | undefined {
  const last = text.lastIndexOf(':');
  const before = text.lastIndexOf(':', last - 1);
  if (before <= 0) return undefined;
  const line = Number(text.slice(before + 1, last));
  const column = Number(text.slice(last + 1));
  if (!Number.isSafeInteger(line) || !Number.isSafeInteger(column) || line < 1) return undefined;
  return { file: toPath(text.slice(0, before)), line, column: Math.max(column, 1) };
}

/** Modules that are loaded anew have a number behind their address. */
function toPath(given: string): string {
  const text = given.replace(/\?[^/\\]*$/, '');
  if (!text.startsWith('file:')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/** The folder of this package, whether it runs from its sources or from `dist`: what a frame of its own says. */
const ownFolder = /^(.*)[\\/](?:dist|src)[\\/]/.exec(framesOfThis()[0] ?? '')?.[1];

function framesOfThis(): string[] {
  const lines = (new Error('own').stack ?? '').split('\n').slice(1);
  return lines.flatMap((line) => {
    const text = line.trim().slice(AT.length);
    const open = text.lastIndexOf(' (');
    return placeOf(open < 0 ? text : text.slice(open + 2, -1))?.file ?? [];
  });
}

/** Of the repository: sources that source maps lead to. */
const OWN_PARTS = /^[\\/](?:dist|src|bin|cli[\\/]src)[\\/]/;

function isOwn(file: string): boolean {
  if (ownFolder === undefined) return false;
  return [ownFolder, dirname(ownFolder)].some((folder) => file.startsWith(folder) && OWN_PARTS.test(file.slice(folder.length)));
}

/** What other languages have installed or bring: Python's packages and modules, gems of Ruby. */
const OF_OTHERS = /[\\/](?:site-packages|dist-packages|lib[\\/]python\d[\d.]*|gems|lib[\\/]ruby)[\\/]/;

export function ownerOf(file: string): FrameOwner {
  if (!/^(?:[\\/]|[A-Za-z]:)/.test(file)) return 'node';
  if (/[\\/]node_modules[\\/]fulmar[\\/]/.test(file)) return 'fulmar';
  if (/[\\/]node_modules[\\/]/.test(file) || OF_OTHERS.test(file)) return 'package';
  return isOwn(file) ? 'fulmar' : 'application';
}
