/**
 * The first module of the QuickJS host: makes `require`, the globals and `process`, then starts the
 * application.
 */
import later from 'fulmar:later';
import type { Ops } from 'fulmar:ops';
import { createLoader } from './loader.ts';

export function boot(ops: Ops): unknown {
  const loader = createLoader(ops);
  loader.internal(later.file<typeof import('./setup.ts')>()).setup(loader);
  return loader.internal(later.file<typeof import('./main.ts')>()).main(loader);
}
