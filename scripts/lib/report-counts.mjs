// Reporter of `node --test` for `scripts/test.mjs`: one line of JSON per finished test, `{ file, outcome, name, ms }`.
import { outcome } from './test-outcome.mjs';

export default async function* reportCounts(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const result = outcome(type, data);
    const { file, name, details, nesting } = data;
    yield `${JSON.stringify({ file: file ?? name, outcome: result, name, nesting, ms: details?.duration_ms ?? 0 })}\n`;
  }
}
