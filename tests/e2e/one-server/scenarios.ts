/** What visitors of the one server do, whatever form it runs in. Each scenario says itself what it expects. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Client, field, visit } from '../support/client.ts';
import { MULTIPART, toMultipart } from '../support/multipart.ts';
import { ChatClient } from './chat-client.ts';
import type { Form } from './forms.ts';

export interface Scenario {
  readonly name: string;
  readonly play: (port: number, form: Form) => Promise<void>;
}

const digest = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

export async function signIn(port: number, name = 'ada', password = 'kittiwake'): Promise<Client> {
  const visitor = new Client(port);
  const reply = await visitor.form('/account/login', { name, password });
  assert.deepEqual([reply.status, field(reply, 'location')], [303, '/']);
  return visitor;
}

async function valueAt(client: Client, path: string): Promise<unknown> {
  return JSON.parse((await client.get(path)).content.toString());
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'a first visit gets a page and no cookie',
    play: visit(async (client) => {
      const home = await client.get('/');
      assert.equal(home.status, 200);
      assert.match(home.content.toString(), /You are nobody yet/);
      assert.equal(field(home, 'set-cookie'), undefined);
    }),
  },
  {
    name: 'who signs in at the Express app is known to the typed one, and what that counts the Express app shows',
    play: visit(async (client) => {
      const before = client.cookies.get('station.sid');
      for (const pages of [1, 2]) assert.match((await client.get('/')).content.toString(), new RegExp(`ada</strong>.*>${pages}</strong>`));
      assert.deepEqual(await valueAt(client, '/api/me'), { user: 'ada', pages: 2 });
      assert.match((await client.get('/account')).content.toString(), /id="pages">2</);
      assert.equal(client.cookies.get('station.sid'), before);
    }, signIn),
  },
  {
    name: 'a sign-out at the Express app ends the session for all, also for who kept the cookie',
    play: visit(async (client) => {
      const kept = client.cookies.get('station.sid') ?? '';
      const out = await client.post('/account/logout', '');
      assert.deepEqual([out.status, client.cookies.has('station.sid')], [303, false]);
      client.cookies.set('station.sid', kept);
      assert.deepEqual(await valueAt(client, '/api/me'), { user: null, pages: 0 });
    }, signIn),
  },
  {
    name: 'a sign-in gives a new id, and a session that was forged is none',
    play: visit(async (client) => {
      const first = client.cookies.get('station.sid') ?? '';
      await client.form('/account/login', { name: 'ada', password: 'kittiwake' });
      const second = client.cookies.get('station.sid') ?? '';
      assert.notEqual(second, first);
      // Another first character, whichever it is.
      client.cookies.set(
        'station.sid',
        second.replace(/^(s%3A)(.)/, (_all, start: string, one: string) => start + (one === '-' ? '_' : '-')),
      );
      assert.deepEqual(await valueAt(client, '/api/me'), { user: null, pages: 0 });
      client.cookies.set('station.sid', first);
      assert.deepEqual(await valueAt(client, '/api/me'), { user: null, pages: 0 });
    }, signIn),
  },
  {
    name: 'a wrong password, an unknown name and no form are refused with the form again, with nothing of it as markup',
    play: visit(async (client) => {
      for (const form of [{ name: 'ada', password: 'x' }, { name: '__proto__', password: 'x' }, { name: '<script>', password: 'x' }, {}]) {
        const reply = await client.form('/account/login', form as Record<string, string>);
        assert.equal(reply.status, 401);
        assert.match(reply.content.toString(), /Name or password is wrong/);
        assert.doesNotMatch(reply.content.toString(), /value="<script>/);
      }
      assert.equal(client.cookies.size, 0);
    }),
  },
  {
    name: 'typed routes check what comes and tell what they made of it',
    play: visit(async (client) => {
      const made = await client.json('/api/birds', { species: '  Sandwich tern ' });
      assert.equal(made.status, 201);
      const path = field(made, 'location') ?? '';
      const bird = JSON.parse(made.content.toString()) as { id: number };
      assert.deepEqual(bird, { id: bird.id, species: 'Sandwich tern', count: 1, by: 'ada' });
      assert.deepEqual(await valueAt(client, path), bird);
      assert.deepEqual(await valueAt(client, '/api/birds?species=SANDWICH&limit=1'), [bird]);
      const wrong = await client.json('/api/birds', { species: 'x', count: 0 });
      const { errors } = JSON.parse(wrong.content.toString()) as { errors: { path: string[] }[] };
      assert.deepEqual([wrong.status, errors.map((error) => error.path[0])], [422, ['species', 'count']]);
      assert.equal((await client.get('/api/birds?limit=101')).status, 422);
      assert.equal((await client.get('/api/birds/x')).status, 422);
      assert.equal((await client.get('/api/birds/999999')).status, 404);
      assert.equal((await client.post('/api/birds', '{"species":', { 'Content-Type': 'application/json' })).status, 400);
      assert.equal((await client.send({ method: 'DELETE', path: '/api/birds' })).status, 405);
    }, signIn),
  },
  {
    name: 'what is for those who have signed in is 401 for others',
    play: visit(async (client, port) => {
      assert.equal((await client.json('/api/birds', { species: 'Tern' })).status, 401);
      assert.equal((await client.post('/uploads', toMultipart([{ name: 'a', filename: 'a', value: 'x' }]), MULTIPART)).status, 401);
      assert.equal((await client.get('/events')).status, 401);
      assert.equal(await ChatClient.refused(port, {}), 401);
    }),
  },
  {
    name: 'Koa answers what it is mounted for, as the client likes it',
    play: visit(async (client) => {
      assert.deepEqual(await valueAt(client, '/tides'), { places: ['skomer', 'bass-rock'] });
      const json = await client.get('/tides/skomer');
      assert.deepEqual(JSON.parse(json.content.toString()), { place: 'skomer', highWater: ['06:15', '18:40'] });
      assert.match(field(json, 'server-timing') ?? '', /^koa;dur=/);
      assert.equal((await client.get('/tides/skomer', { Accept: 'text/plain' })).content.toString(), 'High water: 06:15, 18:40\n');
      assert.equal((await client.get('/tides/nowhere')).status, 404);
    }),
  },
  {
    name: 'the fetch handler gives a feed of what the typed routes have, escaped',
    play: visit(async (client) => {
      await client.json('/api/birds', { species: 'Gull <& "friends">', count: 3 });
      const feed = await client.get('/feed');
      assert.equal(field(feed, 'content-type'), 'application/atom+xml; charset=utf-8');
      assert.match(feed.content.toString(), /<title>3 × Gull &#60;&#38; &#34;friends&#34;&#62;<\/title><author><name>ada</);
      const wrong = await client.send({ method: 'PUT', path: '/feed' });
      assert.deepEqual([wrong.status, field(wrong, 'allow')], [405, 'GET, HEAD']);
    }, signIn),
  },
  {
    name: 'files are taken piece by piece and told by their digests',
    play: visit(async (client) => {
      const large = Buffer.alloc(3_000_000, 'fulmar');
      const reply = await client.post(
        '/uploads',
        toMultipart([
          { name: 'note', value: 'not a file' },
          { name: 'a', filename: 'größe.bin', value: large },
          { name: 'b', filename: 'empty', value: '' },
        ]),
        MULTIPART,
      );
      assert.equal(reply.status, 201, reply.content.toString());
      assert.deepEqual(JSON.parse(reply.content.toString()), {
        files: [
          { name: 'größe.bin', bytes: large.length, sha256: digest(large) },
          { name: 'empty', bytes: 0, sha256: digest('') },
        ],
      });
      const many = Array.from({ length: 6 }, () => ({ name: 'a', filename: 'a', value: 'x' }));
      assert.equal((await client.post('/uploads', toMultipart(many), MULTIPART)).status, 413);
      assert.equal((await client.post('/uploads', toMultipart([{ name: 'a', value: 'x' }]), MULTIPART)).status, 400);
      assert.equal((await client.post('/uploads', toMultipart(many.slice(1), false), MULTIPART)).status, 400);
      assert.ok((await client.json('/uploads', {})).status >= 400);
    }, signIn),
  },
  {
    name: 'a chat reaches all, in order, tells who comes later what was said, and refuses what does not fit',
    play: async (port) => {
      const [ada, noor] = [await signIn(port), await signIn(port, 'noor', 'razorbill')];
      const first = await ChatClient.connect(ada);
      await first.hear(({ kind }) => kind === 'here');
      const texts = ['hello', '<b>ünï</b> 🐦', 'x'.repeat(500)];
      for (const say of texts) first.send(JSON.stringify({ say }));
      await first.hear(({ say }) => say === texts[2]);
      const second = await ChatClient.connect(noor);
      await second.hear(({ kind, count }) => kind === 'here' && count === 2);
      const saidTo = ({ heard }: ChatClient): unknown[] => heard.filter(({ kind }) => kind === 'said').map(({ from, say }) => [from, say]);
      assert.deepEqual(
        saidTo(second).slice(-texts.length),
        texts.map((say) => ['ada', say]),
      );
      for (const wrong of ['no JSON', '{"say":""}', JSON.stringify({ say: 'x'.repeat(501) })]) second.send(wrong);
      second.send('{"say":"still here"}');
      assert.equal((await first.hear(({ say }) => say === 'still here')).from, 'noor');
      await second.hear(({ say }) => say === 'still here');
      assert.equal(second.heard.filter(({ kind }) => kind === 'refused').length, 3);
      await ada.json('/api/birds', { species: 'Great skua' });
      assert.equal((await second.hear(({ kind }) => kind === 'bird')).species, 'Great skua');
      await second.close();
      await first.hear(({ kind, count }) => kind === 'here' && count === 1 && first.heard.some((one) => one.count === 2));
      await first.close();
      for (const client of [ada, noor]) client.close();
    },
  },
  {
    name: 'what is said in the chat comes as server-sent events, too',
    play: visit(async (client) => {
      const chat = await ChatClient.connect(client);
      const events = client.send({ path: '/events', stopAfterBytes: 1 });
      // Said again until the events are subscribed to: nothing else tells when.
      let isDone = false;
      void events.then(() => (isDone = true));
      for (let n = 0; !isDone; n++) {
        chat.send(JSON.stringify({ say: `to all, ${n}` }));
        await chat.hear(({ say }) => say === `to all, ${n}`);
      }
      assert.match((await events).content.toString(), /^data: \{"kind":"said","from":"ada","say":"to all, \d+"\}/m);
      await chat.close();
    }, signIn),
  },
  {
    name: 'pages of other origins can neither sign out nor connect',
    play: visit(async (client, port) => {
      const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
      assert.equal((await client.post('/account/logout', '', foreign)).status, 403);
      assert.equal((await client.json('/api/birds', { species: 'Tern' }, foreign)).status, 403);
      assert.equal(await ChatClient.refused(port, { ...foreign, Cookie: `station.sid=${client.cookies.get('station.sid')}` }), 403);
      assert.equal(((await valueAt(client, '/api/me')) as { user: string }).user, 'ada');
    }, signIn),
  },
  {
    name: 'all parts have the security fields, assets are compressed and kept, and nothing leads out of their folder',
    play: visit(async (client) => {
      for (const path of ['/', '/account', '/tides', '/tides/nowhere', '/feed', '/api/birds', '/nowhere', '/assets/site.css']) {
        const reply = await client.get(path);
        assert.match(field(reply, 'content-security-policy') ?? '', /script-src 'self'/, path);
        assert.equal(field(reply, 'x-content-type-options'), 'nosniff', path);
      }
      const css = await client.get('/assets/site.css', { 'Accept-Encoding': 'gzip' });
      const script = await client.get('/assets/chat.js', { 'Accept-Encoding': 'gzip' });
      assert.deepEqual([field(script, 'content-encoding'), field(css, 'cache-control')], ['gzip', 'public, max-age=3600']);
      assert.equal((await client.get('/assets/chat.js', { 'If-None-Match': field(script, 'etag') ?? '' })).status, 304);
      assert.equal((await client.get('/assets/..%2fserver.ts')).status, 404);
      const icon = await client.get(field(await client.get('/favicon.ico'), 'location') ?? '');
      assert.deepEqual([icon.status, field(icon, 'content-type')], [200, 'image/svg+xml']);
    }),
  },
  {
    name: 'the document of OpenAPI has the routes of all parts, and its page is there or says why not',
    play: visit(async (client) => {
      const { paths, components } = (await valueAt(client, '/openapi.json')) as { paths: object; components: { schemas: object } };
      const all = Object.keys(paths);
      for (const path of ['/api/birds', '/api/birds/{id}', '/uploads', '/account/login', '/live']) assert.ok(all.includes(path), path);
      assert.ok('NewBird' in components.schemas);
      const docs = await client.get('/docs');
      assert.match(docs.content.toString(), /swagger-ui-bundle\.js/);
      assert.deepEqual([docs.status, (await client.get('/docs/swagger-ui-bundle.js')).status], [200, 200]);
    }),
  },
  {
    name: 'health is told',
    play: visit(async (client) => {
      assert.deepEqual([await valueAt(client, '/live'), await valueAt(client, '/ready')], [{ status: 'pass' }, { status: 'pass' }]);
    }),
  },
];
