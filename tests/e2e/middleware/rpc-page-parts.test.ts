/**
 * Files, streams and calls that are given up in a browser, over links that hang and break: what the page is told, and
 * that the server is told. Chromium alone knows what its `fetch` and its `XMLHttpRequest` do there.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it as declare } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type AnyContext, createApp } from 'fulmar';
import { file, mutation, query, rpc, stream } from 'fulmar/rpc';
import { type Direction, Link } from '../../../packages/fulmar/test/rpc/link.ts';
import { noBrowser, openBrowser } from '../one-server/browser.ts';

const number = { type: 'number' } as const;
const running: string[] = [];
const told: string[] = [];
let whenBegun: () => void = () => {};

/** Runs until its client leaves, or its work is done. */
async function tracked<Result>(c: AnyContext, work: () => Result | Promise<Result>): Promise<Result> {
  running.push('handler');
  c.signal.addEventListener('abort', () => told.push('handler'), { once: true });
  whenBegun();
  try {
    return await work();
  } finally {
    running.pop();
  }
}

const api = rpc({
  take: mutation({ params: [file()] }, (c, given) =>
    tracked(c, async () => [given.name, given.type, (await given.arrayBuffer()).byteLength] as const),
  ),
  sum: mutation({ params: [stream(number)] }, async (_c, numbers) => {
    let sum = 0;
    for await (const one of numbers) sum += one;
    return sum;
  }),
  wait: query({ params: [] }, (c) => tracked(c, () => new Promise<void>((resolve) => c.signal.addEventListener('abort', () => resolve())))),
  big: query({ params: [] }, () => 'x'.repeat(20_000_000)),
  count: query({ params: [] }, async function* (c) {
    let end: () => void = () => {};
    void tracked(c, () => new Promise<void>((resolve) => (end = resolve)));
    try {
      for (let at = 0; ; at += 1) {
        yield at;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      end();
    }
  }),
  give: query({ params: [] }, () => new File(['höhle'], 'höhle.txt', { type: 'text/plain' })),
});

/** `call(name, options)` is what the page is asked for; `stop()` gives it up. */
const page = `<!doctype html><script type="module">
import { createClient } from '/client.mjs';
import { parts } from '/client-parts.mjs';
const file = () => new File([new Uint8Array(8 * 2 ** 20)], 'gull.png', { type: 'image/png' });
const upTo = async function* (count) { for (let at = 0; at < count; at += 1) yield at; };
const calls = {
  take: (client) => client.mutate.take(file()),
  large: (client) => client.mutate.take(new File([new Uint8Array(40 * 2 ** 20)], 'gull.png')),
  small: (client) => client.mutate.take(new File(['gull'], 'gull.txt', { type: 'text/plain' })),
  sum: (client) => client.mutate.sum(upTo(4)),
  wait: (client) => client.query.wait(),
  big: (client) => client.query.big(),
  count: (client) => client.query.count(),
  give: (client) => client.query.give(),
};
window.call = async (name, { timeout = 0, progress = false, streams = 'live', atItem = false } = {}) => {
  const controller = new AbortController();
  const seen = [];
  window.stop = () => controller.abort();
  const sending = parts({ streams, ...(progress ? { onProgress: (one) => seen.push(one) } : {}) });
  const client = createClient('/api', { retries: 0, parts: sending, timeout }).with({ signal: controller.signal });
  const [value, error] = await calls[name](client);
  if (error) return { type: error.type, message: error.message };
  if (value instanceof Blob) return { value: [value.name, await value.text()] };
  try {
    if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) for await (const one of value) if (atItem && one === 3) stop();
  } catch (error) {
    return { type: error.type };
  }
  return { value, seen };
};
window.isReady = true;
</script>`;

interface Told {
  readonly type?: string;
  readonly message?: string;
  readonly value?: unknown;
  readonly seen?: readonly { readonly sent: number; readonly total: number }[];
}

interface State {
  readonly name: string;
  readonly call: string;
  readonly options?: object;
  /** Where the link stops to carry; none: when the handler runs, or an item has come. */
  readonly held?: readonly [Direction, number];
  readonly atItem?: true;
  readonly handler: boolean;
}

const states: readonly State[] = [
  { name: 'while a file is sent', call: 'take', held: ['up', 3_000_000], handler: true },
  {
    name: 'while a file is sent and its progress is told',
    call: 'take',
    options: { progress: true },
    held: ['up', 3_000_000],
    handler: true,
  },
  { name: 'while its result is waited for', call: 'wait', handler: true },
  { name: 'while its result comes', call: 'big', held: ['down', 1_000_000], handler: false },
  { name: 'in the middle of a stream', call: 'count', atItem: true, handler: true },
];

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};
/** A link that hangs for good fails its test, and is closed behind it. */
const it = (name: string, run: () => Promise<void>): void => void declare(name, { timeout: 60_000 }, run);

