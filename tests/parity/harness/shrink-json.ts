/** Makes a failing program smaller while it keeps failing, by its JSON alone: shorter lists, then simpler values. Knows no framework. */

/** How many candidates are tried at most; each costs one run on both sides. */
const TRIES_MAX = 400;

/** Values that may stand in for a field's, by the field's name; nearer to nothing first. */
export type Simpler = Readonly<Record<string, readonly unknown[]>>;

/** The smallest program found for which `fails` still holds. */
export async function shrinkJson<P>(program: P, fails: (candidate: P) => Promise<boolean>, simpler: Simpler = {}): Promise<P> {
  let best = program;
  let tries = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of candidates(best, simpler)) {
      if (++tries > TRIES_MAX) return best;
      if (!(await fails(candidate as P))) continue;
      best = candidate as P;
      progress = true;
      break;
    }
  }
  return best;
}

function* candidates(value: unknown, simpler: Simpler): Generator<unknown> {
  if (Array.isArray(value)) {
    const half = Math.floor(value.length / 2);
    if (half > 0) {
      yield value.slice(half);
      yield value.slice(0, half);
    }
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1);
    for (const [i, item] of value.entries()) for (const one of candidates(item, simpler)) yield value.with(i, one);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const one of simpler[key] ?? []) {
        if (one === item) break;
        yield { ...value, [key]: one };
      }
      for (const one of candidates(item, simpler)) yield { ...value, [key]: one };
    }
  }
}
