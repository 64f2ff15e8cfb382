/**
 * Lines of the project's sources around a place, for frames. Files outside of the project's folder, those that are no
 * sources and large ones are not read: a stack is text, and may name any file. Keeps nothing.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { LINE_CHARS_MAX, SOURCE_BYTES_MAX } from './limits.ts';

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly isMeant: boolean;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?|html?|json|py|rb|java)$/i;

/** The file's real path if it is one of the project's. A link that leads out of it is none. */
export function inProject(root: string, file: string): string | undefined {
  try {
    if (!isAbsolute(file)) return undefined;
    const real = realpathSync(file);
    const path = relative(realpathSync(root), real);
    const isWithin = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    return isWithin && statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Empty where nothing is to be shown. */
export function linesAround(root: string, { file, line }: { readonly file: string; readonly line: number }, around: number): SourceLine[] {
  const real = SOURCE.test(file) ? inProject(root, file) : undefined;
  if (real === undefined) return [];
  try {
    if (statSync(real).size > SOURCE_BYTES_MAX) return [];
    const lines = readFileSync(real, 'utf8').split(/\r?\n/);
    if (line > lines.length) return [];
    const from = Math.max(1, line - around);
    return lines
      .slice(from - 1, line + around)
      .map((text, at) => ({ number: from + at, text: text.slice(0, LINE_CHARS_MAX), isMeant: from + at === line }));
  } catch {
    return [];
  }
}

/**
 * What stands before a caret below a line. Tabs stay, so that it stands where the text does; other languages tell no
 * columns, and theirs is the first sign of the line.
 */
export const beforeCaret = (text: string, column: number): string =>
  text.slice(0, Math.max(column - 1, text.search(/\S|$/))).replaceAll(/[^\t]/g, ' ');

/** As people read it: within the project from its folder. */
export function shortPath(root: string, file: string): string {
  const path = isAbsolute(file) ? relative(root, file) : file;
  return path === '' || path.startsWith('..') ? file : path;
}
