/**
 * The program inside the child that lists members: says for each module that the plan names what it offers
 * and what state members are in.
 */
import { membersOf, stateOf } from './members.ts';
import type { Lookup } from './write.ts';
import { planOf, say } from './write.ts';

export interface SurveyRequest {
  readonly module: string;
  /** Members whose state is asked for, besides the list of all. */
  readonly names: readonly string[];
}

export interface SurveyPlan {
  readonly lookup: Lookup;
  readonly requests: readonly SurveyRequest[];
}

const { lookup, requests } = planOf<SurveyPlan>();
for (const { module, names } of requests) {
  const states = Object.fromEntries(names.map((name) => [name, stateOf(module, name, lookup)]));
  say({ module, members: membersOf(module, lookup), states });
}
say({ done: true });
