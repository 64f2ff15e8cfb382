/**
 * The timeline of marks and measures, and who is told of new entries.
 */
import type { PerformanceEntry } from './entries.ts';

export type Kind = 'mark' | 'measure' | 'resource';

let entries: PerformanceEntry[] = [];
const listeners = new Set<(entry: PerformanceEntry) => void>();

/** Adds an entry and tells observers. */
export function record(entry: PerformanceEntry): void {
  entries.push(entry);
  for (const listener of listeners) listener(entry);
}

export function listen(listener: (entry: PerformanceEntry) => void): void {
  listeners.add(listener);
}

export function unlisten(listener: (entry: PerformanceEntry) => void): void {
  listeners.delete(listener);
}

export function clear(type: Kind, name?: string): void {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== name));
}

/** In the order of their starts. */
export function select(name?: string, type?: string): PerformanceEntry[] {
  return sorted(entries.filter((entry) => (name === undefined || entry.name === name) && (type === undefined || entry.entryType === type)));
}

export function sorted(list: PerformanceEntry[]): PerformanceEntry[] {
  return list.toSorted((a, b) => a.startTime - b.startTime);
}

/** The latest mark of a name. */
export function lastMark(name: string): PerformanceEntry | undefined {
  return entries.findLast((entry) => entry.entryType === 'mark' && entry.name === name);
}
