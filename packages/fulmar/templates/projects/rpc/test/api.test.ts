/** Asks the server as its clients do, on a port of the test's own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from 'fulmar/client';
import type { Api } from '../src/api.ts';
import { createServerApp } from '../src/app.ts';

const app = createServerApp();
let url = '';

before(async () => {
  ({ url } = await app.listen(0));
});
after(() => app.close());

const connect = () => createClient<Api>(`${url}/api`);

test('says that it lives and is ready', async () => {
  for (const path of ['/live', '/ready']) assert.equal((await fetch(url + path)).status, 200);
});

test('keeps a note until it is removed', async () => {
  const { query, mutate } = connect().orThrow;
  const note = await mutate.notes.add({ title: 'Fulmars', text: 'spit' });
  assert.ok('written' in note && note.written instanceof Date);
  assert.deepEqual(await query.notes.get(note.id), note);
  assert.deepEqual(await query.notes.all(), [note]);
  assert.equal(await mutate.notes.remove(note.id), note.id);
  const [, error] = await connect().query.notes.get(note.id);
  assert.equal(error?.type, 'no-such-note');
});

test('refuses what is no note, and says what is wrong with it', async () => {
  const [, error] = await connect().mutate.notes.add({ title: '' });
  assert.equal(error?.status, 422);
  assert.deepEqual(error?.issues?.[0]?.path, [0, 'title']);
});
