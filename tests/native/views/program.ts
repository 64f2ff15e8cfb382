// The child: gives every kind of view to every function and compares with an ordinary array of the same
// bytes. Then the calls during which JavaScript changes the view. Says what it begins and what came of it, so
// that a crash has a name.
import { type Lookup, planOf, say } from '../harness/write.ts';
import { cases, ownArrays } from './cases.ts';
import { during } from './during.ts';
import type { Case } from './support.ts';
import { kinds, type Made } from './values.ts';

interface Plan {
  readonly lookup: Lookup;
  readonly from: number;
}

type Outcome = { readonly gave: unknown } | { readonly threw: string };

function outcomeOf(call: () => unknown): Outcome {
  try {
    return { gave: plain(call()) };
  } catch (error) {
    return { threw: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

/** As data that can be written. */
function plain(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return plain(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${[...(value as Uint8Array)].join(' ')}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint' || value === undefined) return String(value);
  return value;
}

/** What is wrong, or undefined. */
function judged(one: Case, made: Made): string | undefined {
  const honest = made.expected === 'empty' ? new Uint8Array(0) : one.content.slice();
  const before = made.own().slice();
  const found = outcomeOf(() => one.call(made.value));
  made.check();
  const text = JSON.stringify(found);
  if (made.expected === 'refused') {
    if (JSON.stringify(before) !== JSON.stringify(made.own().slice())) return 'its memory was written';
    return /"TypeError: /.test(text) && !/"gave":(?!\[("TypeError: refused",?)+\])/.test(text) ? undefined : `not refused: ${text}`;
  }
  const wanted = JSON.stringify(outcomeOf(() => one.call(honest)));
  if (text !== wanted && !isGoneAllowed(found, made)) return `${text}, and of an ordinary array ${wanted}`;
  if (one.isRandom !== true && made.expected === 'same' && plain(made.own()) !== plain(honest)) return `wrote ${String(plain(made.own()))}, and to an ordinary array ${String(plain(honest))}`;
  return undefined;
}

/** What has no bytes any more may also be an error that says so. */
const isGoneAllowed = (found: Outcome, made: Made): boolean => made.expected === 'empty' && 'threw' in found && /detached/.test(found.threw);

/** What is wrong with one case, over all kinds of views. */
function tried(one: Case): { readonly wrong: readonly string[]; readonly count: number } {
  const wrong: string[] = [];
  let count = 0;
  for (const [kind, make] of Object.entries(kinds)) {
    const made = make(one.content);
    if (made === undefined) continue;
    count += 1;
    try {
      const problem = judged(one, made);
      if (problem !== undefined) wrong.push(`${kind}: ${problem}`);
    } catch (error) {
      wrong.push(`${kind}: ${String(error)}`);
    }
  }
  return { wrong, count };
}

async function ran(run: () => void | Promise<void>): Promise<{ readonly wrong: readonly string[]; readonly count: number }> {
  try {
    await run();
    return { wrong: [], count: 1 };
  } catch (error) {
    return { wrong: [String(error)], count: 1 };
  }
}

/**
 * From the case numbered `plan.from` on: those before it are known from another child, which the last of them
 * ended.
 */
async function main(): Promise<void> {
  say({ names: Object.keys(cases), ownArrays });
  const all = [...Object.entries(cases), ...Object.entries(during)];
  for (const [name, work] of all.slice(planOf<Plan>().from)) {
    say({ begun: name });
    say({ name, ...(typeof work === 'function' ? await ran(work) : tried(work)) });
  }
  say({ done: true });
}

void main();
