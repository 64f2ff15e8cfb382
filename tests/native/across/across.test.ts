// TLS between Node and the native host, either as the server: both see what two peers on Node see.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import readline from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle, folder } from '../harness/bundle.ts';
import { LOOKUP, NODE_MAJOR, nativeHost } from '../harness/host.ts';
import { connect, listen, settled } from '../modules/tls-peers.ts';
import type { Peers } from '../modules/tls-peers.ts';
import { CONVERSATIONS } from '../modules/tls-trust.ts';
import type { Request } from './peer.ts';

const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
const skip = isNewest ? false : `compared with Node ${NODE_MAJOR} only`;

let child: ChildProcess | undefined;
let answers: AsyncIterator<string> | undefined;

async function native(request: Request): Promise<unknown> {
  child?.stdin?.write(`${JSON.stringify(request)}\n`);
  const line = await answers?.next();
  assert.ok(line !== undefined && line.done !== true, 'the native side has ended');
  return (JSON.parse(line.value) as { result: unknown }).result;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

interface Sides {
  readonly server: 'node' | 'native';
  readonly client: 'node' | 'native';
}

async function seenBy(sides: Sides, name: string, index: number, peers: Peers): Promise<unknown> {
  const own = sides.server === 'node' ? await listen(peers) : undefined;
  const port = own?.port ?? ((await native({ role: 'server', name, index })) as number);
  const client =
    sides.client === 'node'
      ? await connect(port, peers).catch((error: NodeJS.ErrnoException) => ['not opened', error.code])
      : await native({ role: 'client', name, index, port });
  if (own === undefined) return plain({ client, server: await native({ role: 'seen', name, index }) });
  await settled(own.seen);
  own.close();
  return plain({ client, server: own.seen });
}

describe('TLS between Node and the native host', { skip }, () => {
  before(async () => {
    const peer = fileURLToPath(new URL('peer.ts', import.meta.url));
    const text = await bundle({ entry: `import { run } from ${JSON.stringify(peer)};\nvoid run();\n` });
    const path = join(folder(), 'tls-peer.cjs');
    writeFileSync(path, `Object.defineProperty(globalThis, 'plan', { value: { lookup: ${LOOKUP} } });\n${text}`);
    const { command, args, env } = nativeHost();
    child = spawn(command, [...args, path], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    answers = readline.createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  });
  after(() => child?.kill());

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
