/**
 * The console's tables and timers.
 */
import types from '../util/types.module.ts';
import { widthOf } from '../util/inspect/text.ts';
import { inspect } from '../util/inspect/value.ts';

const INDEX = '(index)';
const ITERATION = '(iteration index)';
const VALUES = 'Values';

function row(cells: readonly string[], widths: readonly number[]): string {
  return `│ ${cells.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell))).join(' │ ')} │`;
}

function drawn(head: readonly string[], columns: readonly (readonly (string | undefined)[])[]): string {
  const height = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length: height }, (_, line) => head.map((_name, at) => columns[at]?.[line] ?? ''));
  const widths = head.map((name, at) => Math.max(widthOf(name), ...rows.map((cells) => widthOf(cells[at] ?? ''))));
  const lines = widths.map((width) => '─'.repeat(width + 2));
  return [
    `┌${lines.join('┬')}┐`,
    row(head, widths),
    `├${lines.join('┼')}┤`,
    ...rows.map((cells) => row(cells, widths)),
    `└${lines.join('┴')}┘`,
  ].join('\n');
}

export function table(data: object, properties: readonly string[] | undefined, options: object): string {
  const cell = (value: unknown): string => {
    const large = value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value);
    const depth = large && Object.keys(value).length > 2 ? -1 : 0;
    return inspect(value, { depth, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
  const indices = (length: number): string[] => Array.from({ length }, (_, index) => cell(index));
  if (data instanceof Map || types['isMapIterator']?.(data) === true) {
    const entries = [...(data as Iterable<[unknown, unknown]>)];
    if (data instanceof Map || entries.every((entry) => Array.isArray(entry))) {
      const columns = [indices(entries.length), entries.map(([key]) => cell(key)), entries.map(([, value]) => cell(value))];
      return drawn([ITERATION, 'Key', VALUES], columns);
    }
    return drawn([ITERATION, VALUES], [indices(entries.length), entries.map(cell)]);
  }
  if (data instanceof Set || types['isSetIterator']?.(data) === true) {
    const values = [...(data as Set<unknown>)].map(cell);
    return drawn([ITERATION, VALUES], [indices(values.length), values]);
  }
  return rowsTable(data as Record<string, unknown>, properties, cell);
}

function rowsTable(data: Record<string, unknown>, properties: readonly string[] | undefined, cell: (value: unknown) => string): string {
  const columns = Object.create(null) as Record<string, string[]>;
  const values: string[] = [];
  const index = Object.keys(data);
  index.forEach((key, line) => {
    const item = data[key];
    const primitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (properties === undefined && primitive) {
      values[line] = cell(item);
      return;
    }
    for (const name of properties ?? Object.keys(item as object)) {
      const column = (columns[name] ??= []);
      column[line] = primitive || !Object.hasOwn(item as object, name) ? '' : cell((item as Record<string, unknown>)[name]);
    }
  });
  const names = Object.keys(columns);
  const filled = names.map((name) => columns[name] ?? []);
  if (values.length > 0) return drawn([INDEX, ...names, VALUES], [index, ...filled, values]);
  return drawn([INDEX, ...names], [index, ...filled]);
}

export function time(known: Map<string, bigint>, label: string): void {
  if (known.has(label)) process.emitWarning(`Label '${label}' already exists for console.time()`);
  else known.set(label, process.hrtime.bigint());
}

function duration(ms: number): string {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)}s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const [seconds, rest] = ((ms % 60_000) / 1000).toFixed(3).split('.') as [string, string];
  const pad = (value: number | string): string => String(value).padStart(2, '0');
  const whole = hours === 0 ? String(minutes) : `${hours}:${pad(minutes)}`;
  return `${whole}:${pad(seconds)}.${rest} (${hours === 0 ? '' : 'h:m'}m:ss.mmm)`;
}

export function timeLog(
  self: { log(...args: unknown[]): void },
  known: Map<string, bigint>,
  method: string,
  label: string,
  data: unknown[] = [],
): void {
  const start = known.get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for ${method}`);
    return;
  }
  self.log('%s: %s', label, duration(Number(process.hrtime.bigint() - start) / 1e6), ...data);
}
