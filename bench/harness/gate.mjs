/**
 * The quiet-machine gate: how much CPU others used while something was measured, and waiting until they stop.
 * Never stops anybody else's process.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, machineBusy, readCpu, sampleProcesses } from './proc.mjs';

/** Share of one core that others may use. */
export const quietShare = 0.08;
const windowMs = 700;
const waitLimitMs = 15 * 60_000;
const sayEveryMs = 15_000;

/**
 * Starts a window; `end(ownMicroseconds)` gives the share of one core that went to anybody else, between 0
 * and the number of cores.
 */
export function watchOthers(pids = []) {
  const started = process.hrtime.bigint();
  const busy = machineBusy();
  const self = process.cpuUsage();
  const readings = pids.map((pid) => [pid, readCpu(pid)]);
  return (ownMicroseconds) => {
    const windowUs = Number(process.hrtime.bigint() - started) / 1000;
    const { user, system } = process.cpuUsage(self);
    const known = readings.reduce((sum, [pid, before]) => sum + cpuBetween(before, readCpu(pid)).total, ownMicroseconds + user + system);
    return Math.max(0, (machineBusy() - busy - known) / windowUs);
  };
}

/**
 * Waits until others use little CPU; says who is busy. Resolves to the seconds waited; gives up after 15
 * minutes.
 */
export async function waitUntilQuiet({ pids = [], say, limit = quietShare }) {
  const started = Date.now();
  let said = 0;
  for (;;) {
    const before = sampleProcesses();
    const end = watchOthers(pids);
    await sleep(windowMs);
    const share = end(0);
    const waited = Date.now() - started;
    if (share <= limit || waited > waitLimitMs) return Math.round(waited / 1000);
    if (Date.now() - said > sayEveryMs) {
      say(`waiting: other processes use ${(share * 100).toFixed(0)} % of a core (${busiest(before)})`);
      said = Date.now();
    }
  }
}

function busiest(before) {
  const used = [...sampleProcesses()].map(([name, time]) => [name, time - (before.get(name) ?? 0)]);
  const top = used.filter(([, time]) => time > 0).toSorted((a, b) => b[1] - a[1]);
  return top
    .slice(0, 3)
    .map(([name]) => name)
    .join(', ');
}
