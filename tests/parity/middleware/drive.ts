/** Runs random programs of middleware on both sides, one server per side whose listener is exchanged, and compares what they showed. */
import { stat } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { normalise } from '../differences.ts';
import { encodeRequest } from '../harness/bytes.ts';
import type { Outcome, ReplyOutcome, Side } from '../harness/case.ts';
import { describe, immediate, observe } from '../harness/observe.ts';
import { close, listen, Talk } from '../harness/run.ts';
import { type Flavour, loadSides, type Sides } from '../harness/sides.ts';
import { buildListener } from './build.ts';
import type { Framework, ProgramModel } from './model.ts';

/** Long enough for a busy machine; a program that does not answer is reported, not waited for. */
const DEADLINE_MS = Number(process.env['PARITY_DEADLINE_MS'] ?? 1_500);

export interface Verdict {
  readonly equal: boolean;
  readonly upstream: Outcome;
  readonly ours: Outcome;
}

export const flavourOf = (framework: Framework): Flavour => (framework === 'express4' ? 'express4' : 'express');

export class Driver {
  readonly #sides: Readonly<Record<Flavour, Sides>>;
  readonly #servers: readonly [Server, Server];

  private constructor(sides: Readonly<Record<Flavour, Sides>>, servers: readonly [Server, Server]) {
    this.#sides = sides;
    this.#servers = servers;
  }

  static async open(): Promise<Driver> {
    const sides = { express: await loadSides('express'), express4: await loadSides('express4') };
    const servers = [sides.express.upstream.http.createServer(), sides.express.ours.http.createServer()] as const;
    for (const server of servers) await listen(server);
    return new Driver(sides, servers);
  }

  async compare(program: ProgramModel): Promise<Verdict> {
    const sides = this.#sides[flavourOf(program.framework)];
    const upstream = normalise(await runProgram(program, sides.upstream, this.#servers[0]));
    const ours = normalise(await runProgram(program, sides.ours, this.#servers[1]));
    return { equal: JSON.stringify(upstream) === JSON.stringify(ours), upstream, ours };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await close(server);
  }
}

/** Acts are done, or listeners told, at the end of the reply: which of it comes before what else goes on then is nobody's promise. */
function hasPhases(program: ProgramModel): boolean {
  const text = JSON.stringify(program.layers);
  return /"(finish|close|end)"|"re[qs]\.(finish|prefinish|close|end|data)"|"borrow-[a-z-]*on"|"(bypass|stream|pipe|wrap-end-later)"/.test(
    text,
  );
}

const THREAD_POOL_ROUNDS = 6;

/** A file whose last byte is out has not been told of its end: that is one more visit to the thread pool, before the client may leave. */
async function filesToEnd(program: ProgramModel): Promise<void> {
  if (!/"(static|file|stream|pipe)"/.test(JSON.stringify(program.layers))) return;
  for (let i = 0; i < THREAD_POOL_ROUNDS; i++) {
    await stat('.');
    await immediate();
  }
}

/** Everything one side shows of a program. */
export async function runProgram(program: ProgramModel, side: Side, server: Server): Promise<Outcome> {
  const observer = observe(side.name, {});
  const replies: ReplyOutcome[] = [];
  const undone: (() => void)[] = [];
  const base = { replies, records: observer.records, console: observer.console, uncaught: observer.uncaught };
  try {
    server.removeAllListeners('request');
    const build = { side, tools: observer.context, undo: (fn: () => void): void => void undone.push(fn) };
    server.on('request', buildListener(program, build) as RequestListener);
    const talk = new Talk({ port: (server.address() as AddressInfo).port, deadlineMs: DEADLINE_MS, replies, probe: undefined });
    try {
      await talk.sequential(program.requests.map(encodeRequest), false);
      await filesToEnd(program);
    } finally {
      talk.destroy();
    }
    await observer.settle();
    return { ...base, records: hasPhases(program) ? observer.records.toSorted() : observer.records };
  } catch (error) {
    return { ...base, setup: describe(error) };
  } finally {
    for (const undo of undone.reverse()) undo();
    observer.stop();
  }
}
