/** TLS sessions between Node and the QuickJS host, either as the server: both see that they go on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Asked, startAsked } from '../harness/asked.ts';
import { nativeHost } from '../harness/host.ts';
import { answer } from './sessions-peer.ts';

let native: Asked;
type Side = (request: Parameters<typeof answer>[0]) => Promise<unknown>;

describe('TLS sessions between Node and the native host', () => {
  before(async () => {
    native = await startAsked(nativeHost(), fileURLToPath(new URL('sessions-peer.ts', import.meta.url)), 'sessions-peer');
  });
  after(() => native.end());

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const server of ['node', 'native'] as const) {
      test(`${maxVersion}, the server is ${server}`, async () => {
        const other: Side = (request) => native.ask(request);
        const [serving, visiting] = server === 'node' ? [answer, other] : [other, answer];
        const port = (await serving({ role: 'server', maxVersion })) as number;
        const client = await visiting({ role: 'client', maxVersion, port });
        assert.deepEqual(client, [false, true, true]);
        assert.deepEqual(await serving({ role: 'seen', maxVersion }), client);
      });
    }
  }
});
