/** Cases of `node:diagnostics_channel`. */
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics, { type Channel } from 'node:diagnostics_channel';
import { cases } from '../harness/cases.ts';

let names = 0;

/** A channel nobody else uses. */
function fresh(): Channel {
  return diagnostics.channel(`case:${names++}`);
}

function traced(): { seen: unknown[]; channel: ReturnType<typeof diagnostics.tracingChannel> } {
  const channel = diagnostics.tracingChannel(`traced:${names++}`);
  const seen: unknown[] = [];
  const see =
    (name: string) =>
    (context: object): void =>
      void seen.push([name, Object.keys(context).toSorted().join()]);
  channel.subscribe({
    start: see('start'),
    end: see('end'),
    asyncStart: see('asyncStart'),
    asyncEnd: see('asyncEnd'),
    error: see('error'),
  });
  return { seen, channel };
}

export default cases('diagnostics_channel', {
  channel: [
    () => diagnostics.channel('a') === diagnostics.channel('a'),
    () => diagnostics.channel(1 as never),
    () => diagnostics.channel(Symbol.for('s')).name,
  ],
  hasSubscribers: [
    () => diagnostics.hasSubscribers('nobody'),
    () => {
      diagnostics.subscribe('somebody', () => {});
      return diagnostics.hasSubscribers('somebody');
    },
  ],
  subscribe: [
    () => {
      const seen: unknown[] = [];
      diagnostics.subscribe('news', (message, name) => void seen.push([message, name]));
      diagnostics.channel('news').publish({ a: 1 });
      return seen;
    },
  ],
  unsubscribe: [() => diagnostics.unsubscribe('x', () => {})],
  Channel: [() => typeof diagnostics.Channel, () => fresh() instanceof diagnostics.Channel],
  'Channel#subscribe': [() => fresh().subscribe(1 as never)],
  'Channel#unsubscribe': [
    () => {
      const channel = fresh();
      const listener = (): void => {};
      channel.subscribe(listener);
      return [channel.unsubscribe(listener), channel.unsubscribe(listener), channel.hasSubscribers];
    },
  ],
  'Channel#hasSubscribers': [() => fresh().hasSubscribers],
  'Channel#publish': [
    () => {
      const channel = fresh();
      const seen: string[] = [];
      const second = (): void => void seen.push('second');
      channel.subscribe(() => {
        seen.push('first');
        channel.unsubscribe(second);
      });
      channel.subscribe(second);
      channel.publish(1);
      channel.publish(2);
      return seen;
    },
  ],
  'Channel#bindStore': [
    () => {
      const channel = fresh();
      const storage = new AsyncLocalStorage<unknown>();
      channel.bindStore(storage, (message) => ({ message }));
      return [channel.hasSubscribers, channel.runStores('m', () => storage.getStore()), storage.getStore()];
    },
  ],
  'Channel#unbindStore': [
    () => {
      const channel = fresh();
      const storage = new AsyncLocalStorage<unknown>();
      channel.bindStore(storage);
      return [channel.unbindStore(storage), channel.unbindStore(storage), channel.hasSubscribers];
    },
  ],
  'Channel#runStores': [
    () =>
      fresh().runStores(
        {},
        function (this: unknown, a: number) {
          return [this, a];
        },
        'this',
        1,
      ),
  ],
  tracingChannel: [() => diagnostics.tracingChannel('x').start.name, () => typeof diagnostics.tracingChannel('x').traceSync],
  'TracingChannel#traceSync': [
    () => {
      const { seen, channel } = traced();
      return [channel.traceSync((a: number) => a + 1, {}, undefined, 1), seen];
    },
    () => {
      const { seen, channel } = traced();
      try {
        channel.traceSync(() => {
          throw new Error('x');
        }, {});
      } catch {
        return seen;
      }
      return 'none';
    },
  ],
  'TracingChannel#tracePromise': [
    async () => {
      const { seen, channel } = traced();
      return [await channel.tracePromise(() => Promise.resolve(5), {}), seen];
    },
    async () => {
      const { seen, channel } = traced();
      await channel.tracePromise(() => Promise.reject(new Error('x')), {}).catch(() => {});
      return seen;
    },
  ],
  'TracingChannel#traceCallback': [
    () =>
      new Promise((resolve) => {
        const { seen, channel } = traced();
        channel.traceCallback(
          (done: (error: null, value: number) => void) => setImmediate(done, null, 3),
          0,
          {},
          undefined,
          (_error, value) => setImmediate(() => resolve([value, seen])),
        );
      }),
    () => (traced().channel.traceCallback as (...args: unknown[]) => unknown).call(traced().channel, () => {}, 0, {}, undefined, 1),
  ],
  'TracingChannel#unsubscribe': [() => diagnostics.tracingChannel('y').unsubscribe({ start: () => {} })],
});
