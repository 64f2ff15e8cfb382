/**
 * The reviews, and the way of a new one through three languages: Ruby makes text of its Markdown, Python tells its mood,
 * Java which earlier one it is like.
 */
import { HttpError } from 'fulmar';
import { withOptions } from 'fulmar/polyglot';
import { markdown, neighbours, REVIEWS_MAX } from '../guests/index.ts';
import type { Judgement } from '../guests/sentiment.py';
import { isOf, judge } from './judge.ts';

export interface NewReview {
  readonly book: string;
  readonly markdown: string;
}

export interface Review extends Judgement {
  readonly id: number;
  readonly book: string;
  /** Made by `guests/markdown.rb`: can stand in a page. */
  readonly html: string;
  readonly text: string;
  /** The earlier review that it is like. */
  readonly like: { readonly id: number; readonly similarity: number } | null;
}

/** From here on a review says what another one has said. */
const SIMILARITY_MIN = 0.9;

export class Reviews {
  readonly #all: Review[] = [];
  #lastId = 0;

  all(): readonly Review[] {
    return this.#all;
  }

  /** @throws HttpError 422 for what is no review */
  async add(given: NewReview, signal?: AbortSignal): Promise<Review> {
    const { html, text } = await render(given.markdown, signal);
    if (text === '') throw new HttpError(422, 'The review says nothing.');
    const [judgement] = await judge([text], signal);
    if (judgement === undefined) throw new Error('the model gives one judgement for each text');
    const id = ++this.#lastId;
    const nearest = await (await neighbours()).add(id, text);
    const like = nearest !== null && nearest.similarity >= SIMILARITY_MIN ? nearest : null;
    const review = { id, book: given.book, html, text, ...judgement, like };
    this.#all.push(review);
    if (this.#all.length > REVIEWS_MAX) this.#all.shift();
    return review;
  }
}

async function render(source: string, signal?: AbortSignal): Promise<{ readonly html: string; readonly text: string }> {
  try {
    return await withOptions(await markdown(), { signal }).render(source);
  } catch (error) {
    if (isOf(error, 'Markdown::TooDeep')) throw new HttpError(422, `The Markdown is too deep: ${error.message}.`);
    throw error;
  }
}
