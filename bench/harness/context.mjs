/**
 * What all measurements of a run share: the plan, the files that servers read, the database once something
 * needs it. Closed at the end.
 */
import { startDatabase } from '../database/database.mjs';
import { makeFiles } from './scenarios.mjs';
import { loadCore } from './server.mjs';

/** Pool size of the rows in which all contestants have the same. */
const equalPool = 10;

/**
 * `close()` stops the database and removes the files; `abandon()` does what can be done at once when the
 * harness is interrupted.
 */
export function openContext({ plan, say }) {
  const files = makeFiles();
  let opening;
  let database;
  const context = {
    plan,
    equalPool,
    /** Entrant → the pool size with which it answered most, found in its first measurement of that row. */
    bestPools: new Map(),
    say,
    folder: files.folder,
    env: { ...files.env },
    pids: [],
    databaseInfo: undefined,
    /** Starts and seeds PostgreSQL on the load generator's core, once. */
    database: () => (opening ??= open()),
    query: async (text, values) => (await database.client.query(text, values)).rows,
    async close() {
      await database?.client.end();
      await database?.server.stop();
      files.remove();
    },
    abandon() {
      database?.server.abandon();
      files.remove();
    },
  };
  async function open() {
    const { default: pg } = await import('pg');
    const server = await startDatabase({ core: loadCore });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    database = { server, client };
    context.env.DATABASE_URL = server.url;
    context.pids = server.pids();
    context.databaseInfo = { version: server.version, settings: server.settings };
  }
  return context;
}
