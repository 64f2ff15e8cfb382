/** A server on the socket of another server: who answers, and what closing either does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test } from 'node:test';
import type { HttpModule } from '../../harness/case.ts';
import { loadSides } from '../../harness/sides.ts';

const ask = async (port: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } }).catch(() => null);
  return response === null ? 'refused' : response.text();
};

async function play(http: HttpModule): Promise<unknown[]> {
  const seen: unknown[] = [];
  const given: Server = createServer().listen(0, '127.0.0.1');
  await once(given, 'listening');
  const { port } = given.address() as AddressInfo;
  const server = http.createServer((_req, res) => void res.end('here')).listen(given);
  await once(server, 'listening');
  for (let i = 0; i < 5; i++) seen.push(await ask(port));
  seen.push((server.address() as AddressInfo).port === port, (given.address() as AddressInfo).port === port);
  server.close();
  await once(server, 'close');
  seen.push(await ask(port));
  const descriptor = openSync('/dev/null', 'r'); // As likely as not the number that the socket had.
  given.close();
  await once(given, 'close');
  seen.push(fstatSync(descriptor).isCharacterDevice());
  closeSync(descriptor);
  return seen;
}

test('a server listens on the socket of another one, and neither closes what is not its own', { timeout: 20_000 }, async () => {
  const sides = await loadSides();
  const upstream = await play(sides.upstream.http);
  assert.deepEqual(await play(sides.ours.http), upstream);
});
