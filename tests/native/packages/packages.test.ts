// npm packages on the native host: an application of each, built by `fulmar build --native`, answers as on Node.
//   PACKAGES_ONLY=zod,pg   only these
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:net';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { type App, buildNative, startNative, startNode, stop } from './apps.ts';
import { createPostgres } from './fake-postgres.ts';
import { createRedis } from './fake-redis.ts';
import { PACKAGES, type PackageCase } from './list.ts';
import { talkHttp, talkWebSocket } from './talk.ts';

const only = process.env['PACKAGES_ONLY']?.split(',');
const servers: Server[] = [];
const environment: Record<string, string> = {};

before(async () => {
  for (const [name, create] of Object.entries({ TEST_PG_PORT: createPostgres, TEST_REDIS_PORT: createRedis })) {
    const server = create();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    environment[name] = String((server.address() as { port: number }).port);
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  environment['TEST_PRIVATE_KEY'] = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  environment['TEST_PUBLIC_KEY'] = publicKey.export({ type: 'spki', format: 'pem' }).toString();
});
after(() => servers.forEach((server) => server.close()));

for (const one of PACKAGES) {
  if (only !== undefined && !only.includes(one.name)) continue;
  test(`${one.name} works as on Node: ${one.uses}`, async () => {
    const node = await shown(one, () => startNode(one.name, environment));
    const executable = await buildNative(one.name);
    const native = await shown(one, () => startNative(executable, environment));
    if (one.differs === undefined) assert.deepStrictEqual(native, node, `${one.name}: the native host (+) differs from Node (-)`);
    else assert.notDeepStrictEqual(native, node, `${one.name} is listed as different (${one.differs}), and is not`);
  });
}

async function shown(one: PackageCase, start: () => Promise<App>): Promise<unknown> {
  const app = await start();
  try {
    return one.name === 'ws' ? await talkWebSocket(app.port) : await talkHttp(app.port, one);
  } catch (error) {
    throw new Error(`${one.name} on ${app.where}: ${app.output()}`, { cause: error });
  } finally {
    await stop(app);
  }
}