const asset = (name: string): string => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8');

describe('a page whose calls have files and streams', { skip: noBrowser }, () => {
  const app = createApp();
  app.get('/', (c) => c.html(page));
  app.get('/client.mjs', (c) => c.send(asset('fulmar/client'), 'text/javascript; charset=utf-8'));
  app.get('/client-parts.mjs', (c) => c.send(asset('fulmar/client/parts'), 'text/javascript; charset=utf-8'));
  app.mount('/api', api);
  let browser: Browser;
  let port = 0;
  let link: Link;
  let opened: Page;
  before(async () => {
    browser = await openBrowser();
    ({ port } = (await app.listen({ port: 0, host: '127.0.0.1' })).address() as AddressInfo);
  });
  after(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(async () => {
    running.length = 0;
    told.length = 0;
    link = await Link.to(port);
    opened = await browser.newPage();
    await opened.goto(`http://127.0.0.1:${link.port}/`);
    await opened.waitForFunction('window.isReady === true');
  });
  afterEach(async () => {
    await opened.close();
    link.close();
  });
  const ask = (call: string, options: object = {}): Promise<Told> =>
    opened.evaluate(`call(${JSON.stringify(call)}, ${JSON.stringify(options)})`);
  const rested = (handler: boolean): Promise<void> => until(() => running.length === 0 && (!handler || told.includes('handler')));

  it('sends a file and takes one', async () => {
    assert.deepEqual((await ask('small')).value, ['gull.txt', 'text/plain', 4]);
    assert.deepEqual((await ask('give')).value, ['höhle.txt', 'höhle']);
  });

  it('hears that a file is too long, though it is still being sent', async () => {
    for (const progress of [false, true]) assert.equal((await ask('large', { progress })).type, 'too-large');
  });

  it('sends and takes through a slow link what it would through another', async () => {
    link.slow(4000);
    assert.deepEqual((await ask('take')).value, ['gull.png', 'image/png', 8 * 2 ** 20]);
    assert.equal((await ask('sum', { streams: 'whole' })).value, 6);
    assert.equal(String((await ask('big')).value).length, 20_000_000);
  });

  it('tells how much has gone', async () => {
    const { value, seen = [] } = await ask('take', { progress: true });
    assert.deepEqual(value, ['gull.png', 'image/png', 8 * 2 ** 20]);
    const last = seen.at(-1);
    assert.ok(last !== undefined && last.sent === last.total && last.sent > 8 * 2 ** 20);
  });

  it('tells that a browser sends no streams so, and sends them as a whole', async () => {
    const { type, message } = await ask('sum');
    assert.equal(type, 'invalid-params');
    assert.match(String(message), /A browser sends streams over HTTP\/2 or later alone, and so by https\. Send an array, or say parts/);
    assert.equal((await ask('sum', { streams: 'whole' })).value, 6);
  });

  for (const { name, call, options = {}, held, atItem, handler } of states) {
    it(`gives a call up ${name}`, async () => {
      const begun = new Promise<void>((resolve) => (whenBegun = resolve));
      const reached = held === undefined ? begun : link.fail(held[0], { after: held[1], then: 'hold' });
      const ended = ask(call, { ...options, atItem });
      if (atItem === undefined) {
        await reached;
        if (handler) await begun;
        await opened.evaluate('stop()');
      }
      assert.equal((await ended).type, 'aborted');
      link.drain();
      await rested(handler);
    });

    if (atItem === undefined)
      it(`gives a call up after its time ${name}`, async () => {
        if (held !== undefined) void link.fail(held[0], { after: held[1], then: 'hold' });
        assert.equal((await ask(call, { ...options, timeout: 500 })).type, 'timeout');
        link.drain();
        await rested(handler && running.length > 0);
      });

    for (const then of ['end', 'reset'] as const) {
      it(`is told when the link ${then === 'end' ? 'ends' : 'breaks'} ${name}`, async () => {
        const begun = new Promise<void>((resolve) => (whenBegun = resolve));
        if (held !== undefined) void link.fail(held[0], { after: held[1], then });
        if (atItem !== undefined) void link.fail('down', { after: 3000, then });
        const ended = ask(call, options);
        if (held === undefined && atItem === undefined) {
          await begun;
          link.break(then);
        }
        assert.equal((await ended).type, 'network');
        await rested(handler);
      });
    }
  }
});
