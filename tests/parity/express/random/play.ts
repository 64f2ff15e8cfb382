/** How random Express programs are run: what is built of them, and what of an outcome has no order. */
import type { RequestListener } from 'node:http';
import type { Play } from '../../harness/random/play.ts';
import { buildApp } from './build.ts';
import type { ProgramModel } from './model.ts';

export const play: Play<ProgramModel> = {
  build: (program, { side, tools }) => buildApp(program.app, side.express, tools.record) as RequestListener,
  // Which of two pipelined requests takes its next step first is nobody's promise: only the steps are
  // compared.
  unordered: (program) => (program.pipelined ? ['records', 'console'] : []),
  probes: true,
};
