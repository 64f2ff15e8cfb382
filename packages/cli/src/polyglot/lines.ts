/** Pieces of declaration files: comments, names of properties, members in braces. Pure. */
import { quoted } from './annotations.ts';

/** A docstring as a comment in front of what follows. */
export function jsdoc(doc: string | null | undefined): string[] {
  if (doc === null || doc === undefined || doc.trim() === '') return [];
  const lines = doc.trim().replaceAll('*/', '*\\/').split(/\r?\n/);
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

/** Python's names are identifiers of JavaScript, too, but for a few. */
export const propertyName = (name: string): string => (/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name) ? name : quoted(name));

/** `head {`, the lines, `}`. */
export const braced = (head: string, lines: readonly string[], end = '}'): string[] =>
  lines.length === 0 ? [`${head} {${end}`] : [`${head} {`, ...lines.map((line) => `  ${line}`), end];

/** Hidden, by the custom of Python; `then` would be asked for by `await`. */
export const isShown = (name: string): boolean => !name.startsWith('_') && name !== 'then';
