/**
 * What visitors of the example application do. Each scenario is played against each runner; the replies are
 * compared.
 */
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { field } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { BOUNDARY, toMultipart } from '../support/multipart.ts';
import type { Part } from '../support/multipart.ts';

export interface Scenario {
  readonly name: string;
  readonly play: (client: Client) => Promise<void>;
}

const JSON_ONLY = { Accept: 'application/json' };
const HTML = { Accept: 'text/html' };
const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A PNG of one pixel with padding, so that it has the wanted size. */
function png(bytes: number): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(4)), Buffer.alloc(bytes, 1)]).subarray(0, bytes);
}

const photo = (bytes: number, type = 'image/png'): Part => ({ name: 'photo', filename: 'möwe.png', type, value: png(bytes) });

async function signIn(client: Client, name = 'ada', password = 'kittiwake'): Promise<Reply> {
  return client.form('/login', { name, password, to: '/notes?page=2' });
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'reads every page',
    play: async (client) => {
      for (const path of [
        '/',
        '/',
        '/notes',
        '/notes?q=tern',
        '/notes?tag=harbour&page=1',
        '/notes?page=2',
        '/notes/1',
        '/photos',
        '/live',
        '/try',
        '/login?to=/photos',
        '/login?to=//evil.example',
        '/healthz',
      ]) {
        const reply = await client.get(path, HTML);
        assert.equal(reply.status, 200, path);
      }
      await client.get('/notes/new', HTML);
    },
  },
  {
    name: 'loads assets, revalidates them and asks for parts',
    play: async (client) => {
      for (const path of ['/css/site.css', '/js/site.js', '/img/fulmar.svg']) {
        const whole = await client.get(path);
        assert.equal(whole.status, 200);
        const fresh = await client.get(path, { 'If-None-Match': field(whole, 'etag') ?? '' });
        assert.equal(fresh.status, 304);
        await client.get(path, { 'If-Modified-Since': field(whole, 'last-modified') ?? '' });
        await client.send({ method: 'HEAD', path });
        for (const range of ['bytes=0-99', 'bytes=-50', 'bytes=9999999-', 'bytes=0-9,20-29']) await client.get(path, { Range: range });
      }
      for (const path of ['/css', '/css/', '/css/nothing.css', '/../package.json', '/%2e%2e/package.json', '/css/%00'])
        await client.get(path);
    },
  },
  {
    name: 'compresses what is worth it',
    play: async (client) => {
      for (const coding of ['gzip', 'br', 'deflate', 'identity', 'gzip;q=0']) {
        for (const path of ['/css/site.css', '/', '/healthz', '/api/notes?limit=50', '/img/fulmar.svg'])
          await client.get(path, { 'Accept-Encoding': coding });
      }
    },
  },
  {
    name: 'signs in, stays signed in, and signs out',
    play: async (client) => {
      assert.equal((await signIn(client, 'ada', 'wrong')).status, 401);
      assert.equal((await signIn(client, 'nobody')).status, 401);
      assert.equal((await client.form('/login', {})).status, 401);
      const signedIn = await signIn(client);
      assert.equal(signedIn.status, 303);
      assert.equal(field(signedIn, 'location'), '/notes?page=2');
      assert.match((await client.get('/notes', HTML)).content.toString(), /Welcome, Ada Hale/);
      assert.doesNotMatch((await client.get('/notes', HTML)).content.toString(), /Welcome/);
      await client.form('/logout', {});
      assert.match((await client.get('/notes', HTML)).content.toString(), /Sign in/);
      assert.equal((await client.post('/notes', '', HTML)).status, 303);
    },
  },
  {
    name: 'remembers a theme in a signed cookie and takes no forged one',
    play: async (client) => {
      await client.form('/theme', { theme: 'dark', to: '/notes' });
      assert.match((await client.get('/try')).content.toString(), /data-theme="dark"/);
      assert.match((await client.get('/try', { Cookie: 'theme=s%3Alight.forged' })).content.toString(), /data-theme="auto"/);
      await client.form('/theme', { theme: 'pink', to: 'http://evil.example' });
    },
  },
  {
    name: 'reads the API: pages, filters, links, CORS, bad parameters',
    play: async (client) => {
      for (const path of [
        '/api/notes',
        '/api/notes?page=2',
        '/api/notes?limit=3&page=2',
        '/api/notes?limit=500',
        '/api/notes?page=0',
        '/api/notes?limit=x',
        '/api/notes?tag=wader',
        '/api/notes?q=skua',
        '/api/notes/3',
        '/api/notes/999',
        '/api/notes/abc',
        '/api/tags',
        '/api/nowhere',
      ]) {
        await client.get(path, { ...JSON_ONLY, Origin: 'http://other.example' });
      }
      const first = await client.get('/api/notes/3');
      assert.equal((await client.get('/api/notes/3', { 'If-None-Match': field(first, 'etag') ?? '' })).status, 304);
      await client.send({ method: 'HEAD', path: '/api/notes' });
      await client.send({
        method: 'OPTIONS',
        path: '/api/notes',
        headers: { Origin: 'http://other.example', 'Access-Control-Request-Method': 'DELETE' },
      });
    },
  },
  {
    name: 'writes through the API: validation, ownership, broken and large content',
    play: async (client) => {
      const note = { title: 'Puffin', text: 'Carrying sand eels', tags: ['seabird', 'cliff'] };
      assert.equal((await client.json('/api/notes', note)).status, 401);
      await signIn(client);
      const made = await client.json('/api/notes', note);
      assert.equal(made.status, 201);
      const path = field(made, 'location') ?? '';
      await client.get(path);
      await client.send({ method: 'PATCH', path, body: '{"title":"Two puffins"}', headers: { 'Content-Type': 'application/json' } });
      await client.send({ method: 'PUT', path, body: '{"title":"Only a title"}', headers: { 'Content-Type': 'application/json' } });
      for (const bad of [
        {},
        { title: 'x'.repeat(100), text: 'y', tags: ['no spaces allowed'] },
        { title: 1, text: [], tags: 7 },
        null,
        [note],
      ])
        await client.json('/api/notes', bad);
      await client.post('/api/notes', '{"title":', { 'Content-Type': 'application/json' });
      await client.json('/api/notes', { ...note, text: 'z'.repeat(50_000) });
      await client.post('/api/notes', 'title=x', { 'Content-Type': 'text/plain' });
      await client.send({
        method: 'POST',
        path: '/api/notes',
        pieces: ['{"title":"In pieces",', '"text":"chunked"', '}'],
        headers: { 'Content-Type': 'application/json' },
      });
      await client.form('/logout', {});
      await signIn(client, 'noor', 'razorbill');
      assert.equal((await client.send({ method: 'DELETE', path })).status, 403);
      await client.form('/logout', {});
      await signIn(client);
      assert.equal((await client.send({ method: 'DELETE', path })).status, 204);
      assert.equal((await client.send({ method: 'DELETE', path })).status, 404);
    },
  },
  {
    name: 'writes a note with the form, and is told what is wrong with it',
    play: async (client) => {
      await signIn(client);
      await client.get('/notes/new', HTML);
      assert.equal((await client.form('/notes', { title: '', text: '<b>', tags: 'UPPER, two words' }, HTML)).status, 422);
      const saved = await client.form('/notes', { title: 'Gannet & co', text: 'Diving\nin a row', tags: 'Seabird, sea-bird' }, HTML);
      assert.equal(saved.status, 303);
      assert.match((await client.get(field(saved, 'location') ?? '', HTML)).content.toString(), /Gannet &amp; co/);
    },
  },
  {
    name: 'uploads photos; refuses large, false and unexpected ones',
    play: async (client) => {
      assert.equal((await client.post('/photos', toMultipart([photo(100)]), { ...MULTIPART, ...JSON_ONLY })).status, 401);
      await signIn(client);
      const send = (parts: readonly Part[], accept: Record<string, string>): Promise<Reply> =>
        client.post('/photos', toMultipart(parts), { ...MULTIPART, ...accept });
      const small = await send([photo(300), { name: 'caption', value: 'Ein Vogel' }], JSON_ONLY);
      assert.equal(small.status, 201);
      assert.equal((await send([photo(1_500_000)], HTML)).status, 303);
      await client.get(field(small, 'location') ?? '');
      await client.get(field(small, 'location') ?? '', { Range: 'bytes=0-3' });
      await client.get('/photos', HTML);
      assert.equal((await send([photo(3_000_000)], JSON_ONLY)).status, 413);
      assert.equal((await send([photo(300, 'text/html')], JSON_ONLY)).status, 415);
      assert.equal((await send([{ ...photo(300, 'image/gif') }], JSON_ONLY)).status, 415);
      assert.equal((await send([{ name: 'caption', value: 'alone' }], JSON_ONLY)).status, 400);
      assert.equal((await send([{ ...photo(300), name: 'other' }], JSON_ONLY)).status, 400);
      await client.post('/photos', toMultipart([photo(300)], false), { ...MULTIPART, ...JSON_ONLY });
      await client.get('/photos/999', HTML);
    },
  },
  {
    name: 'shows errors as the client likes them',
    play: async (client) => {
      for (const accept of ['text/html', 'application/json', 'text/plain', '*/*', 'image/png']) {
        for (const path of ['/nowhere', '/try/throw', '/try/reject', '/api/nowhere', '/notes/999', '/%'])
          await client.get(path, { Accept: accept });
      }
      await client.send({ method: 'DELETE', path: '/notes' });
      await client.send({ method: 'HEAD', path: '/nowhere' });
      await client.send({ method: 'OPTIONS', path: '/nowhere' });
    },
  },
  {
    name: 'downloads a file with ranges, an export and a large stream',
    play: async (client) => {
      const whole = await client.get('/files/handbook');
      assert.match(field(whole, 'content-disposition') ?? '', /Fieldbook handbook.txt/);
      await client.get('/files/handbook', { Range: 'bytes=10-29' });
      await client.get('/files/handbook', { 'If-None-Match': field(whole, 'etag') ?? '' });
      await client.get('/files/notes.csv');
      const log = await client.get('/files/log?lines=200000');
      assert.ok(log.isComplete);
      assert.ok(log.content.length > 8_000_000, `${log.content.length} bytes`);
      await client.send({ method: 'HEAD', path: '/files/log?lines=1000' });
      const cut = await client.send({ path: '/files/log?lines=5000000', stopAfterBytes: 100_000 });
      assert.equal(cut.isComplete, false);
      client.replies.pop();
      assert.equal((await client.get('/healthz')).status, 200);
    },
  },
  {
    name: 'listens to an event stream',
    play: async (client) => {
      const reply = await client.get('/live/events?count=3&interval=20', {
        Accept: 'text/event-stream',
        'Accept-Encoding': 'gzip',
        'Last-Event-ID': '7',
      });
      assert.match(reply.content.toString(), /^retry: 2000\n\nid: 8\nevent: pulse\n/);
      const cut = await client.send({ path: '/live/events?interval=20', stopAfterBytes: 50 });
      assert.equal(cut.isComplete, false);
      client.replies.pop();
      assert.equal((await client.get('/healthz')).status, 200);
    },
  },
];
