/** The example of controllers when it starts and its database is not as it should be: what it says, and that it does not wait for ever. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { psql } from '../../../bench/database/psql.mjs';
import { start } from '../cli/support.ts';
import { type Databases, folder, fromSources, noPostgres, open, openDatabases, SECRET } from './forms.ts';
import { asAdmin, Visitor } from './visitor.ts';

const run = (env: Record<string, string>) => start(folder, ['run', 'src/main.ts'], { env: { PORT: '0', DATABASE_URL: '', ...env } }).ended;

test('what is missing in production is told, all of it, and nothing listens', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await run({ NODE_ENV: 'production' });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^The environment does not fit:\n {2}DATABASE_URL is missing.*\n {2}TOKEN_SECRET has 32 characters or more, and it has 0.*\n$/,
  );
});

test('a database that cannot be reached is told, without its password', { timeout: 60_000 }, async () => {
  const { code, stderr } = await run({ DATABASE_URL: 'postgres://archive:kittiwake@127.0.0.1:1/archive' });
  assert.equal(code, 1);
  assert.match(stderr, /The database of DATABASE_URL cannot be made ready[^]*ECONNREFUSED/);
  assert.doesNotMatch(stderr, /kittiwake/);
});

test('attempts to sign in are limited for each address, and nothing else is', { timeout: 60_000 }, async () => {
  const archive = await open(fromSources, '', { ATTEMPTS_MAX: '2' });
  try {
    const visitor = await new Visitor(archive).signUp();
    const json = { email: 'ada@example.org', password: 'not the one' };
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await visitor.ask('/api/v1/auth/sign-in', { json })).status);
    assert.deepEqual(statuses, [401, 401, 429]);
    const late = await visitor.ask('/api/v1/auth/sign-in', { json });
    assert.ok(Number(late.headers.get('retry-after')) > 0);
    assert.equal((await visitor.ask('/api/v1/users/me')).status, 200);
  } finally {
    await archive.end();
  }
});

describe('controllers-app and its database', { timeout: 300_000, skip: noPostgres }, () => {
  let databases: Databases;
  before(async () => void (databases = await openDatabases()));
  after(() => databases?.stop());

  test('of processes that start at the same time one makes the tables and the admin', { timeout: 60_000 }, async () => {
    const url = await databases.create();
    const archives = await Promise.all(Array.from({ length: 3 }, () => open(fromSources, url)));
    try {
      const migrated = archives.filter(({ running: { lines } }) => lines.some((line) => /Migrated: 001 users, 002 files/.test(line)));
      assert.equal(migrated.length, 1);
      const tokens = await Promise.all(archives.map(asAdmin));
      assert.deepEqual(new Set(tokens.map(({ id }) => id)).size, 1);
      assert.equal(await psql(url, { sql: 'SELECT count(*) FROM migrations' }), '2');
    } finally {
      for (const archive of archives) await archive.end();
    }
  });

  test('a database that goes makes it not ready; it is there, and is ready again with it', { timeout: 60_000 }, async () => {
    const url = await databases.create();
    const archive = await open(fromSources, url);
    try {
      const visitor = await new Visitor(archive).signUp();
      const name = new URL(url).pathname.slice(1);
      const main = Object.assign(new URL(url), { pathname: '/postgres' }).href;
      await psql(main, { sql: `ALTER DATABASE ${name} ALLOW_CONNECTIONS false` });
      await psql(main, { sql: `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '${name}'` });
      const ready = await visitor.ask('/health/ready');
      assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', storage: 'postgresql' }]);
      const failed = await visitor.ask('/api/v1/users/me');
      assert.deepEqual([failed.status, failed.body], [500, { statusCode: 500, message: 'Internal server error' }]);
      assert.equal((await visitor.ask('/health/live')).status, 200);
      await psql(main, { sql: `ALTER DATABASE ${name} ALLOW_CONNECTIONS true` });
      assert.equal((await visitor.ask('/health/ready')).status, 200);
      assert.equal((await visitor.ask('/api/v1/users/me')).status, 200);
      assert.doesNotMatch(archive.running.lines.join('\n'), new RegExp(SECRET));
    } finally {
      await archive.end();
    }
  });
});
