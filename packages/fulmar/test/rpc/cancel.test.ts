/**
 * Calls that are given up, in every state that they may be in, and over links that hang and break: the handler is told,
 * streams of both sides end, and nothing is left running.
 */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type ClientError, createClient } from '../../../client/src/index.ts';
import { parts } from '../../../client/src/parts.ts';
import { type AnyContext, createApp } from '../../src/app/index.ts';
import { file, mutation, query, rpc, stream } from '../../src/rpc/index.ts';
import { serverOf } from '../app/server.ts';
import { type Direction, Link } from './link.ts';

const number = { type: 'number' } as const;
/** Handlers and streams that have not ended; what they were told. */
const running: string[] = [];
const told: string[] = [];
let whenBegun: () => void = () => {};

function begin(name: string, c?: AnyContext): () => void {
  running.push(name);
  c?.signal.addEventListener('abort', () => told.push(name), { once: true });
  whenBegun();
  return () => void running.splice(running.indexOf(name), 1);
}

async function* endless(name: string, c?: AnyContext): AsyncGenerator<number, void, undefined> {
  const end = begin(name, c);
  try {
    for (let at = 0; ; at += 1) {
      yield at;
      // As sources of the world do: it comes with a later turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    end();
  }
}

const givenLate = (c: AnyContext): Promise<AsyncIterable<number>> => {
  const end = begin('handler', c);
  return new Promise((resolve) => c.signal.addEventListener('abort', () => setImmediate(() => resolve(onlyEnding(end)))));
};

const api = rpc({
  wait: query({ params: [] }, async (c) => {
    const end = begin('handler', c);
    await new Promise((resolve) => c.signal.addEventListener('abort', resolve));
    end();
  }),
  big: query({ params: [] }, () => 'x'.repeat(5_000_000)),
  count: query({ params: [] }, (c) => endless('handler', c)),
  take: mutation({ params: [file()] }, async (c, given) => {
    const end = begin('handler', c);
    try {
      return (await given.arrayBuffer()).byteLength;
    } finally {
      end();
    }
  }),
  sum: mutation({ params: [stream(number)] }, async (c, numbers) => {
    const end = begin('handler', c);
    let sum = 0;
    try {
      for await (const one of numbers) sum += one;
    } finally {
      end();
    }
    return sum;
  }),
  first: mutation({ params: [stream(number)] }, async (_c, numbers) => {
    for await (const one of numbers) return one;
    return undefined;
  }),
  short: mutation({ params: [stream(number)], timeout: 50 }, async (c, numbers) => {
    const end = begin('handler', c);
    try {
      for await (const _ of numbers);
    } catch (error) {
      told.push((error as Error).message);
    } finally {
      end();
    }
  }),
  late: query({ params: [], timeout: 50 }, givenLate),
  leaving: query({ params: [] }, givenLate),
  rarely: query({ params: [] }, async function* (c) {
    const end = begin('handler', c);
    yield 1;
    await new Promise((resolve) => c.signal.addEventListener('abort', resolve));
    end();
  }),
  talk: mutation({ params: [stream(number)] }, async function* (c, numbers) {
    const end = begin('handler', c);
    try {
      for await (const one of numbers) yield one * 2;
    } finally {
      end();
    }
  }),
});

/** As subscriptions are, whose end is told them and which nobody has read. */
const onlyEnding = (end: () => void): AsyncIterable<number> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => new Promise(() => {}),
    return: async () => {
      end();
      return { done: true, value: undefined };
    },
  }),
});

async function* upTo(count: number): AsyncGenerator<number, void, undefined> {
  for (let at = 0; at < count; at += 1) yield at;
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

type Pair = readonly [unknown, ClientError | undefined];
type Client = ReturnType<typeof createClient<typeof api>>;

/** Reads what comes, as an application does; a stream's failure is the call's. */
async function read(call: Promise<Pair>, seen: () => void = () => {}): Promise<string | undefined> {
  const [value, error] = await call;
  if (error !== undefined) return error.type;
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    for await (const _ of value as AsyncIterable<unknown>) seen();
  } catch (failure) {
    return (failure as ClientError).type;
  }
  return undefined;
}

const megabytes = (count: number): File => new File([new Uint8Array(count * 2 ** 20)], 'a.bin');

