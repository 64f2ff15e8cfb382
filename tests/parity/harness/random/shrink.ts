/**
 * Makes a failing program smaller while it keeps failing. What is smaller is said by whoever knows the
 * program. Knows no framework.
 */

/** How many candidates are tried at most; each costs one run on both sides. */
const TRIES_MAX = 600;

/** Whether a program still fails. */
export type Fails<P> = (candidate: P) => Promise<boolean>;

/**
 * The smallest program found for which `fails` still holds; `candidates` are the programs one step smaller,
 * the boldest steps first.
 */
export async function shrink<P>(program: P, fails: Fails<P>, candidates: (program: P) => Iterable<P>): Promise<P> {
  let best = program;
  let tries = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of candidates(best)) {
      if (++tries > TRIES_MAX) return best;
      if (!(await fails(candidate))) continue;
      best = candidate;
      progress = true;
      break;
    }
  }
  return best;
}

/** Every list with a half, or with one element, left out. */
export function* without<T>(list: readonly T[]): Generator<readonly T[]> {
  const half = Math.floor(list.length / 2);
  if (half > 0) {
    yield list.slice(half);
    yield list.slice(0, half);
  }
  for (let i = 0; i < list.length; i++) yield list.toSpliced(i, 1);
}
