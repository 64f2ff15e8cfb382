/**
 * What visitors of the Koa example do. Each scenario is played against each runner; the replies are compared.
 */
import assert from 'node:assert/strict';
import { field } from '../support/client.ts';
import type { Client } from '../support/client.ts';

export interface Scenario {
  readonly name: string;
  readonly play: (client: Client) => Promise<void>;
}

const HTML = { Accept: 'text/html' };
const PUFFIN = { species: 'Atlantic puffin', place: 'Skomer', count: 7 };

export const scenarios: readonly Scenario[] = [
  {
    name: 'reads pages and counts visits in a session',
    play: async (client) => {
      for (let visit = 1; visit <= 3; visit++) {
        const { status, content } = await client.get('/', HTML);
        assert.equal(status, 200);
        assert.match(content.toString(), new RegExp(`been here ${visit} times`));
      }
      assert.equal((await client.get('/?species=tern', HTML)).content.toString().includes('Arctic tern'), true);
      assert.equal((await client.get('/healthz')).content.toString(), '{"status":"ok"}');
    },
  },
  {
    name: 'signs in, adds a sighting and signs out',
    play: async (client) => {
      assert.equal((await client.form('/sightings', { species: 'Gannet', place: 'Bass Rock', count: '9' }, HTML)).status, 401);
      assert.equal((await client.form('/login', { name: '' }, HTML)).status, 400);
      assert.equal((await client.form('/login', { name: 'Ada Löve' }, HTML)).status, 302);
      assert.equal((await client.form('/sightings', { species: 'Gannet', place: 'Bass Rock', count: '9' }, HTML)).status, 303);
      const home = (await client.get('/', HTML)).content.toString();
      assert.match(home, /Gannet/);
      assert.match(home, /Sign out Ada Löve/);
      const host = `127.0.0.1:${client.port}`;
      const back = await client.form('/logout', {}, { Referer: `http://${host}/?species=tern` });
      assert.equal(back.status, 302);
      const elsewhere = await client.form('/logout', {}, { Referer: 'http://elsewhere.example/' });
      assert.equal(field(elsewhere, 'location'), '/');
    },
  },
  {
    name: 'is not fooled by a session whose signature is wrong',
    play: async (client) => {
      await client.form('/login', { name: 'ada' }, HTML);
      const value = client.cookies.get('logbook') ?? '';
      client.cookies.set('logbook', Buffer.from(JSON.stringify({ user: 'eve' })).toString('base64'));
      assert.doesNotMatch((await client.get('/', HTML)).content.toString(), /Sign out/);
      assert.ok(value.length > 0);
    },
  },
  {
    name: 'uses the API',
    play: async (client) => {
      const made = await client.json('/api/sightings', PUFFIN);
      assert.equal(made.status, 201);
      const path = field(made, 'location') ?? '';
      assert.equal((await client.get(path)).status, 200);
      assert.equal((await client.get('/api/sightings?species=puffin')).status, 200);
      assert.equal((await client.send({ method: 'HEAD', path })).status, 200);
      assert.equal((await client.send({ method: 'DELETE', path })).status, 204);
      assert.equal((await client.get(path)).status, 404);
      assert.equal((await client.json('/api/sightings', { species: '', count: 'many' })).status, 422);
      assert.equal((await client.post('/api/sightings', '{"species":', { 'Content-Type': 'application/json' })).status, 400);
      assert.equal((await client.json('/api/sightings', { ...PUFFIN, place: 'x'.repeat(80_000) })).status, 413);
      assert.equal((await client.send({ method: 'PUT', path: '/api/sightings' })).status, 405);
      assert.equal((await client.send({ method: 'OPTIONS', path: '/api/sightings' })).status, 200);
      await client.send({
        method: 'POST',
        path: '/api/sightings',
        pieces: ['{"spec', 'ies":1}'],
        headers: { 'Content-Type': 'application/json' },
      });
    },
  },
  {
    name: 'downloads the export as a stream, whole and in part',
    play: async (client) => {
      const whole = await client.get('/api/export');
      assert.equal(whole.content.toString().trim().split('\n').length >= 3, true);
      assert.match(field(whole, 'content-disposition') ?? '', /sightings\.ndjson/);
      await client.get('/api/export', { 'Accept-Encoding': 'gzip' });
      await client.send({ method: 'HEAD', path: '/api/export' });
    },
  },
  {
    name: 'loads assets, revalidates them and takes them compressed',
    play: async (client) => {
      const whole = await client.get('/site.css');
      assert.equal(whole.status, 200);
      const since = field(whole, 'last-modified') ?? '';
      assert.equal((await client.get('/site.css', { 'If-Modified-Since': since })).status, 304);
      await client.get('/site.css', { 'Accept-Encoding': 'gzip' });
      await client.get('/', { ...HTML, 'Accept-Encoding': 'br, gzip' });
      assert.equal((await client.get('/..%2fapp.js')).status, 403);
      assert.equal((await client.get('/missing.css')).status, 404);
    },
  },
  {
    name: 'meets errors as page, JSON and text',
    play: async (client) => {
      for (const accept of ['text/html', 'application/json', 'text/plain', '*/*']) {
        for (const path of ['/nowhere', '/api/nowhere', '/api/fail', '/api/fail?expose=1', '/api/sightings/77']) {
          const reply = await client.get(path, { Accept: accept });
          assert.ok(reply.status >= 400, path);
          assert.doesNotMatch(reply.content.toString(), /stay inside/);
        }
      }
    },
  },
  {
    name: 'listens to events, to the end and not',
    play: async (client) => {
      const all = await client.get('/live/events?count=3&interval=20');
      assert.equal(all.content.toString().split('event: pulse').length, 4);
      await client.get('/live/events?count=2&interval=20', { 'Last-Event-ID': '41' });
    },
  },
];
