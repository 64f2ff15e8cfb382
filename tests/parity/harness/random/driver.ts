/**
 * Runs random programs on both sides, one server per side whose listener is exchanged, and compares what they
 * showed.
 */
import type { Server } from 'node:http';
import { normalise, withoutReplyLoss } from '../../differences.ts';
import type { Outcome } from '../case.ts';
import { close, listen } from '../run.ts';
import type { Sides } from '../sides.ts';
import { type Play, type Program, runProgram } from './play.ts';

export interface Verdict {
  readonly equal: boolean;
  readonly upstream: Outcome;
  readonly ours: Outcome;
}

export class Driver<P extends Program> {
  readonly #play: Play<P>;
  readonly #sidesOf: (program: P) => Sides;
  readonly #servers: readonly [Server, Server];

  private constructor(play: Play<P>, sidesOf: (program: P) => Sides, servers: readonly [Server, Server]) {
    this.#play = play;
    this.#sidesOf = sidesOf;
    this.#servers = servers;
  }

  /** `sides` give the servers; `sidesOf` what a program runs on, where that is not the same for all. */
  static async open<P extends Program>(play: Play<P>, sides: Sides, sidesOf: (program: P) => Sides = () => sides): Promise<Driver<P>> {
    const servers = [sides.upstream.http.createServer(), sides.ours.http.createServer()] as const;
    for (const server of servers) await listen(server);
    return new Driver(play, sidesOf, servers);
  }

  async compare(program: P): Promise<Verdict> {
    const sides = this.#sidesOf(program);
    const [before, now] = this.#servers;
    const upstream = normalise(await runProgram(this.#play, program, { side: sides.upstream, server: before }));
    const shown = normalise(await runProgram(this.#play, program, { side: sides.ours, server: now }));
    const ours = program.pipelined === true ? withoutReplyLoss(upstream, shown) : shown;
    return { equal: JSON.stringify(upstream) === JSON.stringify(ours), upstream, ours };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await close(server);
  }
}
