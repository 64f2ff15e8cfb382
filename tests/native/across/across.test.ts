/** TLS between Node and the QuickJS host, either as the server: both see what two peers on Node see. */
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Asked, startAsked } from '../harness/asked.ts';
import { NODE_MAJOR, nativeHost } from '../harness/host.ts';
import { connect, listen, settled } from '../modules/tls-peers.ts';
import type { Peers } from '../modules/tls-peers.ts';
import { CONVERSATIONS } from '../modules/tls-trust.ts';

const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
const skip = isNewest ? false : `compared with Node ${NODE_MAJOR} only`;

let native: Asked;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

interface Sides {
  readonly server: 'node' | 'native';
  readonly client: 'node' | 'native';
}

async function seenBy(sides: Sides, name: string, index: number, peers: Peers): Promise<unknown> {
  const own = sides.server === 'node' ? await listen(peers) : undefined;
  const port = own?.port ?? ((await native.ask({ role: 'server', name, index })) as number);
  const client =
    sides.client === 'node'
      ? await connect(port, peers).catch((error: NodeJS.ErrnoException) => ['not opened', error.code])
      : await native.ask({ role: 'client', name, index, port });
  if (own === undefined) return plain({ client, server: await native.ask({ role: 'seen', name, index }) });
  await settled(own.seen);
  own.close();
  return plain({ client, server: own.seen });
}

describe('TLS between Node and the native host', { skip }, () => {
  before(async () => {
    native = await startAsked(nativeHost(), fileURLToPath(new URL('peer.ts', import.meta.url)), 'tls-peer');
  });
  after(() => native.end());

  for (const [name, list] of Object.entries(CONVERSATIONS)) {
    for (const sides of [{ server: 'node', client: 'native' } as const, { server: 'native', client: 'node' } as const]) {
      test(`${name}: ${sides.client} to ${sides.server}`, async () => {
        for (const [index, peers] of list.entries()) {
          const expected = await seenBy({ server: 'node', client: 'node' }, name, index, peers);
          const found = await seenBy(sides, name, index, peers);
          assert.deepEqual(found, expected, `conversation ${index}`);
        }
      });
    }
  }
});
