/**
 * What a response keeps of its content: the text of a short one, for who reads the ETag that the engine fills
 * in; nothing of a long one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from '../../src/express/index.ts';
import { weakTextEtag } from '../../src/web/etag.ts';

interface Reply {
  _tagged: string | null;
  get(name: string): string;
  send(text: string): unknown;
}

interface Application {
  get(path: string, handler: (req: unknown, res: Reply) => void): void;
  listen(port: number, host: string): Server;
}

test('the text of a long reply goes with it, and its ETag stays', async () => {
  const seen: [number, boolean, boolean][] = [];
  const app = (express as unknown as () => Application)();
  const texts = [1, 1_000, 16_384, 16_385, 100_000].map((length) => 'é'.repeat(length));
  app.get('/:index', (_req, res) => {
    const text = texts[seen.length] as string;
    res.send(text);
    const isKept = res._tagged !== null;
    seen.push([text.length, isKept, res.get('ETag') === weakTextEtag(text, Buffer.byteLength(text))]);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const text of texts) assert.equal(await (await fetch(`http://127.0.0.1:${port}/x`)).text(), text);
  server.close();
  assert.deepEqual(seen, [
    [1, true, true],
    [1_000, true, true],
    [16_384, true, true],
    [16_385, false, true],
    [100_000, false, true],
  ]);
});
