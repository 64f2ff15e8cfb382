/**
 * The first module of the native host: makes `require`, the globals and `process`, then starts the application.
 */
import type { Ops } from 'fulmar:ops';
import { createLoader } from './loader.ts';

export function boot(ops: Ops): unknown {
  const loader = createLoader(ops);
  const setup = loader.internal('setup.cjs') as { setup(loader: ReturnType<typeof createLoader>): void };
  setup.setup(loader);
  const main = loader.internal('main.cjs') as { main(loader: ReturnType<typeof createLoader>): unknown };
  return main.main(loader);
}
