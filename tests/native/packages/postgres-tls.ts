/**
 * The benchmark's private PostgreSQL, with TLS: what `pg` meets in a production. Needs PostgreSQL's programs.
 */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries, startDatabase } from '../../../bench/database/database.mjs';
import { psql } from '../../../bench/database/psql.mjs';
import { CERT, KEY } from '../modules/tls-identity.ts';

const RELOAD_MAX_MS = 10_000;
const POLL_MS = 20;
/** PostgreSQL takes a key that nobody else can read. */
const PRIVATE_MODE = 0o600;

/** Why there is none on this machine; undefined when there is. */
export function missingPostgres(): string | undefined {
  try {
    findBinaries();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export interface PostgresTls {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPostgresTls(): Promise<PostgresTls> {
  const { url, stop } = await startDatabase();
  try {
    const folder = await psql(url, { sql: 'SHOW data_directory' });
    const { uid, gid } = statSync(folder);
    for (const [name, text] of Object.entries({ 'server.crt': CERT, 'server.key': KEY })) {
      writeFileSync(join(folder, name), `${text}\n`, { mode: PRIVATE_MODE });
      chownSync(join(folder, name), uid, gid);
    }
    await psql(url, { sql: 'ALTER SYSTEM SET ssl = on' });
    await psql(url, { sql: 'SELECT pg_reload_conf()' });
    const deadline = performance.now() + RELOAD_MAX_MS;
    while ((await psql(url, { sql: 'SHOW ssl' })) !== 'on') {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not take up TLS');
      await delay(POLL_MS);
    }
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
