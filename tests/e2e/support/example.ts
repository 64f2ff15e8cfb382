/**
 * An example application under `fulmar run` and under plain node: processes of their own, the same visitors,
 * and every reply compared.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from './client.ts';
import { launch, type Running } from './launch.ts';

/** What is particular to an example. */
export interface Example<Scenario extends { readonly name: string }> {
  /** In the test's name. */
  readonly title: string;
  /** Its folder of `examples`. */
  readonly folder: string;
  readonly scenarios: readonly Scenario[];
  readonly play: (running: Running, scenario: Scenario) => Promise<unknown>;
  /** The lines of its log, without what differs between two processes by nature. */
  readonly logOf: (lines: readonly string[]) => string[];
  /** So many lines have to be there. */
  readonly linesMin: number;
}

async function engineOf({ port }: Running): Promise<string | undefined> {
  const client = new Client(port);
  const { content } = await client.get('/');
  client.close();
  return /<strong id="engine">([^<]+)/.exec(content.toString())?.[1];
}

export function defineExample<Scenario extends { readonly name: string }>(example: Example<Scenario>): void {
  const { title, folder, scenarios, play, logOf, linesMin } = example;
  let node: Running;
  let fulmar: Running;

  before(async () => {
    [node, fulmar] = await Promise.all([launch('node', folder), launch('fulmar', folder)]);
  });
  after(async () => void (await Promise.all([node?.stop(), fulmar?.stop()])));

  describe(title, () => {
    for (const scenario of scenarios) {
      test(`${scenario.name}, alike under node and fulmar`, { timeout: 60_000 }, async () => {
        const expected = await play(node, scenario);
        assert.deepEqual(await play(fulmar, scenario), expected);
      });
    }

    test('says on its home page what runs it', async () => {
      assert.deepEqual([await engineOf(node), await engineOf(fulmar)], ['node:http', 'Fulmar']);
    });

    test('writes the same log and ends well on SIGTERM', async () => {
      const ends = await Promise.all([node.stop(), fulmar.stop()]);
      assert.deepEqual(ends[1], { code: 0, signal: null });
      const expected = logOf(node.lines);
      assert.ok(expected.length > linesMin, `only ${expected.length} lines`);
      assert.deepEqual(logOf(fulmar.lines), expected);
    });
  });
}
