/**
 * Prints the help of a command, folded to the width of where it is read. The texts are written for 120
 * columns.
 *
 * A block of options keeps its columns, a paragraph is filled anew, usage lines and examples stay as they
 * are: they are copied.
 */
import { foldWords, widthOf } from './text-width.ts';

/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDTH_MAX = 120;
/** Continued lines of the right column begin at least here. */
const CONTINUED = /^ {15,}(?=\S)/;

export function printHelp(text: string): void {
  process.stdout.write(foldHelp(text, widthOf(process.stdout)));
}

export function foldHelp(text: string, width: number): string {
  const limit = Math.min(width, WIDTH_MAX);
  const blocks = text.trimEnd().split('\n\n');
  return `${blocks.map((block) => foldBlock(block, limit)).join('\n\n')}\n`;
}

function foldBlock(block: string, limit: number): string {
  if (/^(?:Usage|Examples?):/.test(block)) return block;
  if (!block.startsWith(' ')) return foldWords(block.replaceAll('\n', ' '), limit);
  return toRows(block.split('\n'))
    .map((row) => foldWords(row, limit, ' '.repeat(rightColumn(row))))
    .join('\n');
}

/** Lines that go on with the right column of the one before are put behind it. */
function toRows(lines: readonly string[]): string[] {
  const rows: string[] = [];
  for (const line of lines) {
    const before = rows.at(-1);
    if (before !== undefined && CONTINUED.test(line)) rows[rows.length - 1] = `${before} ${line.trimStart()}`;
    else rows.push(line);
  }
  return rows;
}

/** Where the text beside an option or a command begins. */
function rightColumn(row: string): number {
  return /^ +(?:\S+ )*\S+ {2,}(?=\S)/.exec(row)?.[0].length ?? 2;
}
