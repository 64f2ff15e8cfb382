/**
 * The program inside the child: runs cases in order and writes one line for each outcome. The parent puts a
 * plan in front of the bundle.
 */
import type { ModuleCases, Program } from './cases.ts';
import { isError, serialise, serialiseError, type Written } from './serialise.ts';
import { type Lookup, planOf, say } from './write.ts';

/** What the parent wants: the outcomes of all programs from the one numbered `from`. */
export interface Plan {
  readonly lookup: Lookup;
  readonly from: number;
}

export async function runCases(cases: ModuleCases): Promise<void> {
  const plan = planOf<Plan>();
  say({ ready: true });
  const programs = [...cases.programs.values()].flat();
  for (const [index, program] of programs.entries()) {
    if (index >= plan.from) say({ index, outcome: await outcomeOf(program) });
  }
  say({ done: true });
}

async function outcomeOf(program: Program): Promise<Written> {
  try {
    const result = program();
    const isPromise = typeof (result as { then?: unknown } | null | undefined)?.then === 'function';
    return isPromise ? { resolved: serialise(await result) } : { returned: serialise(result) };
  } catch (error) {
    return { thrown: isError(error) ? serialiseError(error, (item) => serialise(item)) : serialise(error) };
  }
}
