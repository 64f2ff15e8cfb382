/** Asks the application as its clients do, on a port of the test's own. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.ts';

let server: Server;
let url = '';

before(async () => {
  await new Promise<void>((resolve, reject) => {
    server = createApp().listen(0, (error) => (error ? reject(error) : resolve()));
  });
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
});
after(() => void server.close());

async function ask(method: string, path: string, body?: string): Promise<{ status: number; body: any }> {
  const reply = await fetch(url + path, { method, body: body ?? null, headers: { 'Content-Type': 'application/json' } });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('says that it is healthy', async () => {
  assert.deepEqual(await ask('GET', '/health'), { status: 200, body: { status: 'ok' } });
});

test('keeps a note until it is removed', async () => {
  const made = await ask('POST', '/notes', '{"title":"Fulmars","text":"spit"}');
  assert.deepEqual(made, { status: 201, body: { id: made.body.id, title: 'Fulmars', text: 'spit' } });
  const path = `/notes/${made.body.id}`;
  assert.deepEqual(await ask('GET', path), { status: 200, body: made.body });
  assert.deepEqual(await ask('GET', '/notes'), { status: 200, body: [made.body] });
  assert.equal((await ask('DELETE', path)).status, 204);
  assert.deepEqual(await ask('GET', path), { status: 404, body: { error: `No note has the id ${made.body.id}.` } });
});

test('refuses what is no note, and says what is wrong with it', async () => {
  const { status, body } = await ask('POST', '/notes', '{"title":" "}');
  assert.equal(status, 422);
  assert.equal(body.errors[0].path, 'title');
  assert.equal((await ask('POST', '/notes', '{"title":')).status, 400);
});

test('says of a path that nothing is there', async () => {
  assert.deepEqual(await ask('GET', '/nothing'), { status: 404, body: { error: 'Nothing is at /nothing.' } });
});
