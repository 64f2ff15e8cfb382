/**
 * Plays a scenario of the Koa example and makes its replies comparable: what differs between two processes by
 * nature is masked.
 */
import { Client } from '../support/client.ts';
import type { Running } from '../support/launch.ts';
import { toText } from '../support/transcript.ts';
import type { Mask, ReplyText } from '../support/transcript.ts';
import type { Scenario } from './scenarios.ts';

/**
 * What differs between two processes by nature: times in sessions and their signatures, and what the page
 * says it runs on.
 */
const MASKS: readonly Mask[] = [
  { pattern: /logbook(\.sig)?=[^;]+/g, by: 'logbook$1=<session>' },
  { pattern: /(<strong id="engine">)[^<]+(<\/strong> <span id="version">)[^<]+/g, by: '$1<engine>$2<version>' },
  { pattern: /"uptimeS":\d+/g, by: '"uptimeS":0' },
];

export async function play(running: Running, scenario: Scenario): Promise<ReplyText[]> {
  const client = new Client(running.port);
  try {
    await scenario.play(client);
    return client.replies.map((reply) => comparable(toText(reply, MASKS)));
  } finally {
    client.close();
  }
}

/**
 * Pages tell the name and version of their engine, so their length differs; under a coding, so do their
 * bytes.
 */
function comparable(reply: ReplyText): ReplyText {
  if (!reply.fields.some((line) => line.startsWith('Content-Type: text/html'))) return reply;
  const isCoded = reply.fields.some((line) => line.startsWith('Content-Encoding: '));
  const fields = reply.fields.map((line) => line.replace(/^(Content-Length: )\d+$/, '$1<n>'));
  return { ...reply, fields, content: isCoded ? '<coded>' : reply.content };
}
