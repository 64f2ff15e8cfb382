/**
 * Runs one random program on one side: its listener on a server, its requests one after the other or
 * pipelined, and all that is seen of it.
 */
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeRequest } from '../bytes.ts';
import type { CaseContext, Outcome, ReplyOutcome, Side, StructuredRequest } from '../case.ts';
import { describe, observe } from '../observe.ts';
import { Talk } from '../run.ts';

/** Long enough for a busy machine; a program that does not answer is reported, not waited for. */
const DEADLINE_MS = Number(process.env['PARITY_DEADLINE_MS'] ?? 1_500);

/** What every random program has. */
export interface Program {
  readonly requests: readonly StructuredRequest[];
  readonly pipelined?: boolean;
}

export interface Build {
  readonly side: Side;
  readonly tools: CaseContext;
  /** For what a program changes outside of itself. */
  undo(fn: () => void): void;
}

/** Lists of an outcome whose order is nobody's promise in some programs. */
export type Unordered = readonly ('records' | 'console')[];

/** How programs of one kind are run. */
export interface Play<P extends Program> {
  readonly build: (program: P, build: Build) => RequestListener;
  readonly unordered: (program: P) => Unordered;
  /** Whether each connection is asked, behind the last request, whether it still answers. */
  readonly probes: boolean;
  /** Waits for what goes on behind the last reply, before the client leaves. */
  readonly finish?: (program: P) => Promise<void>;
}

/** A side, and the server of it whose listener is exchanged. */
export interface Place {
  readonly side: Side;
  readonly server: Server;
}

/** Everything one side shows of a program. */
export async function runProgram<P extends Program>(play: Play<P>, program: P, { side, server }: Place): Promise<Outcome> {
  const observer = observe(side.name, {});
  const replies: ReplyOutcome[] = [];
  const undone: (() => void)[] = [];
  const base = { replies, records: observer.records, console: observer.console, uncaught: observer.uncaught };
  try {
    server.removeAllListeners('request');
    const build = { side, tools: observer.context, undo: (fn: () => void): void => void undone.push(fn) };
    server.on('request', play.build(program, build));
    await talk(play, program, server, replies);
    await observer.settle();
    return { ...base, ...sorted(base, play.unordered(program)) };
  } catch (error) {
    return { ...base, setup: describe(error) };
  } finally {
    for (const undo of undone.reverse()) undo();
    observer.stop();
  }
}

async function talk<P extends Program>(play: Play<P>, program: P, server: Server, replies: ReplyOutcome[]): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const client = new Talk({ port, deadlineMs: DEADLINE_MS, replies, probe: play.probes ? server : undefined });
  try {
    const requests = program.requests.map(encodeRequest);
    await (program.pipelined === true ? client.pipelined(requests) : client.sequential(requests, false));
    await play.finish?.(program);
  } finally {
    client.destroy();
  }
}

function sorted(outcome: Pick<Outcome, 'records' | 'console'>, lists: Unordered): Partial<Outcome> {
  return Object.fromEntries(lists.map((name) => [name, outcome[name].toSorted()]));
}
