/**
 * What `/proc` says about processes: which belong together, how much CPU time and memory they use.
 *
 * Linux only. Reads; never signals anybody.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { TICKS_PER_S, US_PER_S } from './limits.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** User and system time, that of children it has waited for included. */
  readonly cpuTicks: number;
}

const KILOBYTE = 1024;

/** Fields of `/proc/<pid>/stat` behind the name, which may itself hold spaces and parentheses. */
const STAT = { parent: 1, session: 3, userTime: 11, childSystemTime: 14 } as const;

export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number): number => Number(fields[index]);
  let cpuTicks = 0;
  for (let index: number = STAT.userTime; index <= STAT.childSystemTime; index++) cpuTicks += at(index);
  return { pid, parent: at(STAT.parent), session: at(STAT.session), cpuTicks };
}

function readProcesses(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    const entry = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    return entry === undefined ? [] : [entry];
  });
}

/**
 * The processes `roots`, whatever descends from them, and whatever is in a session that one of them leads.
 */
export function treeOf(roots: readonly number[]): ProcessEntry[] {
  const all = readProcesses();
  const members = new Set(roots);
  for (const { pid, session } of all) if (roots.includes(session)) members.add(pid);
  for (let size = 0; size !== members.size;) {
    size = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  return all.filter(({ pid }) => members.has(pid));
}

export function cpuMicroseconds(tree: readonly ProcessEntry[]): number {
  return (tree.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) / TICKS_PER_S) * US_PER_S;
}

/** Resident memory of the processes together, in bytes. */
export function residentBytes(tree: readonly ProcessEntry[]): number {
  return tree.reduce((sum, { pid }) => sum + residentOf(pid), 0);
}

function residentOf(pid: number): number {
  // The roll-up is exact; the counter in `status` may lag behind by some pages of each thread.
  const exact = /^Rss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '');
  const found = exact ?? /^VmRSS:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`) ?? '');
  return Number(found?.[1] ?? 0) * KILOBYTE;
}

/** The content of a file of `/proc`, or `undefined` when its process is gone or another user's. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
