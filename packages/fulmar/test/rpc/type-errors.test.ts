/** Parameters that a client judges before it sends: by schemas of the server, fetched or at hand; and what it does without them. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { createClient } from '../../../client/src/index.ts';
import { typeErrors, type TypesReply } from '../../../client/src/type-errors.ts';
import { createApp } from '../../src/app/index.ts';
import { mutation, query, rpc } from '../../src/rpc/index.ts';
import { serverOf } from '../app/server.ts';

const text = { type: 'string', minLength: 2 } as const;
const make = (types: boolean) =>
  rpc(
    {
      birds: {
        rename: mutation({ params: [{ type: 'integer' }, text] }, (_c, id, name) => `${id} ${name}`),
        find: query({ params: [text] }, (_c, name) => name),
        byZod: mutation({ params: [z.string().min(3), { type: 'integer' }] }, (_c, name, id) => `${name} ${id}`),
        free: mutation({ validateParams: false }, (_c, value: unknown) => value),
      },
    },
    { types },
  );
type Api = ReturnType<typeof make>;

describe('typeErrors()', () => {
  const app = createApp();
  const seen: string[] = [];
  app.onRequest((c) => void seen.push(`${c.method} ${c.path}`));
  app.mount('/api', make(true));
  app.mount('/silent', make(false));
  app.get('/broken/~types', (c) => c.status(503).send('away'));
  app.get('/page/~types', (c) => c.html('<html>'));
  let origin = '';
  before(async () => void (origin = `http://127.0.0.1:${((await serverOf(app)).address() as AddressInfo).port}`));
  after(() => app.close());
  const checked = (part: string) => {
    const types = typeErrors<Api>(`${origin}/${part}/~types`);
    return { types, client: createClient<Api>(`${origin}/api`, { check: types.check }) };
  };

  it('refuses before sending what the server would refuse, in its words', async () => {
    const { client, types } = checked('api');
    seen.length = 0;
    const [, error] = await client.mutate.birds.rename(1.5, 'x');
    assert.deepEqual([error?.type, error?.status, error?.message], ['invalid-params', 0, 'The parameters are not valid.']);
    assert.deepEqual(seen, ['GET /api/~types']);
    const [, told] = await createClient<Api>(`${origin}/api`).mutate.birds.rename(1.5, 'x');
    assert.equal(told?.status, 422);
    assert.deepEqual(error?.issues, told.issues);
    assert.deepEqual(
      error?.issues.map(({ path }) => path),
      [[0], [1]],
    );
    const [missing] = await types.errors.birds.rename(1, undefined);
    assert.deepEqual([missing?.path, missing?.received], [[1], 'undefined']);
  });

  it('asks for the types once, and sends what fits', async () => {
    const { client } = checked('api');
    seen.length = 0;
    await Promise.all([client.query.birds.find('auk'), client.query.birds.find('a'), client.mutate.birds.rename(1, 'auk')]);
    await assert.rejects(client.orThrow.query.birds.find('a'), { type: 'invalid-params', status: 0 });
    assert.deepEqual(seen.sort(), ['GET /api/birds/find', 'GET /api/~types', 'POST /api/birds/rename']);
  });

  it('tells of parameters too many', async () => {
    const call = createClient(`${origin}/api`, { check: checked('api').types.check }) as never as {
      mutate: { birds: { rename(...args: unknown[]): Promise<[unknown, { issues: { message: string }[] }]> } };
    };
    const [, error] = await call.mutate.birds.rename(1, 'auk', 3);
    assert.deepEqual(
      error.issues.map(({ message }) => message),
      ['Expected 2 parameters, received 3.'],
    );
  });

  it('leaves to the server what is a function there, and what nothing is said of', async () => {
    const { types, client } = checked('api');
    assert.deepEqual(await types.errors.birds.byZod('x', 1), []);
    assert.equal((await types.errors.birds.byZod('x', 'y')).length, 1);
    assert.equal((await client.mutate.birds.byZod('x', 1))[1]?.status, 422);
    assert.deepEqual(await client.mutate.birds.free(Symbol('x')).then(([, error]) => error?.message), 'a symbol cannot be sent');
  });

  for (const part of ['silent', 'broken', 'page', 'nowhere'])
    it(`sends all where there are no types: ${part}`, async () =>
      assert.equal((await checked(part).client.mutate.birds.rename(1.5, 'x'))[1]?.status, 422));

  it('says how a server tells its types, and asks one that does not no more', async () => {
    const { types } = checked('silent');
    await assert.rejects(types.errors.birds.find('a'), /~types is 404: the server tells its types with rpc\(api, \{ types: true \}\)/);
    seen.length = 0;
    await assert.rejects(types.errors.birds.find('a'), TypeError);
    assert.deepEqual(seen, []);
  });

  it('asks again a server that was away', async () => {
    const { types } = checked('broken');
    await assert.rejects(types.errors.birds.find('a'), /the reply is 503/);
    seen.length = 0;
    await assert.rejects(types.errors.birds.find('a'));
    assert.deepEqual(seen, ['GET /broken/~types']);
  });

  it('takes types that came with the program', async () => {
    const reply = (await (await fetch(`${origin}/api/~types`)).json()) as TypesReply;
    const before = JSON.stringify(reply);
    for (const source of [reply, () => reply, async () => reply])
      assert.equal((await typeErrors<Api>(source).errors.birds.find('a')).length, 1);
    assert.equal(JSON.stringify(reply), before);
    await assert.rejects(typeErrors<Api>({ rpc: 2, value: {} }).errors.birds.find('a'), /no description of types/);
    assert.throws(() => typeErrors(undefined as never), /typeErrors\(\) takes the URL of \/~types/);
  });

  it('is told with a tag, and by GET alone', async () => {
    const reply = await fetch(`${origin}/api/~types`);
    const tag = reply.headers.get('etag') ?? '';
    assert.match(tag, /^(?:W\/)?"/);
    assert.equal((await fetch(`${origin}/api/~types`, { headers: { 'If-None-Match': tag } })).status, 304);
    const posted = await fetch(`${origin}/api/~types`, { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  });
});
