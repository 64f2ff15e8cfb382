/**
 * express-pouchdb (Express 4, raw-body, compression): a CouchDB; PouchDB replicates to it, from it, and
 * follows its changes.
 */
import type { Published, Talk } from '../support/server.ts';

/** As much of PouchDB as is used here. */
type Pouch = any;

async function talk({ url, client, step, note, after, load }: Talk): Promise<void> {
  const { default: PouchDB } = await load<{ default: Pouch }>('pouchdb');
  PouchDB.plugin((await load<{ default: Pouch }>('pouchdb-adapter-memory')).default);
  await step('by its client');
  const remote = new PouchDB(`${url}/birds`);
  const local = new PouchDB('local-birds', { adapter: 'memory' });
  after(() => local.destroy());
  note((await remote.info()).doc_count);
  await remote.put({ _id: 'gull', name: 'Grüße 🌊' });
  note(await remote.put({ _id: 'gull' }).catch((error: { status: number; name: string }) => [error.status, error.name]));
  await remote.bulkDocs(Array.from({ length: 20 }, (_, index) => ({ _id: `b${index}`, index, text: 'x'.repeat(2_000) })));
  const { rev } = await remote.get('gull').then((doc: { _rev: string }) => ({ rev: doc._rev }));
  await remote.putAttachment('gull', 'call.bin', rev, Buffer.from([0, 255, 10, 13]), 'application/octet-stream');
  note([...((await remote.getAttachment('gull', 'call.bin')) as Buffer)]);
  note((await remote.allDocs({ startkey: 'b1', endkey: 'b2', include_docs: false })).rows.length);
  await step('replicates');
  await local.put({ _id: 'tern', name: 'from here' });
  const there = await PouchDB.replicate(local, remote);
  const here = await PouchDB.replicate(remote, local);
  note([there.docs_written, here.docs_written, (await local.get('b7')).index]);
  await step('follows');
  const seen: string[] = [];
  const changes = remote.changes({ since: 'now', live: true, timeout: 5_000 });
  const done = new Promise<void>((resolve) => changes.on('change', ({ id }: { id: string }) => seen.push(id) === 2 && resolve()));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await remote.put({ _id: 'late1' });
  await remote.put({ _id: 'late2' });
  await done;
  changes.cancel();
  note(seen.toSorted());
  await step('by hand');
  for (const path of [
    '/',
    '/_all_dbs',
    '/birds/_all_docs?limit=2',
    '/birds/nothing',
    '/nothing/x',
    '/birds/gull/call.bin',
    '/birds/_changes?limit=1',
    '/_session',
  ]) {
    await client.get(path, { Accept: 'application/json' });
  }
  await client.post('/birds', '{"broken', { 'Content-Type': 'application/json' });
  for (const method of ['HEAD', 'OPTIONS', 'PUT']) await client.send({ method, path: '/birds' });
}

export const server: Published = {
  name: 'pouchdb',
  shown: 'express-pouchdb',
  entry: '.run/server.cjs',
  masks: [
    { pattern: /^W\/"[^"]+"$/g, by: 'W/"<hash>"' },
    { pattern: /[0-9]+-[0-9a-f]{32}/g, by: '<rev>' },
    { pattern: /_local(?:\/|%2F)[\w.%=]+/g, by: '_local/<id>' },
    { pattern: /"(?:uuid|session_id|instance_start_time|_id|id)":"[0-9a-f-]{20,}"/g, by: '"<id>"' },
  ],
  timed: /_changes\?/,
  talk,
};
