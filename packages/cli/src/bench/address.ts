/**
 * `fulmar bench <url>`: a server that runs already, alone. Its CPU time and memory are known where its
 * process is on this machine and belongs to this user.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lookup } from 'node:dns/promises';
import { CommandError } from '../errors.ts';
import { type Answer, type Expectation, judge, type LeftOut } from './answers.ts';
import type { BenchOptions } from './arguments.ts';
import { notesOnMachine } from './file.ts';
import { RUN_BUDGET_MS, MS_PER_S, SLOT_S_MAX, SLOT_S_MIN, VOLATILE_GAP_MS, WARM_UP_FIRST_S, WARM_UP_S } from './limits.ts';
import { measure, type Server, type Slot } from './measure.ts';
import { residentBytes, treeOf } from './processes.ts';
import { repeatCommand } from './repeat.ts';
import { type Report, toReport } from './report.ts';
import { ask, type Origin } from './request.ts';
import { giveUpWhenLost } from './rounds.ts';
import type { Setting } from './setting-types.ts';
import { processesOn } from './sockets.ts';
import { questionOf } from './visit.ts';

export async function benchAddress(options: BenchOptions, setting: Setting, { origin, path, isLocal }: Target): Promise<Report> {
  const paths = options.paths.length === 0 ? [path] : [...new Set(options.paths)];
  const { expectations, leftOut } = await expectationsOf(options, origin, paths);
  const roots = isLocal ? processesOn(Number(new URL(origin).port || 80)) : [];
  const server: Server = { origin, tree: () => (roots.length === 0 ? [] : treeOf(roots)) };
  const idleBytes = roots.length === 0 ? [] : [residentBytes(server.tree())];
  const durationS = options.durationS ?? slotSeconds(options, expectations.length);
  const slots = await runRounds(server, expectations, { options, setting, durationS });
  const loadedBytes = slots.flat().flatMap((slot) => slot.residentBytes ?? []);
  const record = { column: 'server', slots, idleBytes, loadedBytes, coldStartMs: [] };
  return toReport([record], {
    version: setting.version,
    target: options.target,
    frameworks: [],
    settings: { ...options, durationS, starts: 0 },
    expectations,
    leftOut,
    notes: [...notesOn(roots, isLocal), ...notesOnMachine(setting.quiet)],
    repeat: repeatCommand(options, { paths: options.paths, durationS }),
  });
}

export interface Target {
  readonly origin: Origin;
  readonly path: string;
  readonly isLocal: boolean;
}

/** Throws a `CommandError` where the address is none that may be measured, or nobody answers there. */
export async function findServer({ target, allowRemote }: BenchOptions): Promise<Target> {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== 'http:') {
    throw new CommandError(
      'FULMAR_CLI_BENCH_ADDRESS',
      `cannot measure ${target}: an address begins with http:// (no TLS) and names a host`,
    );
  }
  const name = url.hostname.replaceAll(/^\[|\]$/g, '');
  const found = await lookup(name).catch((cause: Error) => {
    throw new CommandError('FULMAR_CLI_BENCH_ADDRESS', `cannot find the host ${name}: ${cause.message}`, { cause });
  });
  const isLocal = found.address === '::1' || found.address.startsWith('127.');
  if (!isLocal && !allowRemote) {
    throw new CommandError(
      'FULMAR_CLI_BENCH_ADDRESS',
      `${url.host} is not this machine. Load may harm a server and its network; if you may do that, add --allow-remote`,
    );
  }
  // `localhost` may be listened on under one of its two addresses only.
  const addresses = name === 'localhost' ? ['127.0.0.1', '::1'] : [found.address];
  const origins = addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${url.port || 80}`);
  return { origin: await firstThatAnswers(origins, url), path: url.pathname + url.search, isLocal };
}

async function firstThatAnswers(origins: readonly Origin[], url: URL): Promise<Origin> {
  let problem = '';
  for (const origin of origins) {
    try {
      await ask(origin, url.pathname + url.search, { method: 'GET', headers: [], body: undefined });
      return origin;
    } catch (error) {
      problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    }
  }
  throw new CommandError(
    'FULMAR_CLI_BENCH_ADDRESS',
    `no server answers at ${url.origin} (${problem}). Start it first, or name its file instead`,
  );
}

async function expectationsOf(
  options: BenchOptions,
  origin: Origin,
  paths: readonly string[],
): Promise<{ expectations: Expectation[]; leftOut: LeftOut[] }> {
  const question = questionOf(options);
  const answers = new Map<string, Answer[]>(paths.map((path) => [path, []]));
  for (let time = 0; time < 2; time++) {
    if (time > 0) await sleep(VOLATILE_GAP_MS);
    for (const path of paths) answers.get(path)?.push(await ask(origin, path, question).catch((error: Error) => error.message));
  }
  const judged = paths.map((path) => judge({ path, isNamed: true, stock: [], fulmar: answers.get(path) ?? [] }, question));
  const expectations = judged.filter((one): one is Expectation => 'status' in one);
  const leftOut = judged.filter((one): one is LeftOut => 'reason' in one);
  if (expectations.length === 0) {
    const reasons = leftOut.map(({ path, reason }) => `\n  ${path}: ${reason}`).join('');
    throw new CommandError('FULMAR_CLI_BENCH_ANSWERS', `nothing to measure:${reasons}`);
  }
  return { expectations, leftOut };
}

/** Half of the time that two hosts take. */
function slotSeconds({ rounds }: BenchOptions, routes: number): number {
  const seconds = RUN_BUDGET_MS / 2 / MS_PER_S / rounds / routes - WARM_UP_S;
  return Math.round(Math.min(SLOT_S_MAX, Math.max(SLOT_S_MIN, seconds)) * 10) / 10;
}

async function runRounds(
  server: Server,
  expectations: readonly Expectation[],
  { options, setting, durationS }: { options: BenchOptions; setting: Setting; durationS: number },
): Promise<Slot[][]> {
  const slots = expectations.map((): Slot[] => []);
  for (let round = 0; round < options.rounds; round++) {
    setting.progress.step(`round ${round + 1} of ${options.rounds} …`);
    for (const [index, expectation] of expectations.entries()) {
      const warmUpS = Math.min(durationS, round === 0 ? WARM_UP_FIRST_S : WARM_UP_S);
      const { connections, allowRemote } = options;
      const question = questionOf(options);
      const slot = await measure(server, expectation, {
        program: setting.loadProgram,
        question,
        connections,
        durationS,
        warmUpS,
        allowRemote,
      });
      slots[index]?.push(slot);
    }
    if (options.wait) giveUpWhenLost(slots);
  }
  return slots;
}

function notesOn(roots: readonly number[], isLocal: boolean): string[] {
  if (roots.length > 0)
    return [`CPU time and memory are those of process ${roots.join(', ')} and its children. Nothing was pinned to cores.`];
  return [
    isLocal
      ? 'CPU time and memory are not known: the process behind the port was not found, or belongs to another user.'
      : 'CPU time and memory are not known for a server on another machine.',
  ];
}
