/**
 * The three languages, each behind a function that begins it with the first call: who never asks for Ruby has none in the
 * process. The paths are literals, so that `fulmar build` finds them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { java, python, ruby, withOptions } from 'fulmar/polyglot';
import type { Neighbours } from './Neighbours.java';
import type { Judgement, Model } from './sentiment.py';

/** A path of the example, which is also where a built file finds what it carries. */
const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Longer than any call takes on a busy machine, but for those that begin a language; beyond it 504, and the guest is interrupted. */
const CALL_MS_MAX = 5_000;
/** Java compares a text with as many. */
export const REVIEWS_MAX = 500;

/** The model, trained. */
export const sentiment = once(async (): Promise<Model> => {
  const { Model } = await python.import<typeof import('./sentiment.py')>('./sentiment.py');
  const rows = readFileSync(here('data/training.tsv'), 'utf8').trim().split('\n');
  const pairs = rows.map((row) => row.split('\t') as [Judgement['mood'], string]);
  const model = await new Model(
    pairs.map(([, text]) => text),
    pairs.map(([mood]) => mood),
  );
  return withOptions(model, { timeout: CALL_MS_MAX });
});

export const markdown = once(async () => {
  const module = await ruby.import<typeof import('./markdown.rb')>('./markdown.rb');
  return withOptions(module, { timeout: CALL_MS_MAX });
});

export const neighbours = once(async (): Promise<Neighbours> => {
  const Neighbours = await java.import<typeof import('./Neighbours.java')>('./Neighbours.java', {
    options: { classPath: [here('lib/*')] },
  });
  return new Neighbours(REVIEWS_MAX);
});

/** The same promise for everybody; one that failed is not kept, so that the next call tries again. */
function once<Value>(begin: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      throw error;
    });
    return begun;
  };
}
