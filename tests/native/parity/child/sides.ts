/** Stands in for `harness/sides.ts`: the child has our side only. */
import type { HttpModule, Side } from '../../../parity/harness/case.ts';
import type { ExpressModule } from '../../../parity/harness/express-api.ts';
import { planOf } from '../../harness/write.ts';
import type { SuitePlan } from './plan.ts';

export type Flavour = 'express' | 'express4';

export function ourSide(flavour: Flavour): Side {
  const { lookup } = planOf<SuitePlan>();
  return {
    name: 'ours',
    /** Loaded by the first case that asks. */
    get express() {
      return lookup(`fulmar/${flavour}`) as ExpressModule;
    },
    http: lookup('fulmar/http') as HttpModule,
  };
}

/** What harness and suites ask for: both names are there, only ours can be used. */
export function loadSides(flavour: Flavour = 'express'): Promise<{ readonly ours: Side; readonly upstream: Side }> {
  const sides = { ours: ourSide(flavour) };
  Object.defineProperty(sides, 'upstream', {
    get: () => {
      throw new Error('the native host runs our side only');
    },
  });
  return Promise.resolve(sides as { ours: Side; upstream: Side });
}
