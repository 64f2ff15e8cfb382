/**
 * The random programs of the parity suites by kind and seed, for both processes: what a program runs on, and
 * its run.
 */
import { play as expressPlay } from '../../parity/express/random/play.ts';
import { EXPRESS_4, EXPRESS_5, generateProgram as generateExpress } from '../../parity/express/random/generate.ts';
import type { Outcome } from '../../parity/harness/case.ts';
import { type Place, type Play, type Program, runProgram } from '../../parity/harness/random/play.ts';
import type { Flavour } from '../../parity/harness/sides.ts';
import { generateProgram as generateKoa } from '../../parity/koa/random/generate.ts';
import { play as koaPlay } from '../../parity/koa/random/play.ts';
import { generateProgram as generateMiddleware } from '../../parity/middleware/generate.ts';
import { flavourOf, play as middlewarePlay } from '../../parity/middleware/play.ts';

export const KINDS = ['express', 'express4', 'koa', 'middleware'] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  readonly kind: Kind;
  readonly seed: number;
}

export interface RandomProgram {
  readonly flavour: Flavour;
  readonly pipelined: boolean;
  readonly run: (place: Place) => Promise<Outcome>;
}

function prepared<P extends Program>(play: Play<P>, program: P, flavour: Flavour): RandomProgram {
  return { flavour, pipelined: program.pipelined === true, run: (place) => runProgram(play, program, place) };
}

export function programOf({ kind, seed }: Question): RandomProgram {
  if (kind === 'koa') return prepared(koaPlay, generateKoa(seed), 'express');
  if (kind !== 'middleware') return prepared(expressPlay, generateExpress(seed, kind === 'express4' ? EXPRESS_4 : EXPRESS_5), kind);
  const program = generateMiddleware(seed);
  return prepared(middlewarePlay, program, flavourOf(program));
}
