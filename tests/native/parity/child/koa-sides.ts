/** Stands in for `koa/sides.ts`: the child has our side only. */
import type { SideName } from '../../../parity/harness/case.ts';
import type { KoaModule } from '../../../parity/koa/api.ts';
import { planOf } from '../../harness/write.ts';
import type { SuitePlan } from './plan.ts';

export type Version = 2 | 3;
export const VERSIONS: readonly Version[] = [3, 2];

export type KoaSides = Readonly<Record<SideName, KoaModule>>;

export function loadKoa(version: Version): KoaSides {
  const ours = planOf<SuitePlan>().lookup(version === 3 ? 'fulmar/koa' : 'fulmar/koa2') as KoaModule;
  const sides = { ours };
  Object.defineProperty(sides, 'upstream', {
    get: () => {
      throw new Error('the native host runs our side only');
    },
  });
  return sides as unknown as KoaSides;
}

/** What `import * as` of the package gives. */
export function importKoa(version: Version, _side: SideName): Promise<Record<string, unknown>> {
  return (version === 3 ? import('fulmar/koa') : import('fulmar/koa2')) as unknown as Promise<Record<string, unknown>>;
}
