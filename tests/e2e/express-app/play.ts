/**
 * Plays a scenario of the Express example and makes its replies comparable: what differs between two
 * processes by nature is masked.
 */
import { Client } from '../support/client.ts';
import type { Running } from '../support/launch.ts';
import { toText } from '../support/transcript.ts';
import type { Mask, ReplyText } from '../support/transcript.ts';
import type { Scenario } from './scenarios.ts';

/**
 * What differs between two processes by nature, and the one thing that must differ: what the page says it
 * runs on.
 */
const MASKS: readonly Mask[] = [
  { pattern: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, by: '<uuid>' },
  { pattern: /fieldbook\.sid=[^;]+/g, by: 'fieldbook.sid=<sid>' },
  { pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, by: '<time>' },
  { pattern: /<time datetime="<time>">\d{4}-\d\d-\d\d<\/time>/g, by: '<day>' },
  { pattern: /<strong>(?:Fulmar|node:http)<\/strong> v?\d+\.\d+\.\d+\S*/g, by: '<engine>' },
  { pattern: /(<strong id="engine">)[^<]+|(<dt>(?:Version|Memory|Node\.js)<\/dt><dd>)[^<]+/g, by: '$1$2<engine>' },
  { pattern: /"memoryMb":\d+,"uptimeS":\d+/g, by: '"memoryMb":0,"uptimeS":0' },
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
  const isPage = reply.fields.some((line) => line.startsWith('Content-Type: text/html'));
  if (!isPage) return reply;
  const isCoded = reply.fields.some((line) => line.startsWith('Content-Encoding: '));
  const fields = reply.fields.map((line) => line.replace(/^(Content-Length: )\d+$/, '$1<n>').replace(/^(ETag: ).*/, '$1<etag>'));
  return { ...reply, fields, content: isCoded ? '<coded>' : reply.content };
}
