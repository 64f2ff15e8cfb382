/** What the model says of texts, and what its exceptions mean for who asked. Knows nothing of routes. */
import { HttpError } from 'fulmar';
import { GuestError, withOptions } from 'fulmar/polyglot';
import { sentiment } from '../guests/index.ts';
import type { Judgement } from '../guests/sentiment.py';

/** @param signal of the request: whoever leaves interrupts Python */
export async function judge(texts: string[], signal?: AbortSignal): Promise<Judgement[]> {
  const model = await sentiment();
  try {
    return await withOptions(model, { signal }).judge(texts);
  } catch (error) {
    // An exception that is an answer. All others stay what they are: 503 and 504 by themselves, 500 else.
    if (isOf(error, 'sentiment.NothingKnown')) throw new HttpError(422, `The model cannot tell: ${error.message}.`);
    throw error;
  }
}

/** Is it the guest's exception of that class? Python and Ruby say where it is from: `sentiment.NothingKnown`, `Markdown::TooDeep`. */
export const isOf = (error: unknown, name: string): error is GuestError => error instanceof GuestError && error.class === name;
