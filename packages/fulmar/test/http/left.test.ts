/**
 * A client that has the whole of a reply ends its side before the application has said that it is the end:
 * how long an `end()` still counts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import * as ours from '../../src/http/index.ts';

/** One more than the turns of the loop in which Node takes an `end()`. */
const TURNS_MAX = 6;

interface Asked {
  readonly of: Pick<typeof http, 'createServer'>;
  /** Turns of the loop from the client's end to `end()`. */
  readonly turns: number;
  readonly withSocket: boolean;
}

/** What the reply and its request are told until it is closed. */
async function outcome({ of: { createServer }, turns, withSocket }: Asked): Promise<string> {
  const told: string[] = [];
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  let finish = (): void => undefined;
  const server = createServer((req, res) => {
    if (withSocket) told.push(typeof req.socket.remotePort);
    req.on('aborted', () => told.push('aborted'));
    res.on('finish', () => told.push('finish'));
    res.on('close', () => {
      told.push(`close ${res.writableFinished}`);
      end();
    });
    res.setHeader('Content-Length', 5);
    res.write('whole');
    finish = () => void res.end((error?: Error | null) => told.push(`called back ${error?.message}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  client.once('data', () => {
    client.end();
    inTurns(turns, () => finish());
  });
  await Promise.all([closed, once(client, 'close')]);
  server.close();
  return told.slice(0, told.findIndex((what) => what.startsWith('close')) + 1).join(', ');
}

function inTurns(count: number, work: () => void): void {
  if (count === 0) work();
  else setImmediate(inTurns, count - 1, work);
}

for (const withSocket of [false, true]) {
  test(`as long as on Node${withSocket ? ', when somebody knows the socket' : ''}`, async () => {
    const seen = new Set<string>();
    for (let turns = 0; turns < TURNS_MAX; turns += 1) {
      const expected = await outcome({ of: http, turns, withSocket });
      assert.equal(await outcome({ of: ours as never, turns, withSocket }), expected, `${turns} turns later`);
      seen.add(expected);
    }
    assert.ok(seen.size > 1, `every end() counted, or none: ${[...seen].join('; ')}`);
  });
}
