/** How a random Koa program is made smaller: fewer requests, middleware and steps. Knows no Koa. */
import { without } from '../../harness/random/shrink.ts';
import type { MiddlewareModel, ProgramModel } from './model.ts';

/** The programs one step smaller than one. */
export function* smallerPrograms(program: ProgramModel): Generator<ProgramModel> {
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

function* smallerMiddleware(one: MiddlewareModel): Generator<MiddlewareModel> {
  for (const before of without(one.before)) yield { ...one, before };
  for (const after of without(one.after)) yield { ...one, after };
  if (one.next !== 'await' && one.next !== 'none') yield { ...one, next: 'await' };
  if (one.catches !== 'no') yield { ...one, catches: 'no' };
}
