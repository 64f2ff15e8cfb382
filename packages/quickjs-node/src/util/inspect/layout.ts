/**
 * Entries of an object on one line, on several, or in columns.
 */
import type { Context } from './context.ts';
import { stripVTControlCharacters, widthOf } from './text.ts';

/** How the entries of an object are written. */
export type Entries = 'object' | 'array' | 'array-extras';

/** Between two entries: a comma and a space. */
const SEPARATOR = 2;
/** Fewer entries are not put in columns. */
const COLUMN_ENTRIES_MIN = 7;
const COLUMNS_MAX = 15;
/** A character is about this many times as high as wide. */
const CHARACTER_HEIGHT = 2.5;

export interface Shape {
  base: string;
  braces: [string, string];
  entries: Entries;
  depth: number;
  value?: unknown;
}

interface Grid {
  widths: number[];
  /** Entries without the line that tells how many more there are. */
  count: number;
  columns: number;
}

function gridOf(context: Context, output: readonly string[]): Grid | undefined {
  const count = context.maxArrayLength < output.length ? output.length - 1 : output.length;
  const widths = output.slice(0, count).map((entry) => widthOf(entry, context.colors));
  const total = widths.reduce((sum, width) => sum + width + SEPARATOR, 0);
  const widest = Math.max(0, ...widths);
  const cell = widest + SEPARATOR;
  const fits = cell * 3 + context.indentation < context.breakLength;
  if (!fits || !(total / cell > 5 || widest <= 6)) return undefined;
  const bias = Math.sqrt(cell - total / output.length);
  const biased = Math.max(cell - 3 - bias, 1);
  const columns = Math.min(
    Math.round(Math.sqrt(CHARACTER_HEIGHT * biased * count) / biased),
    Math.floor((context.breakLength - context.indentation) / cell),
    Number(context.compact) * 4,
    COLUMNS_MAX,
  );
  return columns <= 1 ? undefined : { widths, count, columns };
}

/** Entries of an array in columns; unchanged when they differ too much in width. */
function grouped(context: Context, output: string[], value: unknown): string[] {
  const grid = gridOf(context, output);
  if (grid === undefined) return output;
  const { widths, count, columns } = grid;
  const columnWidths = Array.from({ length: columns }, (_, column) => {
    let widest = 0;
    for (let at = column; at < output.length; at += columns) widest = Math.max(widest, widths[at] ?? 0);
    return widest + SEPARATOR;
  });
  const items = value as ArrayLike<unknown> | undefined;
  const numbers = items === undefined || output.every((_, index) => typeof items[index] === 'number' || typeof items[index] === 'bigint');
  const rows: string[] = [];
  for (let start = 0; start < count; start += columns) {
    const last = Math.min(start + columns, count) - 1;
    let row = '';
    for (let at = start; at <= last; at += 1) {
      const entry = output[at] as string;
      const invisible = entry.length - (widths[at] ?? 0);
      const width = (columnWidths[at - start] ?? 0) + invisible;
      if (at === last) row += numbers ? entry.padStart(width - SEPARATOR) : entry;
      else row += numbers ? `${entry}, `.padStart(width) : `${entry}, `.padEnd(width);
    }
    rows.push(row);
  }
  if (context.maxArrayLength < output.length) rows.push(output[count] as string);
  return rows;
}

function fitsOneLine(context: Context, output: readonly string[], start: number, base: string): boolean {
  const plain = !base.includes('\n');
  if (context.breakLength === Infinity) return plain && !output.some((entry) => entry.includes('\n'));
  let total = output.length + start;
  if (total + output.length > context.breakLength) return false;
  for (const entry of output) {
    total += context.colors ? stripVTControlCharacters(entry).length : entry.length;
    if (total > context.breakLength) return false;
  }
  return plain;
}

export function assembled(context: Context, given: string[], shape: Shape): string {
  const { base, braces, entries, depth } = shape;
  const [open, close] = braces;
  const before = base === '' ? '' : `${base} `;
  const indentation = `\n${' '.repeat(context.indentation)}`;
  if (context.compact === true) {
    if (fitsOneLine(context, given, 0, base)) return `${open}${base ? ` ${base}` : ''} ${given.join(', ')} ${close}`;
    const first = base === '' && open.length === 1 ? ' ' : `${base ? ` ${base}` : ''}${indentation}  `;
    return `${open}${first}${given.join(`,${indentation}  `)} ${close}`;
  }
  let output = given;
  if (typeof context.compact === 'number' && context.compact >= 1) {
    if (entries === 'array-extras' && given.length >= COLUMN_ENTRIES_MIN) output = grouped(context, given, shape.value);
    if (context.currentDepth - depth < context.compact && output.length === given.length) {
      const start = output.length + context.indentation + open.length + base.length + 10;
      if (fitsOneLine(context, output, start, base)) {
        const line = output.join(', ');
        if (!line.includes('\n')) return `${before}${open} ${line} ${close}`;
      }
    }
  }
  return `${before}${open}${indentation}  ${output.join(`,${indentation}  `)}${indentation}${close}`;
}
