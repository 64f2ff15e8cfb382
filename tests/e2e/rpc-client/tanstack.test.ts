/** `fulmar/client/tanstack` with TanStack Query's own core: keys, values, errors, pages, streams, and calls that nobody waits for. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
  experimental_streamedQuery as streamedQuery,
} from '@tanstack/react-query';
import type { Client } from 'fulmar/client';
import { type Tanstack, tanstack } from 'fulmar/client/tanstack';
import { Station, until } from './api.ts';

type Api = Station['api'] extends { readonly '~rpc'?: infer Tree } ? NonNullable<Tree> : never;

describe('fulmar/client/tanstack', () => {
  const station = new Station();
  let client: Client<Station['api']>;
  let api: Tanstack<Api>;
  let cache = new QueryClient();
  before(async () => {
    client = await station.start();
    api = tanstack(client);
  });
  beforeEach(() => {
    cache.clear();
    cache = new QueryClient();
    station.calls.length = 0;
  });
  after(async () => {
    cache.clear();
    await station.stop();
  });

  it('gives values, and keeps them by path and parameters', async () => {
    assert.deepEqual(await cache.fetchQuery(api.query.birds.get(1)), { id: 1, name: 'tern', seen: new Date(1) });
    const options = { ...api.query.birds.get(1), staleTime: Infinity };
    assert.equal((await cache.fetchQuery(options)).name, 'tern');
    assert.equal((await cache.fetchQuery({ ...api.query.birds.get(2), staleTime: Infinity })).name, 'gull');
    assert.deepEqual(station.calls, ['get 1', 'get 2']);
    assert.deepEqual(options.queryKey, ['birds', 'get', { params: [1] }]);
  });

  it('keeps apart what JSON alone would not', async () => {
    const ask = (from: Date, tags: string[]) => cache.fetchQuery(api.query.birds.since({ from, tags: new Set(tags) }));
    assert.equal(await ask(new Date(1), ['a']), '1 a');
    assert.equal(await ask(new Date(1), ['b']), '1 b');
    assert.equal(cache.getQueryCache().getAll().length, 2);
    await ask(new Date(1), ['a']);
    assert.equal(cache.getQueryCache().getAll().length, 2);
  });

  it('finds all keys of a part, and of a procedure', async () => {
    for (const id of [0, 1]) await cache.fetchQuery(api.query.birds.get(id));
    await cache.fetchQuery(api.query.nothing());
    const count = (queryKey: readonly string[]): number => cache.getQueryCache().findAll({ queryKey }).length;
    assert.deepEqual([count(api.key.birds()), count(api.key.birds.get()), count(api.key.nothing()), count(api.key())], [2, 2, 1, 3]);
    assert.equal(count(api.key.birds.page()), 0);
  });

  it('has null for nothing, which may be no value of a query', async () => assert.equal(await cache.fetchQuery(api.query.nothing()), null));

  it('throws errors with their types, once', async () => {
    const observer = new QueryObserver(cache, api.query.birds.get(99));
    const result = await new Promise<ReturnType<typeof observer.getCurrentResult>>((resolve) => {
      const stop = observer.subscribe((one) => void (one.isError && (stop(), resolve(one))));
    });
    assert.equal(result.error?.type === 'no-bird' && result.error.data.id, 99);
    assert.deepEqual(station.calls, ['get 99']);
  });

  it('gives up on the server what nobody waits for any more', async () => {
    const aborted = new Promise<void>((resolve) => (station.onAbort = resolve));
    const observer = new QueryObserver(cache, api.query.wait());
    const stop = observer.subscribe(() => {});
    await until(() => station.calls.includes('wait'));
    stop();
    await aborted;
    assert.equal(cache.getQueryState(api.query.wait().queryKey)?.fetchStatus, 'idle');
  });

  it('asks page after page', async () => {
    const pages = api.infinite.birds.page({
      initialPageParam: 0,
      params: (at) => [at, 'name'],
      getNextPageParam: (last) => last.next,
    });
    const observer = new InfiniteQueryObserver(cache, pages);
    const stop = observer.subscribe(() => {});
    while (observer.getCurrentResult().hasNextPage || observer.getCurrentResult().isPending) await observer.fetchNextPage();
    stop();
    const { data } = observer.getCurrentResult();
    assert.deepEqual(
      data?.pages.flatMap(({ birds }) => birds),
      station.birds,
    );
    assert.deepEqual(data.pageParams, [0, 2, 4]);
    assert.notDeepEqual(pages.queryKey, api.query.birds.page(0, 'name').queryKey);
  });

  it('gives the items of a stream as they come', async () => {
    const { queryKey, streamFn } = api.stream.count(3);
    assert.deepEqual(await cache.fetchQuery({ queryKey, queryFn: streamedQuery({ streamFn }) }), [0, 1, 2]);
  });

  it('sends mutations, of one parameter and of several', async () => {
    const added = new MutationObserver(cache, api.mutate.birds.add());
    assert.equal(await added.mutate('fulmar'), 6);
    const rename = new MutationObserver(
      cache,
      api.mutate.birds.rename((bird: { id: number; name: string }) => [bird.id, bird.name]),
    );
    assert.equal(await rename.mutate({ id: 5, name: 'northern fulmar' }), 'northern fulmar');
    await assert.rejects(rename.mutate({ id: 5, name: '' }), { type: 'no-name', data: { id: 5 } });
    assert.equal(cache.getMutationCache().findAll({ mutationKey: api.key.birds() }).length, 3);
  });
});