interface State {
  readonly name: string;
  readonly call: (client: Client) => Promise<Pair>;
  /** Where the link stops to carry; none: when the handler runs, or an item has come. */
  readonly held?: readonly [Direction, number];
  readonly atItem?: true;
  /** Who is to be told. */
  readonly handler: boolean;
}

const states: readonly State[] = [
  { name: 'before its head is there', call: (client) => client.query.wait(), held: ['up', 10], handler: false },
  { name: 'while a file is sent', call: (client) => client.mutate.take(megabytes(8)), held: ['up', 3_000_000], handler: true },
  { name: 'while a stream is sent', call: (client) => client.mutate.sum(endless('source')), held: ['up', 1000], handler: true },
  { name: 'while its result is waited for', call: (client) => client.query.wait(), handler: true },
  { name: 'while its result comes', call: (client) => client.query.big(), held: ['down', 100_000], handler: false },
  { name: 'in the middle of a stream', call: (client) => client.query.count(), atItem: true, handler: true },
  { name: 'in the middle of a stream that hangs', call: (client) => client.query.count(), held: ['down', 2000], handler: true },
  { name: 'in the middle of two streams', call: (client) => client.mutate.talk(endless('source')), atItem: true, handler: true },
];

describe('a call that is given up', () => {
  const logged: unknown[] = [];
  const app = createApp({ logger: { error: (...what) => logged.push(what) } });
  app.mount('/api', api);
  let port = 0;
  let link: Link;
  before(async () => ({ port } = (await serverOf(app)).address() as AddressInfo));
  after(() => app.close());
  // Of each test its own: no connection is taken that another one has broken.
  beforeEach(async () => {
    link = await Link.to(port);
    running.length = 0;
    told.length = 0;
  });
  afterEach(() => {
    link.close();
    assert.deepEqual(logged, [], 'nobody has failed');
  });
  const client = (options = {}): Client =>
    createClient<typeof api>(`http://127.0.0.1:${link.port}/api`, { parts: parts(), retries: 0, ...options });
  const rested = async (handler: boolean): Promise<void> => {
    await until(() => running.length === 0 && (!handler || told.includes('handler')));
  };

  for (const { name, call, held, atItem, handler } of states) {
    it(`is ended by its signal ${name}`, async () => {
      const controller = new AbortController();
      const begun = new Promise<void>((resolve) => (whenBegun = resolve));
      const reached = held === undefined ? begun : link.fail(held[0], { after: held[1], then: 'hold' });
      const ended = read(call(client({ signal: controller.signal })), () => atItem && controller.abort());
      if (atItem === undefined) {
        await reached;
        if (handler) await begun;
        controller.abort();
      }
      assert.equal(await ended, 'aborted');
      link.drain();
      await rested(handler);
    });

    for (const then of ['end', 'reset'] as const) {
      it(`fails when the link ${then === 'end' ? 'ends' : 'breaks'} ${name}`, async () => {
        const begun = new Promise<void>((resolve) => (whenBegun = resolve));
        if (held !== undefined) void link.fail(held[0], { after: held[1], then });
        const ended = read(call(client()), () => atItem && link.break(then));
        if (held === undefined && atItem === undefined) {
          await begun;
          link.break(then);
        }
        assert.equal(await ended, 'network');
        await rested(handler);
      });
    }
  }

  for (const { name, call, held, atItem, handler } of states) {
    if (atItem !== undefined || name.includes('stream that hangs')) continue;
    it(`ends with its time ${name}`, async () => {
      if (held !== undefined) void link.fail(held[0], { after: held[1], then: 'hold' });
      assert.equal(await read(call(client({ timeout: 100 }))), 'timeout');
      link.drain();
      await rested(handler && running.length > 0);
    });
  }

  it('is not asked when it is given up before, and its streams end', async () => {
    let isEnded = false;
    const source = new ReadableStream<number>({ cancel: () => void (isEnded = true) });
    assert.equal((await client({ signal: AbortSignal.abort() }).mutate.sum(source))[1]?.type, 'aborted');
    await until(() => isEnded);
    assert.deepEqual(running, []);
  });

  it('ends its streams when another parameter cannot be sent', async () => {
    let isEnded = false;
    const source = new ReadableStream<number>({ cancel: () => void (isEnded = true) });
    const sum = client().mutate.sum as unknown as (...args: unknown[]) => Promise<Pair>;
    assert.equal((await sum(source, () => 1))[1]?.type, 'invalid-params');
    await until(() => isEnded);
  });

  it('ends the stream of a client whose handler reads no further', async () => {
    assert.deepEqual(await client().mutate.first(endless('source')), [0, undefined]);
    await until(() => running.length === 0);
  });

  it('ends with the time of its procedure, and who still reads there is told', async () => {
    const [, error] = await client().mutate.short(endless('source'));
    assert.equal(error?.type, 'timeout');
    await until(() => running.length === 0 && told.includes('handler'));
    assert.deepEqual(told, ['handler', 'No result within 50 ms.']);
  });

  it('ends a stream that nobody reads on while its next item is waited for', async () => {
    const items = (await client().orThrow.query.rarely())[Symbol.asyncIterator]();
    assert.equal((await items.next()).value, 1);
    const next = items.next();
    await items.return?.();
    assert.equal((await next).done, true);
    await until(() => running.length === 0 && told.includes('handler'));
  });

  it('ends a stream that its procedure gives when its time is over, or its client has left', async () => {
    assert.equal((await client().query.late())[1]?.type, 'timeout');
    await until(() => running.length === 0);
    const controller = new AbortController();
    const begun = new Promise<void>((resolve) => (whenBegun = resolve));
    const call = client({ signal: controller.signal }).query.leaving();
    await begun;
    controller.abort();
    assert.equal((await call)[1]?.type, 'aborted');
    await until(() => running.length === 0);
  });

  it('tells why a stream of its own failed', async () => {
    const failing = (async function* () {
      yield 1;
      throw new Error('of the sensor');
    })();
    const [, error] = await client().mutate.sum(failing);
    assert.equal(error?.type, 'aborted');
    assert.equal(error.message, 'A stream that was to be sent failed: of the sensor');
    await until(() => running.length === 0 && told.includes('handler'));
  });

  it('leaves nothing at a signal that outlives its calls', async () => {
    const { signal } = new AbortController();
    const one = client({ signal, timeout: 60_000 });
    const strange = client({ signal, timeout: 60_000, fetch: async () => new Response('<html>') });
    const away = client({ signal, timeout: 60_000, fetch: () => Promise.reject(new Error('away')) });
    assert.equal((await one.mutate.sum(upTo(3)))[0], 3);
    for await (const _ of await one.orThrow.mutate.talk(upTo(3)));
    for await (const _ of await one.orThrow.query.count()) break;
    assert.equal((await strange.query.wait())[1]?.type, 'protocol');
    assert.equal((await strange.batch((plan) => [plan.wait()]))[0][1]?.type, 'protocol');
    assert.equal((await away.mutate.sum(endless('source')))[1]?.type, 'network');
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    await until(() => running.length === 0);
  });

  it('goes through a slow link as it would through another', async () => {
    link.slow(7);
    const given = new File([new Uint8Array(5000).fill(7)], 'a.bin');
    assert.deepEqual(await client().mutate.take(given), [5000, undefined]);
    const items: number[] = [];
    for await (const one of await client().orThrow.mutate.talk(upTo(20))) items.push(one);
    assert.deepEqual(
      items,
      Array.from({ length: 20 }, (_, at) => at * 2),
    );
  });
});

describe('a server that ends while streams run', () => {
  for (const name of ['count', 'talk'] as const) {
    it(`tells the readers of ${name}, ends its streams and waits for no more`, async () => {
      running.length = 0;
      told.length = 0;
      const app = createApp().mount('/api', api);
      const link = await Link.to(((await serverOf(app)).address() as AddressInfo).port);
      const { query: queries, mutate } = createClient<typeof api>(`http://127.0.0.1:${link.port}/api`, { parts: parts() }).orThrow;
      let closed: Promise<void> | undefined;
      await assert.rejects(
        async () => {
          for await (const _ of name === 'count' ? await queries.count() : await mutate.talk(endless('source'))) closed ??= app.close();
        },
        { type: 'unavailable', status: 503, message: 'The server is going away.' },
      );
      // What is left is a connection that the client keeps for its next request.
      link.close();
      await closed;
      await until(() => running.length === 0 && told.includes('handler'));
    });
  }
});
