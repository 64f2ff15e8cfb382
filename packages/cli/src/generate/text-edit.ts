/**
 * Puts text into a source so that it looks as what stands around it: one more entry of a list, one more line.
 * Knows where comments are, and nothing of what entries mean.
 */
import type { Node } from './module-syntax.ts';

export interface Parsed {
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly { readonly start: number; readonly end: number }[];
  readonly eol: string;
}

export const insert = (text: string, at: number, added: string): string => text.slice(0, at) + added + text.slice(at);

/** The blanks that the line of a place begins with. */
export function toIndent(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** Adds `entry` behind the last of `entries`, which are those of an array or an object. */
export function addToList(parsed: Parsed, list: Node, entries: readonly Node[], entry: string): string {
  const { text, eol } = parsed;
  const last = entries.at(-1);
  const within = text.slice(list.start + 1, list.end - 1);
  if (last === undefined) {
    const isBlank = within.trim() === '';
    return text.slice(0, list.start + 1) + entry + text.slice(isBlank ? list.end - 1 : list.start + 1);
  }
  const comma = findComma(parsed, last.end, list.end - 1);
  const behind = comma === undefined ? last.end : comma + 1;
  // A list is of lines where its end is on another one than its last entry.
  if (!text.slice(last.end, list.end).includes('\n')) return insert(text, last.end, `, ${entry}`);
  const line = `${eol}${toIndent(text, last.start)}${entry}${comma === undefined ? '' : ','}`;
  const withLine = insert(text, lineEndOf(parsed, behind), line);
  return comma === undefined ? insert(withLine, last.end, ',') : withLine;
}

function findComma({ text, comments }: Parsed, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    const comment = comments.find(({ start, end }) => start <= at && at < end);
    if (comment !== undefined) at = comment.end - 1;
    else if (text[at] === ',') return at;
  }
  return undefined;
}

/** The end of the line, where only comments stand between it and `at`; else `at` itself. */
export function lineEndOf({ text, comments }: Parsed, at: number): number {
  let place = at;
  for (;;) {
    const comment = comments.find(({ start }) => start === place);
    if (comment !== undefined && !text.slice(comment.start, comment.end).includes('\n')) place = comment.end;
    else if (text[place] === ' ' || text[place] === '\t') place += 1;
    else return place === text.length || text[place] === '\n' || text[place] === '\r' ? place : at;
  }
}
