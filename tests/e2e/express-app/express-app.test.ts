/**
 * The example application under `fulmar run` does what it does under plain node: both run as processes of their own, the
 * same visitors come, and every reply is compared.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../support/client.ts';
import { toText } from '../support/transcript.ts';
import type { Mask, ReplyText } from '../support/transcript.ts';
import { launch } from '../support/launch.ts';
import type { Running } from '../support/launch.ts';
import { scenarios } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';

/** What differs between two processes by nature, and the one thing that must differ: what the page says it runs on. */
const MASKS: readonly Mask[] = [
  { pattern: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, by: '<uuid>' },
  { pattern: /fieldbook\.sid=[^;]+/g, by: 'fieldbook.sid=<sid>' },
  { pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, by: '<time>' },
  { pattern: /<time datetime="<time>">\d{4}-\d\d-\d\d<\/time>/g, by: '<day>' },
  { pattern: /<strong>(?:Fulmar|node:http)<\/strong> v?\d+\.\d+\.\d+\S*/g, by: '<engine>' },
  { pattern: /(<strong id="engine">)[^<]+|(<dt>(?:Version|Memory)<\/dt><dd>)[^<]+/g, by: '$1$2<engine>' },
  { pattern: /"memoryMb":\d+,"uptimeS":\d+/g, by: '"memoryMb":0,"uptimeS":0' },
];

let node: Running;
let fulmar: Running;

before(async () => {
  [node, fulmar] = await Promise.all([launch('node', 'express-app'), launch('fulmar', 'express-app')]);
});
after(async () => void (await Promise.all([node?.stop(), fulmar?.stop()])));

async function play(running: Running, scenario: Scenario): Promise<ReplyText[]> {
  const client = new Client(running.port);
  try {
    await scenario.play(client);
    return client.replies.map((reply) => comparable(toText(reply, MASKS)));
  } finally {
    client.close();
  }
}

/** Pages tell the name and version of their engine, so their length differs; under a coding, so do their bytes. */
function comparable(reply: ReplyText): ReplyText {
  const isPage = reply.fields.some((line) => line.startsWith('Content-Type: text/html'));
  if (!isPage) return reply;
  const isCoded = reply.fields.some((line) => line.startsWith('Content-Encoding: '));
  const fields = reply.fields.map((line) => line.replace(/^(Content-Length: )\d+$/, '$1<n>').replace(/^(ETag: ).*/, '$1<etag>'));
  return { ...reply, fields, content: isCoded ? '<coded>' : reply.content };
}

describe('the example application', () => {
  for (const scenario of scenarios) {
    test(`${scenario.name}, alike under node and fulmar`, { timeout: 60_000 }, async () => {
      const expected = await play(node, scenario);
      assert.deepEqual(await play(fulmar, scenario), expected);
    });
  }

  test('says on its home page what runs it', async () => {
    const engine = async ({ port }: Running): Promise<string | undefined> => {
      const client = new Client(port);
      const { content } = await client.get('/');
      client.close();
      return /<strong id="engine">([^<]+)/.exec(content.toString())?.[1];
    };
    assert.deepEqual([await engine(node), await engine(fulmar)], ['node:http', 'Fulmar']);
  });

  test('writes the same log and ends well on SIGTERM', async () => {
    const ends = await Promise.all([node.stop(), fulmar.stop()]);
    assert.deepEqual(ends[1], { code: 0, signal: null });
    const log = ({ lines }: Running): string[] =>
      lines
        .filter((line) => /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /.test(line) && !line.includes('failed:'))
        .map((line) => line.replace(/[\d.]+ ms$/, '<ms>').replace(/ \d+ - <ms>$/, ' <n> - <ms>'));
    assert.ok(log(node).length > 100);
    assert.deepEqual(log(fulmar), log(node));
  });
});
