/**
 * The programs one step smaller than one, by its JSON alone: shorter lists, then simpler values. Knows no
 * framework.
 */
import { without } from './shrink.ts';

/** Values that may stand in for a field's, by the field's name; nearer to nothing first. */
export type Simpler = Readonly<Record<string, readonly unknown[]>>;

export function* smallerJson<P>(value: P, simpler: Simpler = {}): Generator<P> {
  yield* smaller(value, simpler) as Generator<P>;
}

function* smaller(value: unknown, simpler: Simpler): Generator<unknown> {
  if (Array.isArray(value)) {
    yield* without(value as unknown[]);
    for (const [i, item] of value.entries()) for (const one of smaller(item, simpler)) yield value.with(i, one);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const one of simpler[key] ?? []) {
        if (one === item) break;
        yield { ...value, [key]: one };
      }
      for (const one of smaller(item, simpler)) yield { ...value, [key]: one };
    }
  }
}
