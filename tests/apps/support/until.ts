/** Waits for what has no event of its own: a state that only asking reveals. */

const TIMES_MAX = 3_000;
const PAUSE_MS = 10;

/** Asks until the answer is something else than `undefined`. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (let times = 0; times < TIMES_MAX; times += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`waited in vain for ${what}`);
}
