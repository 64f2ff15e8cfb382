/** What visitors of the logbook do, whatever form it runs in. Each scenario says itself what it expects. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { field, visit } from '../support/client.ts';
import { MULTIPART, toMultipart } from '../support/multipart.ts';
import type { Form } from './forms.ts';
import { cookiesOf, Listener, signIn, valueOf } from './visitor.ts';

export interface Scenario {
  readonly name: string;
  readonly play: (port: number, form: Form) => Promise<void>;
}

const HTML = { Accept: 'text/html' };

/** Reads events until one is as wanted. */
async function firstEvent(port: number, wanted: (event: string) => boolean, then: () => Promise<unknown>): Promise<string> {
  const request = http.get({ host: '127.0.0.1', port, path: '/api/feed', agent: false });
  try {
    const message = await new Promise<http.IncomingMessage>((resolve, reject) => request.once('response', resolve).once('error', reject));
    assert.match(message.headers['content-type'] ?? '', /^text\/event-stream/);
    let text = '';
    let isAsked = false;
    for await (const piece of message) {
      text += String(piece);
      const events = text.split('\n\n').slice(0, -1);
      if (!isAsked && events.some((event) => event.includes('event: ready'))) {
        isAsked = true;
        await then();
      }
      const found = events.find(wanted);
      if (found !== undefined) return found;
    }
    throw new Error(`the stream ended: ${text}`);
  } finally {
    request.destroy();
  }
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'pages are made by template strings, by Preact, and lie there as files',
    play: visit(async (client) => {
      const home = await client.get('/');
      assert.match(field(home, 'content-type') ?? '', /^text\/html/);
      assert.match(home.content.toString(), /<a href="\/sightings\/1">12 × Northern fulmar<\/a> by ada/);
      assert.match((await client.get('/sightings/1')).content.toString(), /^<!doctype html><html lang="en">.*<strong>ada<\/strong>/);
      assert.match((await client.get('/rules')).content.toString(), /Do not feed the skuas/);
      assert.match((await client.get('/live')).content.toString(), /new WebSocket/);
    }),
  },
  {
    name: 'a page of prerender is made once in what was built, and each time elsewhere',
    play: visit(async (client, _port, { isBuilt }) => {
      const madeAt = async (): Promise<string> => {
        const page = await client.get('/about');
        assert.equal(page.status, 200);
        assert.match(field(page, 'content-type') ?? '', /^text\/html/);
        return /id="made">([^<]+)</.exec(page.content.toString())?.[1] ?? '';
      };
      const first = await madeAt();
      assert.match(first, /^\d{4}-/);
      await new Promise((resolve) => setTimeout(resolve, 2));
      assert.equal((await madeAt()) === first, isBuilt);
    }),
  },
  {
    name: 'files of the public folder have a tag, an age and ranges',
    play: visit(async (client) => {
      const css = await client.get('/site.css');
      assert.equal(css.status, 200);
      assert.match(field(css, 'cache-control') ?? '', /max-age=3600/);
      assert.equal((await client.get('/site.css', { 'If-None-Match': field(css, 'etag') ?? '' })).status, 304);
      const part = await client.get('/site.css', { Range: 'bytes=0-3' });
      assert.deepEqual([part.status, part.content.toString()], [206, 'body']);
      for (const path of ['/../package.json', '/..%2fpackage.json', '/%2e%2e/fulmar.config.ts', '/.env'])
        assert.equal((await client.get(path)).status, 404, path);
    }),
  },
  {
    name: 'the list of the API is asked for with parameters, which are checked',
    play: visit(async (client) => {
      const all = valueOf(await client.get('/api/sightings')) as { species: string }[];
      assert.ok(all.some(({ species }) => species === 'Northern fulmar'));
      const found = valueOf(await client.get('/api/sightings?species=PUFFIN&limit=1')) as { species: string }[];
      assert.deepEqual(
        found.map(({ species }) => species),
        ['Atlantic puffin'],
      );
      const wrong = await client.get('/api/sightings?limit=many');
      assert.equal(wrong.status, 422);
      assert.deepEqual((valueOf(wrong) as { error: { status: number } }).error.status, 422);
    }),
  },
  {
    name: 'nothing is added, uploaded or taken out by who has not signed in',
    play: visit(async (client) => {
      const added = await client.json('/api/sightings', { species: 'Gannet', count: 1 });
      assert.deepEqual([added.status, valueOf(added)], [401, { error: { status: 401, message: 'Sign in to add what you have seen.' } }]);
      assert.equal((await client.send({ method: 'DELETE', path: '/api/sightings/1' })).status, 401);
      const content = toMultipart([{ name: 'a', filename: 'a.png', value: 'x' }]);
      assert.equal((await client.post('/api/photos', content, MULTIPART)).status, 401);
      assert.deepEqual([(await client.get('/admin')).status, field(await client.get('/admin'), 'location')], [303, '/account']);
    }),
  },
  {
    name: 'a wrong password is told on the page, a form of another site is refused',
    play: visit(async (client) => {
      const wrong = await client.form('/account', { name: 'ada', password: 'puffin' });
      assert.equal(wrong.status, 401);
      assert.match(wrong.content.toString(), /role="alert">Name or password is wrong\.</);
      const foreign = await client.form(
        '/account',
        { name: 'ada', password: 'kittiwake' },
        { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
      );
      assert.equal(foreign.status, 403);
    }),
  },
  {
    name: 'who signs in adds a sighting, all see it as text, and takes it out',
    play: visit(async (client) => {
      const added = await client.json('/api/sightings', { species: '<b>Größe</b> 🐦', count: 2 });
      assert.equal(added.status, 201);
      const { id } = valueOf(added) as { id: number };
      assert.equal(field(added, 'location'), `/api/sightings/${id}`);
      assert.match((await client.get('/')).content.toString(), /2 × &lt;b&gt;Größe&lt;\/b&gt; 🐦/);
      assert.match((await client.get(`/sightings/${id}`)).content.toString(), /&lt;b>Größe&lt;\/b> 🐦|&lt;b&gt;Größe&lt;\/b&gt; 🐦/);
      assert.equal((await client.json('/api/sightings', { species: '', count: 0 })).status, 422);
      const deleted = await client.send({ method: 'DELETE', path: `/api/sightings/${id}` });
      assert.deepEqual([deleted.status, deleted.content.length], [204, 0]);
      assert.equal((await client.get(`/api/sightings/${id}`)).status, 404);
    }, signIn),
  },
  {
    name: 'a folder’s middleware lets in who may',
    play: async (port) => {
      const noor = await signIn(port, 'noor', 'razorbill');
      const ada = await signIn(port);
      try {
        assert.equal((await noor.get('/admin')).status, 403);
        const { totals } = valueOf(await ada.get('/admin')) as { totals: unknown[] };
        assert.ok(totals.length > 0);
        assert.equal((await noor.send({ method: 'DELETE', path: '/api/sightings/1' })).status, 403);
        assert.equal((await ada.send({ method: 'POST', path: '/account/leave' })).status, 303);
        assert.equal((await ada.get('/admin')).status, 303);
      } finally {
        ada.close();
        noor.close();
      }
    },
  },
  {
    name: 'photos are kept with their type; what is none, or too large, is refused',
    play: visit(async (client) => {
      const upload = (filename: string, type: string, value: string | Buffer) =>
        client.post('/api/photos', toMultipart([{ name: 'photo', filename, type, value }]), MULTIPART);
      const kept = await upload('größe.png', 'image/png', Buffer.from([0x89, 0x50, 0, 0xff]));
      assert.equal(kept.status, 201, kept.content.toString());
      const [photo] = valueOf(kept) as { name: string; bytes: number; url: string }[];
      assert.deepEqual([photo?.name, photo?.bytes], ['größe.png', 4]);
      const back = await client.get(photo?.url ?? '');
      assert.deepEqual([field(back, 'content-type'), [...back.content]], ['image/png', [0x89, 0x50, 0, 0xff]]);
      assert.equal((await upload('a.html', 'text/html', '<script>')).status, 415);
      assert.equal((await upload('a.png', 'image/png', Buffer.alloc(1_000_001))).status, 413);
      assert.equal((await client.get('/api/photos/none')).status, 404);
    }, signIn),
  },
  {
    name: 'a sighting is told as an event',
    play: visit(async (client, port) => {
      const event = await firstEvent(
        port,
        (one) => one.includes('Gannet'),
        () => client.json('/api/sightings', { species: 'Gannet', count: 7 }),
      );
      assert.match(event, /event: sighting/);
      assert.match(event, /"count":7/);
    }, signIn),
  },
  {
    name: 'what one says on the live page others hear, with the name of who has signed in',
    play: async (port) => {
      const visitor = await signIn(port);
      const ada = await Listener.connect(port, cookiesOf(visitor));
      const guest = await Listener.connect(port, '');
      ada.say('hello <b>ünï</b>');
      await guest.hears('ada: hello <b>ünï</b>');
      guest.say('x'.repeat(501));
      assert.equal(await guest.closed, 1009);
      await ada.hears('somebody has gone');
      ada.close();
      assert.equal(await ada.closed, 1005);
      visitor.close();
    },
  },
  {
    name: 'the rest of a path is an array, decoded',
    play: visit(async (client) => {
      assert.deepEqual((valueOf(await client.get('/files/a/b%2Fc/%C3%BC')) as { parts: unknown }).parts, ['a', 'b/c', 'ü']);
    }),
  },
  {
    name: 'what is not there is a page for browsers and JSON for programs; methods are told',
    play: visit(async (client) => {
      const page = await client.get('/nothing/<here>', HTML);
      assert.deepEqual([page.status, /<h1>Nothing is at/.test(page.content.toString())], [404, true]);
      const json = await client.get('/nothing', { Accept: 'application/json' });
      assert.deepEqual([json.status, valueOf(json)], [404, { error: { status: 404, message: 'Nothing is at /nothing.' } }]);
      const wrong = await client.send({ method: 'PUT', path: '/account' });
      assert.deepEqual([wrong.status, field(wrong, 'allow')], [405, 'GET, HEAD, OPTIONS, POST']);
      const head = await client.send({ method: 'HEAD', path: '/api/sightings' });
      assert.deepEqual([head.status, head.content.length], [200, 0]);
      assert.deepEqual(valueOf(await client.get('/health')), { status: 'ok' });
    }),
  },
  {
    name: 'content over the limit of the config is refused',
    play: visit(async (client) => {
      assert.equal((await client.json('/api/sightings', { species: 'x'.repeat(70_000), count: 1 })).status, 413);
    }, signIn),
  },
  {
    name: 'totals are counted once for many who ask at once',
    play: visit(async (client) => {
      const replies = await Promise.all(Array.from({ length: 5 }, () => client.get('/api/totals')));
      assert.equal(new Set(replies.map(({ content }) => content.toString())).size, 1);
    }),
  },
];
