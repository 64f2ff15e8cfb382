// Every route and error of the API: in memory and on PostgreSQL (a server of the benchmark's own), on stock
// Node and through `fulmar run`. One file, so that the packages are installed once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { findBinaries, startDatabase } from '../../../database/database.mjs';
import { describeApi } from './contract.mjs';
import { prepare, start } from './start.mjs';

await prepare();
const reason = missingDatabase();
let database;

describeApi('memory, stock Node', () => start());
describeApi('memory, fulmar run', () => start({ isFulmar: true }));

if (reason === undefined) {
  describeApi('PostgreSQL, stock Node', () => startOnDatabase());
  describeApi('PostgreSQL, fulmar run', () => startOnDatabase({ isFulmar: true }));
} else {
  console.log(`PostgreSQL left out of the API's tests: ${reason}`);
  test('behaves the same on PostgreSQL', { skip: reason }, () => {});
}
after(() => database?.stop());

test('answers as bench/scenarios/realworld.json says, however often', async () => {
  const file = new URL('../../../scenarios/realworld.json', import.meta.url);
  const { requests, also } = JSON.parse(readFileSync(file, 'utf8'));
  const server = await start();
  try {
    for (const { method, path, headers = [], body, expect } of [...requests, ...also, ...requests]) {
      const fields = Object.fromEntries(headers.map((line) => line.split(': ')));
      const reply = await server.call(method, path, { headers: fields, body });
      assert.equal(reply.status, expect.status, path);
      if (expect.body !== undefined) assert.equal(reply.text, expect.body, path);
      assert.match(reply.headers.get('content-type'), new RegExp(`^${expect.type}`));
    }
  } finally {
    await server.stop();
  }
});

async function startOnDatabase(options) {
  database ??= await startDatabase();
  return start({ ...options, env: { DATABASE_URL: database.url, POOL_SIZE: '4' } });
}

function missingDatabase() {
  try {
    findBinaries();
    return undefined;
  } catch (error) {
    return error.message;
  }
}
