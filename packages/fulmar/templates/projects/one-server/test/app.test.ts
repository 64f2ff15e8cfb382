/** Asks all parts of the application, without a socket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerApp } from '../src/app.ts';

const json = { 'Content-Type': 'application/json' };

test('says that it lives and is ready', async () => {
  const app = createServerApp({ log: false });
  for (const url of ['/live', '/ready']) assert.equal((await app.inject(url)).status, 200);
});

test('answers with Express', async () => {
  const app = createServerApp({ log: false });
  const body = '{"name":"Ada","text":"Hello"}';
  assert.equal((await app.inject({ method: 'POST', url: '/guestbook', headers: json, body })).status, 201);
  assert.equal((await app.inject({ method: 'POST', url: '/guestbook', headers: json, body: '{"name":""}' })).status, 422);
  assert.equal((await app.inject({ method: 'POST', url: '/guestbook', headers: json, body: '{' })).status, 400);
  assert.equal((await app.inject('/guestbook')).text, `[${body}]`);
});

test('answers with Koa', async () => {
  const app = createServerApp({ log: false });
  const reply = await app.inject('/tides');
  assert.match(reply.text, /^\{"highWaterInHours":\d+(?:\.\d)?\}$/);
  assert.equal(reply.headers['cache-control'], 'public, max-age=60');
  // What stands around all parts.
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.equal((await app.inject('/tides/of/mars')).status, 404);
});

test('answers with typed routes', async () => {
  const app = createServerApp({ log: false });
  const made = await app.inject({ method: 'POST', url: '/notes', headers: json, body: '{"title":"Fulmars"}' });
  assert.equal(made.status, 201);
  assert.deepEqual(JSON.parse((await app.inject('/notes/1')).text), { id: 1, title: 'Fulmars', text: '' });
  assert.equal((await app.inject({ method: 'POST', url: '/notes', headers: json, body: '{"title":""}' })).status, 422);
});
