/** Makes a failing random Koa program smaller while it keeps failing: fewer requests, middleware and steps. Knows no Koa. */
import type { MiddlewareModel, ProgramModel } from './model.ts';

/** How many candidates are tried at most; each costs one run on both sides. */
const TRIES_MAX = 400;

/** The smallest program found for which `fails` still holds. */
export async function shrink(program: ProgramModel, fails: (candidate: ProgramModel) => Promise<boolean>): Promise<ProgramModel> {
  let best = program;
  let tries = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of candidates(best)) {
      if (++tries > TRIES_MAX) return best;
      if (!(await fails(candidate))) continue;
      best = candidate;
      progress = true;
      break;
    }
  }
  return best;
}

function* candidates(program: ProgramModel): Generator<ProgramModel> {
  for (const requests of without(program.requests)) if (requests.length > 0) yield { ...program, requests };
  for (const flag of ['pipelined', 'storage', 'proxy', 'listens'] as const) if (program[flag]) yield { ...program, [flag]: false };
  for (const middleware of without(program.middleware)) yield { ...program, middleware };
  for (const [i, one] of program.middleware.entries()) {
    for (const smaller of smallerMiddleware(one)) yield { ...program, middleware: program.middleware.with(i, smaller) };
  }
  for (const [i, request] of program.requests.entries()) {
    const plain = { method: request.method ?? 'GET', path: '/' };
    if (JSON.stringify(plain) !== JSON.stringify(request)) yield { ...program, requests: program.requests.with(i, plain) };
  }
}

/** Every list with one element left out. */
function* without<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < list.length; i++) yield list.toSpliced(i, 1);
}

function* smallerMiddleware(one: MiddlewareModel): Generator<MiddlewareModel> {
  for (const before of without(one.before)) yield { ...one, before };
  for (const after of without(one.after)) yield { ...one, after };
  if (one.next !== 'await' && one.next !== 'none') yield { ...one, next: 'await' };
  if (one.catches !== 'no') yield { ...one, catches: 'no' };
}
