/**
 * Stands in for `harness/suite.ts`: collects the cases of a suite, and runs on our side those that the parent
 * asks for.
 */
import type { ParityCase } from '../../../parity/harness/case.ts';
import { runCase } from '../../../parity/harness/run.ts';
import { answerQuestions } from '../../harness/answer.ts';
import { planOf } from '../../harness/write.ts';
import type { SuitePlan } from './plan.ts';
import { type Flavour, ourSide } from './sides.ts';

const collected: { readonly parity: ParityCase; readonly flavour: Flavour }[] = [];

export function defineSuite(cases: readonly ParityCase[], own: Flavour = 'express'): void {
  for (const parity of cases) collected.push({ parity, flavour: planOf<SuitePlan>().flavour ?? own });
}

/** Called by the entry, once every file of the suite has been run. */
export function serveCases(): void {
  answerQuestions(async (question) => {
    const { index } = question as { readonly index: number };
    const found = collected[index];
    if (found === undefined) throw new Error(`there is no case ${index}`);
    return runCase(found.parity, ourSide(found.flavour));
  });
}
