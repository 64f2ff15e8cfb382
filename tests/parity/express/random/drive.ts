/** Runs random programs on both sides, one server per side whose listener is exchanged, and compares what they showed. */
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeRequest } from '../../harness/bytes.ts';
import type { Outcome, ReplyOutcome, Side } from '../../harness/case.ts';
import { describe, observe } from '../../harness/observe.ts';
import { close, listen, Talk } from '../../harness/run.ts';
import type { Sides } from '../../harness/sides.ts';
import { normalise, withoutReplyLoss } from '../../differences.ts';
import { buildApp } from './build.ts';
import type { ProgramModel } from './model.ts';

/** Long enough for a busy machine; a program that does not answer is reported, not waited for. */
const DEADLINE_MS = 1_500;

export interface Verdict {
  readonly equal: boolean;
  readonly upstream: Outcome;
  readonly ours: Outcome;
}

export class Driver {
  readonly #sides: Sides;
  readonly #servers: readonly [Server, Server];

  private constructor(sides: Sides, servers: readonly [Server, Server]) {
    this.#sides = sides;
    this.#servers = servers;
  }

  static async open(sides: Sides): Promise<Driver> {
    const servers = [sides.upstream.http.createServer(), sides.ours.http.createServer()] as const;
    for (const server of servers) await listen(server);
    return new Driver(sides, servers);
  }

  async compare(program: ProgramModel): Promise<Verdict> {
    const upstream = normalise(await runProgram(program, this.#sides.upstream, this.#servers[0]));
    const shown = normalise(await runProgram(program, this.#sides.ours, this.#servers[1]));
    const ours = program.pipelined ? withoutReplyLoss(upstream, shown) : shown;
    return { equal: JSON.stringify(upstream) === JSON.stringify(ours), upstream, ours };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await close(server);
  }
}

/** Everything one side shows of a program. */
export async function runProgram(program: ProgramModel, side: Side, server: Server): Promise<Outcome> {
  const observer = observe(side.name, {});
  const replies: ReplyOutcome[] = [];
  const base = { replies, records: observer.records, console: observer.console, uncaught: observer.uncaught };
  try {
    server.removeAllListeners('request');
    server.on('request', buildApp(program.app, side.express, observer.context.record) as RequestListener);
    const port = (server.address() as AddressInfo).port;
    const talk = new Talk({ port, deadlineMs: DEADLINE_MS, replies, probe: server });
    try {
      const requests = program.requests.map(encodeRequest);
      await (program.pipelined ? talk.pipelined(requests) : talk.sequential(requests, false));
    } finally {
      talk.destroy();
    }
    await observer.settle();
    // Which of two pipelined requests takes its next step first is nobody's promise: only the steps are compared.
    return program.pipelined ? { ...base, records: observer.records.toSorted(), console: observer.console.toSorted() } : base;
  } catch (error) {
    return { ...base, setup: describe(error) };
  } finally {
    observer.stop();
  }
}
