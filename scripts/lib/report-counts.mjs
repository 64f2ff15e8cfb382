/**
 * Reporter of `node --test` for `scripts/test.mjs`: one line of JSON per finished test, `{ outcome, name, file }`. The
 * file is the one that was run: what `node --test` says is where a test is written, which may be a file of support.
 */
import { isTestFile, outcome } from './test-outcome.mjs';

export default async function* reportCounts(events) {
  let running = '';
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && isTestFile(data)) running = data.file;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    yield `${JSON.stringify({ outcome: outcome(type, data), name: data.name, file: isTestFile(data) ? data.file : running })}\n`;
  }
}
