/** Types of `pages.js` for the TypeScript around it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Judgement } from '../guests/sentiment.py';
import type { Reviews } from './reviews.ts';

export function createPages(parts: {
  readonly reviews: Reviews;
  readonly judge: (texts: string[]) => Promise<Judgement[]>;
}): (request: IncomingMessage, response: ServerResponse) => void;
