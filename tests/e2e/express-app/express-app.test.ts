/**
 * The example application under `fulmar run` does what it does under plain node: both run as processes of their own, the
 * same visitors come, and every reply is compared.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../support/client.ts';
import { launch } from '../support/launch.ts';
import type { Running } from '../support/launch.ts';
import { play } from './play.ts';
import { scenarios } from './scenarios.ts';

let node: Running;
let fulmar: Running;

before(async () => {
  [node, fulmar] = await Promise.all([launch('node', 'express-app'), launch('fulmar', 'express-app')]);
});
after(async () => void (await Promise.all([node?.stop(), fulmar?.stop()])));

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
