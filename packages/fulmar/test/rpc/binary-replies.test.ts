/** Replies in bytes beside what else a call may have: middleware that adds, texts of its own, files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, type ClientOptions } from '../../../client/src/index.ts';
import { binary } from '../../../client/src/binary.ts';
import { parts } from '../../../client/src/parts.ts';
import { type App, createApp } from '../../src/app/index.ts';
import { file, middleware, mutation, query, rpc, scoped } from '../../src/rpc/index.ts';

const api = rpc({
  in: scoped(
    middleware({ results: { type: 'object' } }, (call, next) => {
      call.addResults({ left: 1, at: new Date(5) });
      return next();
    }),
    { points: query({ params: [] }, () => [0.5, 1.5]), fails: query({ params: [] }, () => Promise.reject(new Error('no'))) },
  ),
  own: query({ params: [], serializer: (value) => JSON.stringify([value]) }, () => 7),
  whole: query({ params: [], serializer: 'whole' }, () => ({ at: new Date(0) })),
  size: mutation({ params: [file(), { type: 'number' }] }, (_c, one: File, by: number) => [one.size * by, new Date(one.size)]),
  take: mutation({ validateParams: false }, (_c, one: unknown) => one),
});

/** A client of the binary form that has learnt that its server has it, and the types of all replies behind that. */
async function speaking(app: App, more: ClientOptions = {}) {
  const types: (string | null)[] = [];
  const own = async (url: string, init: RequestInit): Promise<Response> => {
    const reply = await app.fetch(new Request(url, { ...init, duplex: 'half' } as RequestInit));
    types.push(reply.headers.get('content-type'));
    return reply;
  };
  const client = createClient<typeof api>('http://localhost', { binary, fetch: own, ...more });
  await client.query.whole();
  types.length = 0;
  return { client, types };
}

const app = createApp();
app.mount('/', api);

test('tells in bytes what middleware adds, alone and in a batch', async () => {
  const { client, types } = await speaking(app);
  const added = { left: 1, at: new Date(5) };
  assert.deepEqual(await client.query.in.points(), [[0.5, 1.5], undefined, added]);
  const [, error, told] = (await client.query.in.fails()) as unknown as [undefined, { type: string }, object];
  assert.deepEqual([error.type, told], ['internal', added]);
  const results = await client.batch((plan) => [plan.in.points(), plan.own(), plan.whole()]);
  assert.deepEqual(results, [
    [[0.5, 1.5], undefined, added],
    [[7], undefined],
    [{ at: new Date(0) }, undefined],
  ]);
  assert.deepEqual(types, [binary.type, 'application/json; charset=utf-8', binary.type]);
});

test('answers in JSON where a procedure writes its own text, and pipes its results', async () => {
  const { client, types } = await speaking(app);
  assert.deepEqual(await client.query.own(), [[7], undefined]);
  assert.deepEqual(types, ['application/json; charset=utf-8']);
  const piped = await client.pipe(
    (plan) => plan.own(),
    (given, plan) => plan.take(given),
  );
  assert.deepEqual(piped, [[7], undefined]);
});

test('sends files beside a call in JSON, is answered in bytes, and says what cannot be sent without parts()', async () => {
  const { client, types } = await speaking(app, { parts: parts() });
  const one = new File(['hello'], 'a.txt');
  assert.deepEqual(await client.mutate.size(one, 2), [[10, new Date(5)], undefined]);
  assert.deepEqual(types, [binary.type]);
  assert.deepEqual(await client.mutate.take({ at: new Date(1) }), [{ at: new Date(1) }, undefined]);
  const { client: alone } = await speaking(app);
  const [, error] = await alone.mutate.take(one);
  assert.match(String(error?.message), /files and streams are sent as parameters/);
});
