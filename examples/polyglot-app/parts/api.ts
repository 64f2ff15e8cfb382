/** Typed routes: schemas check what comes and say what handlers get. */
import type { App } from 'fulmar';
import { z } from 'zod';
import { judge } from './judge.ts';
import type { Reviews } from './reviews.ts';

/** Half of a pair of surrogates is no text anywhere but in JavaScript. */
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed(), 'is no well-formed text');

const judgement = z.object({ mood: z.enum(['good', 'bad']), confidence: z.number() });
const newReview = z.object({ book: text(200), markdown: text(10_000) });
const review = judgement.extend({
  id: z.number(),
  book: z.string(),
  html: z.string(),
  text: z.string(),
  like: z.object({ id: z.number(), similarity: z.number() }).nullable(),
});

const TEXTS_MAX = 64;

export function addApi(app: App, reviews: Reviews): void {
  const body = z.object({ texts: z.array(text(2_000)).min(1).max(TEXTS_MAX) });
  app.post('/api/sentiment', { body, response: z.array(judgement) }, (c) => judge(c.body.texts, c.signal));

  app.get('/api/reviews', { response: z.array(review) }, () => [...reviews.all()]);
  app.post('/api/reviews', { body: newReview, response: { 201: review } }, async (c) =>
    c.status(201).json(await reviews.add(c.body, c.signal)),
  );
}
