/** Asks the application as its clients do, without a socket. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createProject } from 'fulmar/routes';

const { app } = await createProject({ root: new URL('..', import.meta.url) });
after(() => app.close());

const json = { 'Content-Type': 'application/json' };

test('says that it lives and is ready', async () => {
  for (const url of ['/health', '/live', '/ready']) assert.equal((await app.inject(url)).status, 200);
});

test('keeps a note until it is removed', async () => {
  const made = await app.inject({ method: 'POST', url: '/notes', headers: json, body: '{"title":"Fulmars","text":"spit"}' });
  assert.equal(made.status, 201);
  assert.equal(made.headers['location'], '/notes/1');
  const note = { id: 1, title: 'Fulmars', text: 'spit' };
  assert.deepEqual(JSON.parse((await app.inject('/notes/1')).text), note);
  assert.deepEqual(JSON.parse((await app.inject('/notes')).text), [note]);
  assert.match((await app.inject('/')).text, /1 notes/);
  assert.equal((await app.inject({ method: 'DELETE', url: '/notes/1' })).status, 204);
  const gone = await app.inject('/notes/1');
  assert.equal(gone.status, 404);
  assert.equal(JSON.parse(gone.text).detail, 'No note has the id 1.');
});

test('refuses what is no note, and says what is wrong with it', async () => {
  const refused = await app.inject({ method: 'POST', url: '/notes', headers: json, body: '{"title":" "}' });
  assert.equal(refused.status, 422);
  assert.deepEqual(JSON.parse(refused.text).errors[0].path, ['title']);
  assert.equal((await app.inject({ method: 'POST', url: '/notes', headers: json, body: '{"title":' })).status, 400);
});
