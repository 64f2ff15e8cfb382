/**
 * The benchmark's database: its content, its settings, its end. Needs PostgreSQL's programs; says so when it
 * skips.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { expectedDbRead, findBinaries, startDatabase } from './database.mjs';
import { findOwner } from './owner.mjs';
import { psql } from './psql.mjs';

const skip = missing();
const require = createRequire(import.meta.url);
let database;

function missing() {
  try {
    findBinaries();
    return false;
  } catch (error) {
    console.log(`database.test.mjs skipped: ${error.message}`);
    return error.message;
  }
}

/** Of this process: other suites have databases at the same time. */
const folders = () => new Set(readdirSync(tmpdir()).filter((name) => name.startsWith('fulmar-database-') && isOwn(join(tmpdir(), name))));

function isOwn(folder) {
  try {
    return readFileSync(join(folder, 'parent'), 'utf8') === String(process.pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false; // Just made, or just removed, by somebody else.
    throw error;
  }
}

/** A zombie that nobody waits for counts as ended. */
const isAlive = (pid) => existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

before(async () => {
  if (!skip) database = await startDatabase({ core: 0 });
});
after(() => database?.stop());

test('seeds 100,000 items, 100 in each of 1,000 categories, and an empty table for inserts', { skip }, async () => {
  const groups = 'SELECT count(*) AS rows FROM items GROUP BY category';
  assert.equal(
    await psql(database.url, { sql: `SELECT count(*), min(rows), max(rows), sum(rows) FROM (${groups}) AS g` }),
    '1000|100|100|100000',
  );
  assert.equal(await psql(database.url, { sql: 'SELECT count(*) FROM inserted' }), '0');
});

test('reads a category through its index', { skip }, async () => {
  const plan = await psql(database.url, { sql: 'EXPLAIN SELECT * FROM items WHERE category = 7 ORDER BY id LIMIT 100' });
  assert.match(plan, /items_category/);
});

test('runs with the settings it reports', { skip }, async () => {
  const own = database.settings.filter(({ name }) => /^[a-z_]+$/i.test(name));
  assert.ok(own.length >= 5);
  for (const { name, value } of own) assert.equal(await psql(database.url, { sql: `SHOW ${name}` }), value, name);
  assert.match(database.version, /^\d+/);
});

test('runs on the core it was given, backends included', { skip }, () => {
  // A backend may end between the two looks, as those of psql and of autovacuum do.
  const statuses = database.pids().flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/status`, 'utf8')];
    } catch (error) {
      // A process that is being reaped answers with ESRCH.
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
      throw error;
    }
  });
  assert.ok(statuses.length > 1);
  for (const status of statuses) assert.match(status, /Cpus_allowed_list:\t0\n/);
});

test('refuses a connection without the password', { skip }, async () => {
  const url = new URL(database.url);
  url.password = 'wrong';
  await assert.rejects(psql(url.href, { sql: 'SELECT 1' }), /password authentication failed/);
});

test('expects the bytes that node-postgres and JSON.stringify give', { skip: skip || noDriver() }, async () => {
  const { Client } = require('pg');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const columns = 'id, name, description, category, price, quantity, rating, active, sku, color, created_at, updated_at';
  try {
    for (const category of [0, 7, 57, 957, 999, 5000]) {
      const { rows } = await client.query(`SELECT ${columns} FROM items WHERE category = $1 ORDER BY id LIMIT 100`, [category]);
      assert.equal(await expectedDbRead(database.url, category), JSON.stringify(rows));
      assert.equal(rows.length, category < 1000 ? 100 : 0);
    }
  } finally {
    await client.end();
  }
});

function noDriver() {
  try {
    require.resolve('pg');
    return false;
  } catch {
    const reason = 'pg is not installed in bench/: run `npm install` there';
    console.log(`database.test.mjs: ${reason}`);
    return reason;
  }
}

test('leaves neither processes nor files behind when stopped, however often', { skip }, async () => {
  const earlier = folders();
  const other = await startDatabase();
  const pids = other.pids();
  assert.notEqual(other.url, database.url);
  await Promise.all([other.stop(), other.stop()]);
  await other.stop();
  assert.deepEqual(pids.filter(isAlive), []);
  assert.deepEqual(
    [...folders()].filter((name) => !earlier.has(name)),
    [],
  );
});

test('leaves neither processes nor files behind when abandoned', { skip }, async () => {
  const earlier = folders();
  const other = await startDatabase();
  const pids = other.pids();
  other.abandon();
  assert.deepEqual(
    [...folders()].filter((name) => !earlier.has(name)),
    [],
  );
  while (pids.some(isAlive)) await delay(10);
  await other.stop();
});

test('ends with a parent that is killed, whose folder the next start removes', { skip }, async () => {
  const code = `import { startDatabase } from ${JSON.stringify(new URL('database.mjs', import.meta.url).href)};
    const { pids } = await startDatabase(); console.log(pids()[0]); setInterval(() => {}, 1000);`;
  const earlier = folders();
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  assert.ok(isAlive(pid));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (isAlive(pid)) await delay(10);
  const next = await startDatabase();
  await next.stop();
  assert.deepEqual(
    [...folders()].filter((name) => !earlier.has(name)),
    [],
  );
});

test('names the command that installs PostgreSQL when it is missing', () => {
  const path = process.env.PATH;
  process.env.PATH = '';
  try {
    if (existsSync('/usr/lib/postgresql')) assert.match(findBinaries(), /\/usr\/lib\/postgresql\/\d+\/bin/);
    else assert.throws(findBinaries, /apt-get install postgresql/);
  } finally {
    process.env.PATH = path;
  }
});

test('takes another user than root', { skip: process.getuid?.() === 0 ? false : 'not root' }, () => {
  assert.notEqual(findOwner().uid, 0);
  assert.ok(findOwner().gid > 0);
});
