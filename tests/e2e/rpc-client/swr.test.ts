/** `fulmar/client/swr` with SWR's own hooks, in a tree of React: keys, values, errors, pages, mutations. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { CallError, Client } from 'fulmar/client';
import { type Swr, swr } from 'fulmar/client/swr';
import { Window } from 'happy-dom';
import { type Bird, Station } from './api.ts';

type Api = Station['api'] extends { readonly '~rpc'?: infer Tree } ? NonNullable<Tree> : never;

// React looks for a page when it is loaded. Its `fetch` is not used: that of Node has no origin.
const window = new Window();
const { document, navigator } = window;
for (const [name, value] of Object.entries({ window, document, navigator }))
  Object.defineProperty(globalThis, name, { value, configurable: true });
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { default: useSWR, SWRConfig, useSWRConfig } = await import('swr');
const { default: useSWRInfinite } = await import('swr/infinite');
const { default: useSWRMutation } = await import('swr/mutation');

interface Shown<State> {
  /** What the component's hooks gave last. */
  now: State;
  /** Goes on with the first rendering in which it is so. */
  until(isSo: (now: State) => boolean): Promise<void>;
  remove(): void;
}

function show<State>(use: () => State): Shown<State> {
  const root = createRoot(window.document.createElement('div') as unknown as Element);
  const waiting: { readonly isSo: (now: State) => boolean; readonly goOn: () => void }[] = [];
  const shown: Shown<State> = {
    now: undefined as State,
    until: (isSo) => new Promise((goOn) => void (shown.now !== undefined && isSo(shown.now) ? goOn() : waiting.push({ isSo, goOn }))),
    remove: () => root.unmount(),
  };
  const Component = (): null => {
    const now = (shown.now = use());
    for (const one of waiting) if (one.isSo(now)) one.goOn();
    return null;
  };
  root.render(createElement(SWRConfig, { value: { provider: () => new Map(), dedupingInterval: 0 } }, createElement(Component)));
  return shown;
}

describe('fulmar/client/swr', () => {
  const station = new Station();
  let client: Client<Station['api']>;
  let api: Swr<Api>;
  before(async () => {
    client = await station.start();
    api = swr(client);
  });
  beforeEach(() => void (station.calls.length = 0));
  after(async () => {
    await window.happyDOM.close();
    await station.stop();
  });

  it('gives values, and asks once for what two want', async () => {
    const shown = show(() => [useSWR(...api.query.birds.get(1)), useSWR(...api.query.birds.get(1)), useSWR(...api.query.birds.get(2))]);
    await shown.until((all) => all.every(({ data }) => data !== undefined));
    assert.deepEqual(
      shown.now.map(({ data }) => data?.name),
      ['tern', 'tern', 'gull'],
    );
    assert.ok(shown.now[0]?.data?.seen instanceof Date);
    assert.deepEqual(station.calls.sort(), ['get 1', 'get 2']);
    shown.remove();
  });

  it('keeps apart what has no form in JSON', async () => {
    const ask = (tag: string) => useSWR(...api.query.birds.since({ from: new Date(1), tags: new Set([tag]) }));
    const shown = show(() => [ask('a'), ask('b')]);
    await shown.until((all) => all.every(({ data }) => data !== undefined));
    assert.deepEqual(
      shown.now.map(({ data }) => data),
      ['1 a', '1 b'],
    );
    shown.remove();
  });

  it('gives errors with their types, once', async () => {
    const shown = show(() => useSWR<Bird, CallError<typeof client.query.birds.get>>(...api.query.birds.get(99)));
    await shown.until(({ error }) => error !== undefined);
    const { error } = shown.now;
    assert.equal(error?.type === 'no-bird' && error.data.id, 99);
    assert.equal(error?.status, 404);
    assert.deepEqual(station.calls, ['get 99']);
    shown.remove();
  });

  it('asks again for the keys of a part', async () => {
    const shown = show(() => ({ ...useSWRConfig(), bird: useSWR(...api.query.birds.get(0)), none: useSWR(...api.query.nothing()) }));
    await shown.until(({ bird, none }) => bird.data !== undefined && !none.isLoading);
    station.birds[0] = 'razorbill';
    await shown.now.mutate(api.filter.birds());
    await shown.until(({ bird }) => bird.data?.name === 'razorbill');
    assert.equal(api.filter.birds.get()(['birds.getter', '[]']), false);
    assert.equal(api.filter()(['nothing', '[]']), true);
    assert.equal(api.filter.birds()('$inf$birds'), false);
    shown.remove();
  });

  it('asks page after page', async () => {
    const shown = show(() =>
      useSWRInfinite(...api.infinite.birds.page((index, last) => (index > 0 && last?.next == null ? null : [last?.next ?? 0, 'name']))),
    );
    for (const size of [1, 2, 3]) {
      await shown.until(({ data }) => data?.length === size);
      if (size < 3) void shown.now.setSize(size + 1);
    }
    assert.deepEqual(
      shown.now.data?.flatMap(({ birds }) => birds),
      station.birds,
    );
    shown.remove();
  });

  it('sends mutations, of one parameter and of several', async () => {
    const shown = show(() => ({
      add: useSWRMutation(...api.mutate.birds.add()),
      rename: useSWRMutation(...api.mutate.birds.rename((bird: { id: number; name: string }) => [bird.id, bird.name])),
    }));
    await shown.until(() => true);
    assert.equal(await shown.now.add.trigger('fulmar'), 6);
    assert.equal(await shown.now.rename.trigger({ id: 5, name: 'skua' }), 'skua');
    await assert.rejects(shown.now.rename.trigger({ id: 5, name: '' }), { type: 'no-name' });
    shown.remove();
  });
});
