/**
 * How wide what is printed may be, and text folded to it.
 *
 * Loaded by what prints, never on the way to an application's start.
 */

/** Where the width is not known: in a pipe, a file, a log. */
const WIDTH_DEFAULT = 80;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Columns of a terminal; 80 where that is not known. A terminal without a size says 0. */
export function widthOf({ isTTY, columns }: Stream): number {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : WIDTH_DEFAULT;
}

/**
 * Breaks `text` between words; lines after the first begin with `indent`. A word that is longer than a line
 * stays whole.
 */
export function foldWords(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  let isEmpty = true;
  for (const [gap, word] of wordsOf(text.trimStart())) {
    const longer = isEmpty ? line + word : line + gap + word;
    if (!isEmpty && longer.length > width) {
      lines.push(line);
      line = indent + word;
    } else line = longer;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}

/** Each word with the blanks before it: those between columns are kept. */
function* wordsOf(text: string): Generator<[gap: string, word: string]> {
  for (const [, gap = '', word = ''] of text.matchAll(/(\s*)(\S+)/g)) yield [gap, word];
}
