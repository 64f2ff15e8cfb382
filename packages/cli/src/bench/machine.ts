/**
 * The machine under a measurement: which cores there are, how processes are pinned to them, and whether
 * others use it.
 *
 * Linux only.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { HOPELESS_AFTER_MS, OTHERS_SHARE_HOPELESS, OTHERS_SHARE_MAX, QUIET_SAMPLE_MS, TICKS_PER_S, US_PER_S } from './limits.ts';
import { cpuMicroseconds, readProcess, readText } from './processes.ts';

/** Cores for the server and for everything else, or the reason why nothing is pinned. */
export interface Pinning {
  readonly server: number | undefined;
  readonly load: number | undefined;
  readonly reason: string | undefined;
}

/** Pins this process, and with it what it starts, to the core of the load. */
export function pin(): Pinning {
  const cores = parseList(/^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? '');
  const server = cores[0];
  if (server === undefined || cores.length === 1) return unpinned('there is one core only');
  const siblings = parseList(readText(`/sys/devices/system/cpu/cpu${server}/topology/thread_siblings_list`)?.trim() ?? '');
  const load = cores.find((core) => core !== server && !siblings.includes(core)) ?? cores[1];
  if (spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)], { stdio: 'ignore' }).status !== 0) {
    return unpinned('`taskset` is missing (Debian: apt-get install util-linux)');
  }
  return { server, load, reason: undefined };
}

export function unpinned(reason: string): Pinning {
  return { server: undefined, load: undefined, reason };
}

/** What stands before a server's command so that it runs on its core. */
export function onServerCore({ server }: Pinning): string[] {
  return server === undefined ? [] : ['taskset', '-c', String(server)];
}

/** `0-3,8` → 0, 1, 2, 3, 8. */
export function parseList(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first, last] = part.split('-').map(Number);
    if (part === '' || first === undefined || Number.isNaN(first)) return [];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, index) => first + index);
  });
}

/** CPU time of the whole machine since it started. */
export interface MachineTime {
  readonly busyUs: number;
  readonly totalUs: number;
}

/** Fields of the first line of `/proc/stat`: guest time is contained in user time, so it is not read. */
const STAT = { idle: 3, ioWait: 4, count: 8 } as const;

export function machineTime(): MachineTime {
  const line = /^cpu +(.*)$/m.exec(readText('/proc/stat') ?? '')?.[1] ?? '';
  const ticks = line.split(' ').slice(0, STAT.count).map(Number);
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[STAT.idle] ?? 0) + (ticks[STAT.ioWait] ?? 0);
  const toUs = (value: number): number => (value / TICKS_PER_S) * US_PER_S;
  return { busyUs: toUs(total - idle), totalUs: toUs(total) };
}

/** The share of the machine's CPU time between two moments that is not `ownUs`. */
export function shareOfOthers(before: MachineTime, after: MachineTime, ownUs: number): number {
  const total = after.totalUs - before.totalUs;
  return total <= 0 ? 0 : Math.max(0, after.busyUs - before.busyUs - ownUs) / total;
}

export function ownCpuUs(): number {
  const own = readProcess(process.pid);
  return own === undefined ? 0 : cpuMicroseconds([own]);
}

export interface Quiet {
  readonly isQuiet: boolean;
  readonly waitedMs: number;
  readonly share: number;
}

/**
 * Waits until other processes leave the machine alone, for `patienceMs` at most. `onWait` is told once, when
 * it has to wait. Throws a `CommandError` where waiting does not help. `sample` is for tests.
 */
export async function waitForQuiet(patienceMs: number, onWait: (share: number) => void, sample = sampleOthers): Promise<Quiet> {
  const start = performance.now();
  let least = 1;
  for (let told = false; ; told = true) {
    const share = await sample();
    least = Math.min(least, share);
    const waitedMs = Math.max(0, performance.now() - start - QUIET_SAMPLE_MS);
    if (share <= OTHERS_SHARE_MAX) return { isQuiet: true, waitedMs, share };
    if (waitedMs >= patienceMs) return { isQuiet: false, waitedMs, share };
    if (waitedMs >= HOPELESS_AFTER_MS && least > OTHERS_SHARE_HOPELESS) throw tooBusy(least, 'all the time that it was watched');
    if (!told) onWait(share);
  }
}

/** A measurement that others have taken most of the machine from; with unknown shares it is none. */
export function isLost(shares: readonly (number | null)[]): boolean {
  return shares.length > 0 && shares.every((share) => share !== null && share > OTHERS_SHARE_HOPELESS);
}

export function tooBusy(share: number, when: string): CommandError {
  return new CommandError(
    'FULMAR_CLI_BENCH_BUSY',
    `the machine is too busy to measure: other processes used at least ${Math.round(share * 100)} % of its CPU time, ${when}. Try again when they have ended, or measure all the same with --no-wait.`,
  );
}

async function sampleOthers(): Promise<number> {
  const own = ownCpuUs();
  const before = machineTime();
  await sleep(QUIET_SAMPLE_MS);
  return shareOfOthers(before, machineTime(), ownCpuUs() - own);
}
