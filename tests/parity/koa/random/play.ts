/** How random Koa programs are run: what is built of them, and what of an outcome has no order. */
import type { RequestListener } from 'node:http';
import type { Play } from '../../harness/random/play.ts';
import { koaOf } from '../suite.ts';
import { buildApp } from './build.ts';
import type { ProgramModel } from './model.ts';

/** Something goes on after the reply: which of it comes before the next request is nobody's promise. */
function overlaps(program: ProgramModel): boolean {
  return program.pipelined || /"forget"|"late"|"bypass"|"twice-at-once"/.test(JSON.stringify(program.middleware));
}

export const play: Play<ProgramModel> = {
  build: (program, { side, tools }) => buildApp(program, koaOf(program.version, side.name), tools).callback() as RequestListener,
  unordered: (program) => (overlaps(program) ? ['records', 'console'] : []),
  probes: true,
};
