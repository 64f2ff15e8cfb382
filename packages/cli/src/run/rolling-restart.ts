/**
 * A rolling restart of `fulmar run --workers`: for each worker a new one is started, and when that listens
 * the old one drains; one after the other, so that there is never less capacity, and never more than one
 * process too many.
 *
 * One that fails leaves the old worker where it is, and ends the restart.
 */
import { RELOAD_READY_MS_MAX, RELOAD_SETTLED_MS } from '../settings.ts';
import type { WorkerProcess } from './worker-process.ts';

/** The place of one worker, whichever process fills it. */
export interface Slot {
  readonly index: number;
  current: WorkerProcess | undefined;
  /** Started by a rolling restart, and not serving yet. */
  next: WorkerProcess | undefined;
  crashes: number;
  timer: NodeJS.Timeout | undefined;
}

export interface RollingRestart {
  readonly slots: readonly Slot[];
  start(slot: Slot): WorkerProcess;
  /** Asks a process to end and resolves when it has. */
  retire(worker: WorkerProcess): Promise<void>;
  /** Resolves when something has happened to the process: it listens, or has ended. */
  changed(worker: WorkerProcess, timeoutMs: number): Promise<void>;
  isEnding(): boolean;
  /** A worker of this run has listened. */
  hasServed(): boolean;
}

/** Resolves to why it was broken off; `undefined` when every worker is new, or the whole run ends. */
export async function restartOneByOne(run: RollingRestart): Promise<string | undefined> {
  for (const slot of run.slots) {
    if (run.isEnding()) return undefined;
    const problem = await replaceOne(run, slot);
    if (problem !== undefined) return `worker ${slot.index} ${problem}`;
  }
  return undefined;
}

async function replaceOne(run: RollingRestart, slot: Slot): Promise<string | undefined> {
  // One that does not listen yet, beside others that do, is about to.
  const expected = Math.max(slot.current?.addresses.size ?? 0, run.hasServed() ? 1 : 0);
  clearTimeout(slot.timer);
  slot.timer = undefined;
  const next = run.start(slot);
  slot.next = next;
  const problem = await becomesReady(run, next, expected);
  if (run.isEnding()) return undefined;
  slot.next = undefined;
  if (problem !== undefined) {
    await run.retire(next);
    return problem;
  }
  const old = slot.current;
  slot.current = next;
  slot.crashes = 0;
  if (old !== undefined) await run.retire(old);
  return undefined;
}

/**
 * Waits until it listens where its predecessor did. Of an application that never has, it is enough that it
 * does not end at once.
 */
async function becomesReady(run: RollingRestart, next: WorkerProcess, expected: number): Promise<string | undefined> {
  if (expected > 0) {
    await waitFor(run, next, { isReached: () => next.hasListened, timeoutMs: RELOAD_READY_MS_MAX });
    if (next.hasEnded) return `ended with ${next.ending} before it listened`;
    if (!next.hasListened) return `did not listen within ${RELOAD_READY_MS_MAX / 1_000} s`;
  }
  const isReached = (): boolean => next.hasListened && next.addresses.size >= expected;
  await waitFor(run, next, { isReached, timeoutMs: RELOAD_SETTLED_MS });
  return next.hasEnded ? `ended with ${next.ending}` : undefined;
}

interface Wait {
  readonly isReached: () => boolean;
  readonly timeoutMs: number;
}

async function waitFor(run: RollingRestart, worker: WorkerProcess, { isReached, timeoutMs }: Wait): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!isReached() && !worker.hasEnded && !run.isEnding()) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return;
    await run.changed(worker, leftMs);
  }
}
