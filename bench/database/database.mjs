/**
 * The benchmark's own PostgreSQL: made in a temporary folder, seeded, reachable on 127.0.0.1 only, removed at
 * the end. The harness starts it before the first scenario that needs it and stops it after the last. Never
 * uses an existing server.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBinaries } from './binaries.mjs';
import { findOwner } from './owner.mjs';
import { psql } from './psql.mjs';
import { createCluster, serverPids, startServer } from './server.mjs';
import { initSettings, settings } from './settings.mjs';

export { findBinaries, installCommand } from './binaries.mjs';

const seedFile = fileURLToPath(new URL('seed.sql', import.meta.url));
/** How long a start may take before it counts as failed. */
const readyTimeoutMs = 30_000;
const pollMs = 20;
/** Another process may take the free port before postgres does. */
const startsMax = 3;

/**
 * Starts and seeds a server pinned to `core` (not pinned when undefined).
 * `{ url, version, settings, stop(), abandon(), pids() }`: `abandon` ends it at once, for a process that must
 * not wait. Throws when PostgreSQL is not installed (naming the command) or does not start.
 */
export async function startDatabase({ core } = {}) {
  const bin = findBinaries();
  const owner = findOwner();
  const password = randomBytes(16).toString('hex');
  const { folder, data } = await createCluster({ bin, owner, password });
  let server;
  let stopping;
  const end = async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = () => (stopping ??= end());
  const abandon = () => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const toUrl = (port) => `postgres://bench:${password}@127.0.0.1:${port}/postgres`;
    server = await startReady(() => startServer({ bin, owner, data, core }), toUrl);
    const url = toUrl(server.port);
    await psql(url, { file: seedFile });
    const version = await psql(url, { sql: 'SHOW server_version' });
    return { url, version, settings: [...settings, ...initSettings], stop, abandon, pids: () => serverPids(server.pid) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The reply of scenario db-read for `category`, made by the server's own JSON functions instead of the
 * driver's.
 */
export async function expectedDbRead(url, category) {
  const iso = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;
  const plain = 'id, name, description, category, price, quantity, rating, active, sku, color';
  const rows = `SELECT ${plain}, ${iso('created_at')}, ${iso('updated_at')} FROM items WHERE category = ${Number(category)} ORDER BY id LIMIT 100`;
  return psql(url, { sql: `SELECT '[' || coalesce(string_agg(row_to_json(item)::text, ','), '') || ']' FROM (${rows}) AS item` });
}

async function startReady(start, toUrl) {
  for (let left = startsMax - 1; ; left -= 1) {
    const server = await start();
    const failure = await untilReady(server, toUrl(server.port));
    if (failure === undefined) return server;
    await server.stop();
    if (left === 0 || !server.log().includes('could not bind')) throw new Error(`PostgreSQL did not start: ${failure}\n${server.log()}`);
  }
}

/** Undefined once `url` answers; what went wrong otherwise. */
async function untilReady(server, url) {
  let ended;
  void server.exited.then((outcome) => (ended = `it ended with ${outcome}`));
  const deadline = performance.now() + readyTimeoutMs;
  let refused;
  while (performance.now() < deadline) {
    if (ended !== undefined) return ended;
    try {
      await psql(url, { sql: 'SELECT 1' });
      return undefined;
    } catch (error) {
      refused = error;
    }
    await delay(pollMs);
  }
  return `no connection within ${readyTimeoutMs / 1000} s (${refused?.message ?? 'nothing tried'})`;
}
