/**
 * Reporter of `node --test` for `scripts/test.mjs`: one line of JSON per finished test, `{ outcome, name }`.
 */
import { outcome } from './test-outcome.mjs';

export default async function* reportCounts(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    yield `${JSON.stringify({ outcome: outcome(type, data), name: data.name })}\n`;
  }
}
