/**
 * The rounds: both hosts in turn (A B, B A, …), one process at a time, started anew for each round; then the
 * cold starts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from './application.ts';
import type { Host } from './hosts.ts';
import {
  COLD_STARTS_BUDGET_MS,
  CONNECT_POLL_MS,
  MS_PER_S,
  ROUND_OVERHEAD_MS,
  ROUNDS_LOST_MAX,
  RUN_BUDGET_MS,
  SETTLE_MS,
  SLOT_S_MAX,
  SLOT_S_MIN,
  STARTS_MIN,
  WARM_UP_FIRST_S,
  WARM_UP_S,
} from './limits.ts';
import { isLost, tooBusy } from './machine.ts';
import { measure, type Slot } from './measure.ts';
import type { Prepared } from './preparation.ts';
import { residentBytes } from './processes.ts';
import { firstReply, type Origin } from './request.ts';
import { type Context, questionOf, startOn } from './visit.ts';

/** All that was measured of one host. */
export interface HostRecord {
  readonly host: Host;
  /** `slots[route][round]`. */
  readonly slots: readonly Slot[][];
  readonly idleBytes: number[];
  readonly loadedBytes: number[];
  readonly coldStartMs: number[];
}

/** Seconds of one measurement: what was asked for, or what the time of a default run allows. */
export function slotSeconds({ options }: Context, { hosts, expectations, startMs }: Prepared): number {
  if (options.durationS !== undefined) return options.durationS;
  const visits = options.rounds * hosts.length;
  const starts = visits * (startMs + ROUND_OVERHEAD_MS) + Math.min(COLD_STARTS_BUDGET_MS, options.starts * hosts.length * startMs * 2);
  const load = (RUN_BUDGET_MS - starts) / MS_PER_S - visits * (WARM_UP_FIRST_S + (expectations.length - 1) * WARM_UP_S);
  const seconds = Math.min(SLOT_S_MAX, Math.max(SLOT_S_MIN, load / visits / expectations.length));
  return Math.round(seconds * 10) / 10;
}

export async function runRounds(context: Context, prepared: Prepared, durationS: number): Promise<HostRecord[]> {
  const { options, progress } = context;
  const records = prepared.hosts.map((host) => ({
    host,
    slots: prepared.expectations.map((): Slot[] => []),
    idleBytes: [],
    loadedBytes: [],
    coldStartMs: [],
  }));
  for (let round = 0; round < options.rounds; round++) {
    for (const record of inTurn(records, round)) {
      progress.step(`round ${round + 1} of ${options.rounds}: ${record.host.title} …`);
      await runRound(context, prepared, { record, durationS });
    }
    if (options.wait) giveUpWhenLost(records.flatMap(({ slots }) => slots));
  }
  await startCold(context, prepared, records);
  return records;
}

/**
 * Throws a `CommandError` when others had most of the machine in each measurement of the last rounds.
 * `slots[route][round]`.
 */
export function giveUpWhenLost(slots: readonly (readonly Slot[])[]): void {
  const rounds = Math.min(...slots.map(({ length }) => length));
  if (rounds < ROUNDS_LOST_MAX) return;
  const shares = slots.flatMap((row) => row.slice(rounds - ROUNDS_LOST_MAX, rounds).map(({ othersShare }) => othersShare));
  if (isLost(shares)) throw tooBusy(Math.min(...shares.map((share) => share ?? 0)), `in ${ROUNDS_LOST_MAX} rounds in a row`);
}

/** A B, B A, A B, …: what drifts with time meets both. */
function inTurn<Item>(items: readonly Item[], round: number): Item[] {
  return round % 2 === 0 ? [...items] : [...items].reverse();
}

async function runRound(
  context: Context,
  prepared: Prepared,
  { record, durationS }: { record: HostRecord; durationS: number },
): Promise<void> {
  const { options, loadProgram } = context;
  const { ports, expectations } = prepared;
  const application = startOn(record.host, context, { ports });
  try {
    const origin = await application.listening();
    await waitForReply(context, prepared, application, origin);
    await sleep(SETTLE_MS);
    record.idleBytes.push(residentBytes(application.tree()));
    let loaded = 0;
    for (const [index, expectation] of expectations.entries()) {
      const warmUpS = index === 0 ? WARM_UP_FIRST_S : WARM_UP_S;
      const { connections } = options;
      const slot = await measure({ origin, tree: () => application.tree() }, expectation, {
        program: loadProgram,
        question: questionOf(options),
        connections,
        durationS,
        warmUpS: Math.min(warmUpS, durationS),
        allowRemote: true,
      });
      if (application.isOver()) throw application.failure(`ended under load on ${expectation.path}`);
      record.slots[index]?.push(slot);
      loaded = Math.max(loaded, slot.residentBytes ?? 0);
      application.trimOutput();
    }
    record.loadedBytes.push(loaded);
  } finally {
    await application.stop();
  }
}

/** Until the first route answers as it should; false when it never does. */
async function waitForReply(context: Context, { expectations }: Prepared, application: Application, origin: Origin): Promise<boolean> {
  const [first] = expectations;
  if (first === undefined) return false;
  const reply = await firstReply(origin, first.path, questionOf(context.options), {
    deadlineMs: context.options.startTimeoutS * MS_PER_S,
    isRight: ({ status }) => status === first.status,
    isOver: () => application.isOver(),
  });
  return reply !== undefined;
}

/** From just before the process is started to the end of its first right reply, polled from outside. */
async function startCold(context: Context, prepared: Prepared, records: readonly HostRecord[]): Promise<void> {
  const end = performance.now() + COLD_STARTS_BUDGET_MS;
  for (let count = 0; count < context.options.starts; count++) {
    if (count >= STARTS_MIN && performance.now() > end) return;
    context.progress.step(`cold start ${count + 1} of ${context.options.starts} …`);
    for (const record of inTurn(records, count)) {
      const start = performance.now();
      const application = startOn(record.host, context, { ports: prepared.ports });
      try {
        const origin = prepared.origin ?? (await application.listening(CONNECT_POLL_MS));
        if (!(await waitForReply(context, prepared, application, origin))) throw application.failure('did not answer after its start');
        record.coldStartMs.push(performance.now() - start);
      } finally {
        await application.stop();
      }
    }
  }
}
