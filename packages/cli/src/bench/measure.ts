/**
 * One measurement: load on one path of one running server, with its CPU time and memory read from outside
 * before and after.
 */
import type { Expectation } from './answers.ts';
import { describeDoubt, describeFaults, type LoadOptions, type LoadResult, putLoad } from './load.ts';
import { machineTime, ownCpuUs, shareOfOthers } from './machine.ts';
import { cpuMicroseconds, type ProcessEntry, residentBytes } from './processes.ts';
import type { Origin, Question } from './request.ts';

/** A server as a measurement sees it. */
export interface Server {
  readonly origin: Origin;
  /** Its processes; empty when they cannot be seen. */
  tree(): ProcessEntry[];
}

export interface Slot {
  readonly verified: number;
  /** CPU time of the server per right reply; null when its processes cannot be seen. */
  readonly cpuUs: number | null;
  readonly rate: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly residentBytes: number | null;
  /** Replies were wrong: the whole row is void. */
  readonly fault: string | undefined;
  /** This measurement contradicts itself and is left out. */
  readonly doubt: string | undefined;
  /**
   * Share of the machine's CPU time that others used meanwhile; null when they cannot be told from the
   * server.
   */
  readonly othersShare: number | null;
  /** Share of a core that the load generator used. */
  readonly generatorShare: number | null;
}

export interface SlotOptions {
  readonly program: string;
  readonly question: Question;
  readonly connections: number;
  readonly durationS: number;
  readonly warmUpS: number;
  readonly allowRemote: boolean;
}

export async function measure(server: Server, expectation: Expectation, options: SlotOptions): Promise<Slot> {
  const { warmUpS, ...rest } = options;
  const load: LoadOptions = { ...rest, origin: server.origin, path: expectation.path, expect: expectation };
  if (warmUpS > 0) await putLoad({ ...load, durationS: warmUpS });
  const before = { server: server.tree(), machine: machineTime(), own: ownCpuUs() };
  const result = await putLoad(load);
  const tree = server.tree();
  const serverUs = tree.length === 0 ? null : cpuMicroseconds(tree) - cpuMicroseconds(before.server);
  // What this process has waited for, the generator among it, is in its own time.
  const knownUs = (serverUs ?? 0) + ownCpuUs() - before.own;
  const othersShare = serverUs === null ? null : shareOfOthers(before.machine, machineTime(), knownUs);
  return { ...toSlot(result, expectation.status), cpuUs: perReply(serverUs, result), residentBytes: toMemory(tree), othersShare };
}

function toSlot(
  result: LoadResult,
  status: number,
): Pick<Slot, 'verified' | 'rate' | 'p50Us' | 'p99Us' | 'fault' | 'doubt' | 'generatorShare'> {
  return {
    verified: result.requests.verified,
    rate: result.rate,
    p50Us: result.latency_us.p50,
    p99Us: result.latency_us.p99,
    fault: describeFaults(result, status),
    doubt: describeDoubt(result),
    generatorShare: result.cpu.share,
  };
}

function perReply(serverUs: number | null, { requests }: LoadResult): number | null {
  return serverUs === null || requests.verified === 0 ? null : serverUs / requests.verified;
}

function toMemory(tree: readonly ProcessEntry[]): number | null {
  return tree.length === 0 ? null : residentBytes(tree);
}
