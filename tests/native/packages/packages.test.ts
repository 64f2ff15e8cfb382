/**
 * npm packages on the QuickJS host: an application of each, built by `fulmar build --native`, answers as on
 * Node.
 *   PACKAGES_ONLY=zod,pg   only these
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { ED25519_PRIVATE } from '../modules/crypto-keys.ts';
import { CERTIFICATES } from '../modules/tls-certificates.ts';
import { CA } from '../modules/tls-identity.ts';
import { type App, buildNative, startNative, startNode, stop } from './apps.ts';
import { createPostgres } from './fake-postgres.ts';
import { createRedis } from './fake-redis.ts';
import { createIssuer } from './issuer.ts';
import { PACKAGES, type PackageCase } from './list.ts';
import { createOrigin, createTlsOrigin } from './origin.ts';
import { missingPostgres, type PostgresTls, startPostgresTls } from './postgres-tls.ts';
import { talkHttp, talkWebSocket } from './talk.ts';

const nodeMajor = Number.parseInt(process.versions.node, 10);
const only = process.env['PACKAGES_ONLY']?.split(',');
const servers: Server[] = [];
const environment: Record<string, string> = {};
let postgres: PostgresTls | undefined;

before(async () => {
  const listens = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return String((server.address() as { port: number }).port);
  };
  environment['TEST_PG_PORT'] = await listens(createPostgres());
  environment['TEST_REDIS_PORT'] = await listens(createRedis());
  environment['TEST_ISSUER'] = `http://127.0.0.1:${await listens(createIssuer())}`;
  environment['TEST_ORIGIN'] = `http://127.0.0.1:${await listens(createOrigin())}`;
  environment['TEST_TLS_ORIGIN'] = `https://localhost:${await listens(createTlsOrigin())}`;
  environment['TEST_CA'] = CA;
  environment['TEST_OTHER_CA'] = CERTIFICATES.root;
  environment['TEST_ED_PRIVATE_KEY'] = ED25519_PRIVATE;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  environment['TEST_PRIVATE_KEY'] = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  environment['TEST_PUBLIC_KEY'] = publicKey.export({ type: 'spki', format: 'pem' }).toString();
});
after(async () => {
  for (const server of servers) {
    server.close();
    // Clients of what never answers are still there.
    if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
  }
  await postgres?.stop();
});

for (const one of PACKAGES) {
  const app = one.app ?? one.name;
  if (only !== undefined && !only.includes(app)) continue;
  const tooOld = one.since !== undefined && nodeMajor < one.since ? `compared with Node ${one.since} and later` : undefined;
  const skip = tooOld ?? (one.needs === undefined ? undefined : missingPostgres());
  test(`${one.name} works as on Node: ${one.uses}`, { skip: skip ?? false }, async () => {
    if (one.needs !== undefined) environment['TEST_PG_TLS_URL'] = (postgres ??= await startPostgresTls()).url;
    const node = await shown(one, () => startNode(app, environment));
    const executable = await buildNative(app);
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
