/**
 * How random programs of middleware are run: what is built of them, what of an outcome has no order, and what
 * is waited for.
 */
import { stat } from 'node:fs/promises';
import { immediate } from '../harness/observe.ts';
import type { Play } from '../harness/random/play.ts';
import type { Flavour } from '../harness/sides.ts';
import { buildListener } from './build.ts';
import type { ProgramModel } from './model.ts';

/**
 * Acts are done, or listeners told, at the end of the reply: which of it comes before what else goes on then
 * is nobody's promise.
 */
function hasPhases(program: ProgramModel): boolean {
  const text = JSON.stringify(program.layers);
  return /"(finish|close|end)"|"re[qs]\.(finish|prefinish|close|end|data)"|"borrow-[a-z-]*on"|"(bypass|stream|pipe|wrap-end-later)"/.test(
    text,
  );
}

const THREAD_POOL_ROUNDS = 6;

/**
 * A file whose last byte is out has not been told of its end: that is one more visit to the thread pool,
 * before the client may leave.
 */
async function filesToEnd(program: ProgramModel): Promise<void> {
  if (!/"(static|file|stream|pipe)"/.test(JSON.stringify(program.layers))) return;
  for (let i = 0; i < THREAD_POOL_ROUNDS; i++) {
    await stat('.');
    await immediate();
  }
}

/** The flavour of the sides that a program runs on. */
export const flavourOf = ({ framework }: ProgramModel): Flavour => (framework === 'express4' ? 'express4' : 'express');

export const play: Play<ProgramModel> = {
  build: buildListener,
  unordered: (program) => (hasPhases(program) ? ['records'] : []),
  probes: false,
  finish: filesToEnd,
};
