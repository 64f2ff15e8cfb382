/**
 * What a process tree costs, read from outside in /proc: CPU time and memory. Linux only. Never touches the
 * processes.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** `USER_HZ`: what /proc/…/stat counts CPU time in. */
const microsecondsPerTick = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Process ids of `pid`, its children and theirs. */
export function tree(pid) {
  const children = list(`/proc/${pid}/task`).flatMap((task) =>
    readText(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(tree)];
}

/**
 * A reading of the CPU time of a tree: `ticks` in µs of user and system from `stat` (10 ms steps, includes
 * ended threads and reaped children) and `exact` in µs per thread from `schedstat` (nanoseconds, living
 * threads only).
 */
export function readCpu(pid) {
  const reading = { user: 0, system: 0, exact: new Map() };
  for (const id of tree(pid)) {
    const text = readText(`/proc/${id}/stat`);
    // The command name, in parentheses, may hold spaces; utime and stime are the 12th and 13th fields after
    // it, then those of reaped children.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, childUser, childSystem] = [11, 12, 13, 14].map((index) => Number(fields[index] ?? 0) * microsecondsPerTick);
    reading.user += user + childUser;
    reading.system += system + childSystem;
    for (const task of list(`/proc/${id}/task`)) {
      reading.exact.set(`${id}/${task}`, Number(readText(`/proc/${id}/task/${task}/schedstat`).split(' ')[0] ?? 0) / 1000);
    }
  }
  return reading;
}

/** CPU time between two readings in µs: `{ total, user, system }`. Exact unless a thread ended in between. */
export function cpuBetween(before, after) {
  const user = after.user - before.user;
  const system = after.system - before.system;
  const gone = [...before.exact.keys()].some((thread) => !after.exact.has(thread));
  let exact = 0;
  for (const [thread, time] of after.exact) exact += time - (before.exact.get(thread) ?? 0);
  return { total: gone ? user + system : Math.max(exact, 0), user, system };
}

/**
 * Resident memory of a tree in bytes: `rss` counts shared pages in full, `pss` in proportion, `peak` is the
 * highest `rss` so far.
 */
export function readMemory(pid) {
  const sum = { rss: 0, pss: 0, peak: 0 };
  for (const id of tree(pid)) {
    const rollup = readText(`/proc/${id}/smaps_rollup`);
    sum.rss += kibibytes(rollup, 'Rss');
    sum.pss += kibibytes(rollup, 'Pss');
    sum.peak += kibibytes(readText(`/proc/${id}/status`), 'VmHWM');
  }
  return sum;
}

/** CPU time in µs that all processes have used since the machine started. */
export function machineBusy() {
  const fields = readText('/proc/stat').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const [user, nice, system, , , irq, softirq, steal] = fields;
  return (user + nice + system + irq + softirq + (steal ?? 0)) * microsecondsPerTick;
}

/** The processes that used most CPU between two calls of `sampleProcesses`, for the message of the gate. */
export function sampleProcesses() {
  const times = new Map();
  for (const id of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const text = readText(`/proc/${id}/stat`);
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    times.set(`${name} (${id})`, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * microsecondsPerTick);
  }
  return times;
}

function kibibytes(text, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
