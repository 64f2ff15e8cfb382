/** The API of the example of RPC, asked by its own client with its own types, in each form in which its server runs. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'fulmar/client';
import { typeErrors } from 'fulmar/client/type-errors';
import type { api } from '../../../examples/rpc-app/server/api.ts';
import type { Sighting } from '../../../examples/rpc-app/server/sighting.ts';
import type { Running } from '../support/launch.ts';
import { buildExample, type Example, forms } from './forms.ts';

let example: Example;
before(async () => void (example = await buildExample()), { timeout: 300_000 });
after(() => example?.remove());

const newClient = (origin: string) => createClient<typeof api>(`${origin}/api`);

async function signIn(origin: string, name: string, password: string) {
  const client = newClient(origin);
  const token = await client.orThrow.mutate.session.open(name, password);
  client.set('token', token);
  return { client, token };
}

for (const form of forms) {
  describe(`the example of RPC as ${form.name}`, { timeout: 300_000 }, () => {
    let running: Running;
    let origin = '';
    before(async () => {
      running = await form.start(example);
      origin = `http://127.0.0.1:${running.port}`;
    });
    after(() => running?.stop());

    test('takes sightings of those who have signed in, and gives them page by page', async () => {
      const { client } = await signIn(origin, 'ada', 'kittiwake');
      for (let count = 1; count <= 7; count += 1) {
        const [sighting, error] = await client.mutate.journal.add({ bird: 'auk', count, seen: new Date(count) });
        assert.equal(error, undefined);
        assert.deepEqual(sighting, { id: sighting.id, bird: 'auk', count, seen: new Date(count), by: 'ada', confirmedBy: [] });
      }
      const counts: number[] = [];
      for (let next: number | null = 0; next !== null;) {
        const page: { items: Sighting[]; next: number | null } = await client.orThrow.query.sightings.page(next);
        counts.push(...page.items.map(({ count }) => count));
        next = page.next;
      }
      assert.deepEqual(counts, [7, 6, 5, 4, 3, 2, 1]);
    });

    test('knows who has not signed in, and tells a wrong password', async () => {
      const sighting = { bird: 'auk', count: 1, seen: new Date() };
      assert.equal((await newClient(origin).mutate.journal.add(sighting))[1]?.type, 'unauthorized');
      const [, error] = await newClient(origin).mutate.session.open('ada', 'puffin');
      assert.deepEqual([error?.type, error?.message], ['wrong-password', 'Name or password is wrong.']);
    });

    test('says of a sighting what does not fit, and its client the same before it is sent', async () => {
      const { client } = await signIn(origin, 'ada', 'kittiwake');
      const wrong = { bird: '', count: 0.5, seen: new Date() };
      const [, error] = await client.mutate.journal.add(wrong);
      assert.equal(error?.status, 422);
      assert.deepEqual(
        error.issues.map(({ path }) => path),
        [
          [0, 'bird'],
          [0, 'count'],
        ],
      );
      assert.deepEqual(await typeErrors<typeof api>(`${origin}/api/~types`).errors.journal.add(wrong), error.issues);
    });

    test('lets others confirm, and nobody their own', async () => {
      const [ada, noor] = [await signIn(origin, 'ada', 'kittiwake'), await signIn(origin, 'noor', 'razorbill')];
      const { id } = await ada.client.orThrow.mutate.journal.add({ bird: 'tern', count: 1, seen: new Date() });
      assert.deepEqual(await noor.client.mutate.journal.confirm(id), [['noor'], undefined]);
      const [, error] = await ada.client.mutate.journal.confirm(id);
      assert.deepEqual(error?.type === 'own-sighting' && error.data, { id });
      assert.equal((await noor.client.mutate.journal.confirm(1e6))[1]?.type, 'no-sighting');
    });

    test('tells those who watch, until they leave', async () => {
      const { client } = await signIn(origin, 'ada', 'kittiwake');
      const stream = await newClient(origin).orThrow.query.sightings.watch();
      await client.orThrow.mutate.journal.add({ bird: 'skua', count: 2, seen: new Date(5) });
      for await (const { bird, seen } of stream) {
        assert.deepEqual([bird, seen], ['skua', new Date(5)]);
        break;
      }
    });

    test('takes photos and gives them back, and nothing else', async () => {
      const { token } = await signIn(origin, 'ada', 'kittiwake');
      const send = (type: string, headers: Record<string, string>) => {
        const body = new FormData();
        body.append('photo', new File([new Uint8Array([1, 2, 3])], 'a', { type }));
        return fetch(`${origin}/photos`, { method: 'POST', body, headers });
      };
      const known = { Authorization: `Bearer ${token}` };
      const reply = await send('image/png', known);
      assert.equal(reply.status, 201);
      const { id } = (await reply.json()) as { id: string };
      const photo = await fetch(`${origin}/photos/${id}`);
      assert.deepEqual([photo.headers.get('content-type'), photo.headers.get('x-content-type-options')], ['image/png', 'nosniff']);
      assert.deepEqual(new Uint8Array(await photo.arrayBuffer()), new Uint8Array([1, 2, 3]));
      assert.equal((await send('text/html', known)).status, 415);
      assert.equal((await send('image/png', {})).status, 401);
    });

    test('serves the page, and ends while it is watched', { timeout: 60_000 }, async () => {
      assert.match(await (await fetch(origin)).text(), /<div id="root">/);
      const stream = await newClient(origin).orThrow.query.sightings.watch();
      const rest = (async () => {
        let count = 0;
        for await (const _ of stream) count += 1;
        return count;
      })();
      assert.deepEqual(await running.stop(), { code: 0, signal: null });
      assert.equal(await rest, 0);
    });
  });
}
