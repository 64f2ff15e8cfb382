/**
 * The hooks of an app's start and stop, those of the apps within it included. One after the other: what starts
 * first stops last.
 */
import type { Scope } from './scope.ts';

/** @throws what a hook throws; of the stop, when all have run */
export async function runHooks(scope: Scope, which: 'start' | 'stop'): Promise<void> {
  const hooks = [...scope.all()].flatMap(({ hooks: of }) => of[which]);
  if (which === 'start') {
    for (const hook of hooks) await hook();
    return;
  }
  const errors: unknown[] = [];
  for (const hook of hooks.toReversed()) {
    try {
      await hook();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} hooks of onStop failed.`);
}
