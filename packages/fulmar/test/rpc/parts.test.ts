/** Files and streams in calls: what comes of them on the server, how much of them is taken, and what is refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { createClient } from '../../../client/src/index.ts';
import { parts, type PartsProgress } from '../../../client/src/parts.ts';
import { createApp } from '../../src/app/index.ts';
import { bodyLimit } from '../../src/app/middleware/index.ts';
import { file, mutation, query, rpc, stream } from '../../src/rpc/index.ts';
import { incomingFile } from '../../src/rpc/parts/incoming-file.ts';
import { serverOf } from '../app/server.ts';

const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const BODY_LIMIT = 64 * 1024;
const collected = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

let produced = 0;
let goOn: () => void = () => {};
const failed: unknown[] = [];

const api = rpc({
  photo: mutation({ params: [text, file({ types: ['image/*'], maxSize: 1000 })] }, async (_c, title, given) => ({
    title,
    name: given.name,
    type: given.type,
    size: given.size,
    modified: given.lastModified,
    bytes: new Uint8Array(await given.arrayBuffer()),
  })),
  byZod: mutation({ params: [z.file().max(10)] }, (_c, given) => given.text()),
  two: mutation({ params: [file(), file()], upload: { files: 2, fileSize: 300_000 } }, async (_c, first, second) => {
    // Not in the order in which they come.
    const behind = await second.text();
    return [(await first.bytes()).byteLength, behind.length];
  }),
  twice: mutation({ params: [file()] }, async (_c, given) => {
    await given.text();
    return given.text().catch((error: unknown) => (error as Error).message);
  }),
  unread: mutation({ params: [file()] }, (_c, given) => given.size),
  kept: mutation(
    { params: [file()] },
    (_c, given) =>
      void (async () => {
        await new Promise<void>((resolve) => (goOn = resolve));
        await given.text().catch((error: unknown) => failed.push((error as Error).message));
      })(),
  ),
  sum: mutation({ params: [stream(number)] }, async (_c, numbers) => {
    let sum = 0;
    for await (const one of numbers) sum += one;
    return sum;
  }),
  some: mutation(
    { params: [stream({ type: 'object', properties: { at: { type: 'string', format: 'date-time' } }, required: ['at'] }), number] },
    async (_c, items, count) => {
      const all: unknown[] = [];
      for await (const { at } of items) {
        all.push(at);
        if (all.length === count) break;
      }
      return all;
    },
  ),
  join: mutation({ params: [text, stream(text), stream(text), file()] }, async (_c, title, left, right, given) => {
    const name = await given.text();
    return [title, name, ...(await collected(left)), ...(await collected(right))].join(' ');
  }),
  zip: mutation({ params: [stream(text), stream(text), file()] }, async function* (_c, left, right, name) {
    const other = right[Symbol.asyncIterator]();
    for await (const one of left) yield `${one} ${(await other.next()).value}`;
    yield await name.text();
  }),
  slowly: mutation({ params: [stream(text)] }, async (_c, numbers) => {
    const items = numbers[Symbol.asyncIterator]();
    await items.next();
    await new Promise<void>((resolve) => (goOn = resolve));
    let count = 1;
    while ((await items.next()).done !== true) count += 1;
    return count;
  }),
  give: query({ params: [text] }, (_c, name) => new File(['ä', new Uint8Array([0, 255])], name, { type: 'text/plain', lastModified: 5 })),
  blob: query({ params: [] }, () => new Blob([], { type: 'text/html' })),
  pass: mutation({ params: [file()] }, (_c, given) => given),
  any: mutation({ validateParams: false }, async (_c, given: { readonly list: readonly File[] }) =>
    Promise.all(given.list.map((one) => one.text())),
  ),
});

describe('files and streams of a client', () => {
  const app = createApp({ bodyLimit: BODY_LIMIT, logger: { error: (...what) => failed.push(what) } });
  app.mount('/api', api);
  let url = '';
  let port = 0;
  const make = (options = {}) => createClient<typeof api>(url, { parts: parts(), ...options });
  before(async () => {
    ({ port } = (await serverOf(app)).address() as AddressInfo);
    url = `http://127.0.0.1:${port}/api`;
  });
  after(async () => {
    await app.close();
    assert.deepEqual(failed, [], 'what is logged is somebody’s mistake');
  });

  it('brings a file with its name, type and bytes', async () => {
    const given = new File([new Uint8Array([0, 10, 255])], 'C:\\birds\\möwe.png', { type: 'image/png', lastModified: 9 });
    assert.deepEqual(await make().mutate.photo('a gull', given), [
      { title: 'a gull', name: 'möwe.png', type: 'image/png', size: 3, modified: 9, bytes: new Uint8Array([0, 10, 255]) },
      undefined,
    ]);
  });

  const unfit: readonly [string, unknown, string, string][] = [
    ['of another type', new File(['x'], 'a.txt', { type: 'text/plain' }), 'file of image/*', 'text/plain'],
    [
      'too long for its schema',
      new File([new Uint8Array(1001)], 'a.png', { type: 'image/png' }),
      'file of 1000 bytes at most',
      '1001 bytes',
    ],
    ['that is a text', 'x', 'file', 'string'],
    ['that is a stream', upTo(1), 'file', 'stream'],
  ];
  for (const [name, given, expected, received] of unfit) {
    it(`refuses a file ${name}`, async () => {
      const [, error] = await make().mutate.photo('x', given as File);
      assert.equal(error?.type, 'invalid-params');
      assert.deepEqual(error.issues, [{ path: [1], message: `Expected ${expected}, received ${received}.`, expected, received }]);
    });
  }

  it('hands files to schemas of others as what they are', async () => {
    assert.deepEqual(await make().mutate.byZod(new File(['gull'], 'a')), ['gull', undefined]);
    assert.equal((await make().mutate.byZod(new File([new Uint8Array(11)], 'a')))[1]?.type, 'invalid-params');
  });

  it('brings files within other parameters where nobody says what these are', async () => {
    const list = [new File(['a'], '1'), new File([], '2'), new Blob(['c'])];
    assert.deepEqual(await make().mutate.any({ list } as never), [['a', '', 'c'], undefined]);
  });

  it('keeps a bounded rest of what comes before the part that is read', async () => {
    const small = new File([new Uint8Array(1000)], 'a');
    assert.deepEqual(await make().mutate.two(small, new File(['xy'], 'b')), [[1000, 2], undefined]);
    const [, error] = await make().mutate.two(new File([new Uint8Array(300_000)], 'a'), small);
    assert.equal(error?.type, 'too-large');
    assert.match(error.message, /are read in the order in which they come: 65536 bytes of others are kept/);
  });

  it('lets caches keep a file where its query says so, and not what a POST asked for', async () => {
    const give = (): File => new File(['x'], 'x.txt');
    const files = rpc({ said: query({ params: [], cacheControl: 'max-age=60' }, give), plain: query({ params: [] }, give) });
    const cacheOf = async (request: string | { url: string; body: object }): Promise<unknown> =>
      (await files.inject(request)).headers['cache-control'];
    assert.equal(await cacheOf('/said'), 'max-age=60');
    assert.equal(await cacheOf('/plain'), 'no-store');
    assert.equal(await cacheOf({ url: '/said', body: { params: [] } }), 'no-store');
  });

  it('gives a file once, and not behind the end of its call', async () => {
    const given = new File(['x'], 'a.txt');
    assert.deepEqual(await make().mutate.twice(given), ['The file "a.txt" has been read already: what is sent is read once.', undefined]);
    assert.deepEqual(await make().mutate.unread(new File([new Uint8Array(2_000_000)], 'a')), [2_000_000, undefined]);
    await make().mutate.kept(given);
    goOn();
    while (failed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(String(failed.pop()), /The call is over: its files and streams are read before its result is given/);
  });

  it('hears that a file is too long, though it is still being sent', async () => {
    const [, error] = await make().mutate.unread(new File([new Uint8Array(40 * 2 ** 20)], 'a'));
    assert.equal(error?.type, 'too-large');
    assert.match(error.message, /Files of 16777216 bytes are taken at most/);
  });

  it('brings the items of streams, judged one by one', async () => {
    assert.deepEqual(await make().mutate.sum(upTo(1000)), [499_500, undefined]);
    assert.deepEqual(await make().mutate.sum(upTo(0)), [0, undefined]);
    const web = new ReadableStream<number>({ start: (controller) => (controller.enqueue(4), controller.close()) });
    assert.deepEqual(await make().mutate.sum(web), [4, undefined]);
    const [, error] = await make().mutate.sum(of<number>(1, 'two' as never, 3));
    assert.equal(error?.type, 'invalid-params');
    assert.deepEqual(error.issues, [
      { path: [0, 1], message: 'Expected number, received string.', expected: 'number', received: 'string' },
    ]);
    assert.equal((await make().mutate.sum([1, 2] as never))[1]?.type, 'invalid-params');
  });

  it('ends a stream that is read in part', async () => {
    const items = of({ at: '2026-11-25T00:00:00Z' }, { at: '2026-11-26T00:00:00Z' }, { at: 'never looked at' });
    assert.equal((await make().orThrow.mutate.some(items, 2)).length, 2);
  });

  it('brings two streams and a file at a time, and what is made of them back', async () => {
    const given = await make().orThrow.mutate.zip(of('a', 'b'), of('1', '2'), new File(['end'], 'x'));
    assert.deepEqual(await collected(given), ['a 1', 'b 2', 'end']);
  });

  it('lets a client wait whose items nobody asks for', async () => {
    const count = 3000;
    produced = 0;
    const big = (async function* () {
      for (; produced < count; produced += 1) yield 'x'.repeat(10_000);
    })();
    const call = make().mutate.slowly(big);
    // It goes on until the connection is full.
    for (let before = -1; before !== produced || produced === 0;) {
      before = produced;
      for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(produced < count, 'all of 30 MB have gone to a handler that has read 10 KB');
    goOn();
    assert.deepEqual(await call, [count, undefined]);
  });

  it('brings a file back', async () => {
    const name = 'höhle "1".txt';
    const given = await make().orThrow.query.give(name);
    assert.ok(given instanceof File);
    assert.deepEqual([given.name, given.type, given.lastModified, given.size], [name, 'text/plain', 5, 4]);
    assert.deepEqual(new Uint8Array(await given.arrayBuffer()), new Uint8Array([0xc3, 0xa4, 0, 255]));
    const blob = await make().orThrow.query.blob();
    assert.deepEqual([blob.type, blob.size, blob instanceof File], ['text/html', 0, false]);
    const passed = await make().orThrow.mutate.pass(new File([new Uint8Array(500_000).fill(3)], 'a.bin'));
    assert.deepEqual([passed.size, new Uint8Array(await passed.arrayBuffer()).every((byte) => byte === 3)], [500_000, true]);
  });

  it('tells how much has gone', async () => {
    const seen: PartsProgress[] = [];
    const client = make({ parts: parts({ onProgress: (progress) => seen.push(progress) }) });
    await client.mutate.pass(new File([new Uint8Array(1_000_000)], 'a'));
    assert.ok(seen.length > 1);
    const { sent, total } = seen.at(-1) as PartsProgress;
    assert.ok(sent === total && sent > 1_000_000, `${sent} of ${total}`);
    assert.ok(seen.every((one, at) => at === 0 || one.sent > (seen[at - 1] as PartsProgress).sent));
    seen.length = 0;
    await client.mutate.sum(upTo(3));
    assert.ok(seen.every((one) => one.total === undefined) && seen.length > 0);
  });

  it('reads a stream to its end first where that is wanted', async () => {
    let type: string | undefined;
    const ask = (at: string, init: RequestInit): Promise<Response> => {
      type = init.body?.constructor.name;
      return fetch(at, init);
    };
    assert.deepEqual(await make({ fetch: ask, parts: parts({ streams: 'whole' }) }).mutate.sum(upTo(4)), [6, undefined]);
    assert.equal(type, 'Blob');
  });

  it('says how to send files, where a client does not', async () => {
    const client = createClient<typeof api>(url);
    for (const given of [new File([], 'a'), upTo(1)]) {
      const [, error] = await client.mutate.unread(given as File);
      assert.equal(error?.type, 'invalid-params');
      assert.match(error.message, /are sent as parameters, with fulmar\/client\/parts/);
    }
    await assert.rejects(
      make().batch((plan) => [plan.unread(new File([], 'a'))]),
      /are sent as parameters/,
    );
    assert.deepEqual(
      await make()
        .query.blob()
        .then(([, error]) => error),
      undefined,
    );
    assert.equal((await make().batch((plan) => [plan.blob()]))[0][1]?.type, 'bad-request');
    assert.equal((await client.query.blob())[1]?.type, 'protocol');
  });

  const TYPE = 'application/vnd.fulmar.rpc-parts';
  const send = async (path: string, content: string): Promise<{ status: number; message: string }> => {
    const reply = await fetch(`${url}/${path}`, { method: 'POST', headers: { 'Content-Type': TYPE }, body: content });
    const { error, value } = (await reply.json()) as { error?: { message: string }; value?: unknown };
    return { status: reply.status, message: error?.message ?? JSON.stringify(value) };
  };
  const call = (params: unknown, as?: unknown): string => `${JSON.stringify({ rpc: 1, params, as })}\n`;
  const one = call([null], { 0: ['file', 0, 3, ''] });
  const items = call([null], { 0: ['stream', 0] });

  const contents: readonly [string, string, string, number, RegExp][] = [
    ['nothing', 'unread', '', 400, /begins with a line, which is the call, and there is no content/],
    ['half a line', 'unread', '{"rpc":1', 400, /ended within a line/],
    ['a line that is no JSON', 'unread', 'x\n', 400, /The first line is not JSON/],
    ['another version', 'unread', '{"rpc":2}\n', 400, /speaks version 1/],
    ['a line that is too long', 'unread', `${' '.repeat(BODY_LIMIT + 1)}\n`, 413, /A line of 65536 bytes is accepted at most/],
    ['a hint of a file that is none', 'unread', call([null], { 0: ['file', 0, -1, ''] }), 400, /a file is \["file", number, size, type\]/],
    ['a hint of another kind', 'unread', call([null], { 0: ['door', 0] }), 400, /"door" is no kind/],
    ['a part that is said twice', 'two', call([null, null], { '*': ['file', 0, 1, ''] }), 400, /0 is no number of a part, or of two/],
    [
      'a number that is left out',
      'unread',
      call([null], { 0: ['file', 1, 1, ''] }),
      400,
      /Parts have the numbers 0 to 0, and no hint has 0/,
    ],
    [
      'too many files',
      'two',
      call([null, null, null], { 0: ['file', 0, 1, ''], 1: ['file', 1, 1, ''], 2: ['file', 2, 1, ''] }),
      413,
      /2 files are taken in one call/,
    ],
    [
      'a file that is too long',
      'two',
      call([null, null], { 0: ['file', 0, 300_001, ''], 1: ['file', 1, 1, ''] }),
      413,
      /Files of 300000 bytes are taken at most, and one is of 300001/,
    ],
    [
      'too many streams',
      'any',
      call([Array(11).fill(null)], { 0: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [at, ['stream', at]])) }),
      413,
      /10 streams are taken in one call/,
    ],
    ['a file that is cut', 'twice', `${one}ab`, 400, /ended 1 bytes before the end of a file/],
    ['a stream that is cut', 'sum', `${items}{"part":0,"value":1}\n`, 400, /ended before its streams did/],
    ['an item of no stream', 'sum', `${items}{"part":1,"value":1}\n`, 400, /with the number of a stream that has not ended/],
    ['an item that is none', 'sum', `${items}[]\n`, 400, /An item of a stream is \{ part, value \}/],
    ['an item with a member of prototypes', 'sum', `${items}{"part":0,"value":{"__proto__":1}}\n`, 400, /has a member __proto__/],
    ['an item whose hint does not fit', 'sum', `${items}{"part":0,"value":1,"as":"date"}\n`, 400, /as does not fit an item of a stream/],
    ['an item that is too long', 'sum', `${items}"${'x'.repeat(BODY_LIMIT)}"\n`, 413, /A line of 65536 bytes/],
    ['a file that nobody brings', 'unread', call([null]), 422, /not valid/],
  ];
  for (const [name, path, content, status, message] of contents) {
    it(`refuses ${name}`, async () => {
      const reply = await send(path, content);
      assert.equal(reply.status, status, reply.message);
      assert.match(reply.message, message);
    });
  }

  const names: readonly (readonly [string, string])[] = [
    ['möwe.png', 'möwe.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\photos\\gull.png', 'gull.png'],
    ['gull\u2028/../../etc/passwd', 'passwd'],
    ['gull\u2029\\..\\a\u2028b', 'a\u2028b'],
    ['gull\n/\0..', ''],
    ['photos/', ''],
    ['.', ''],
    ['..', ''],
    ['...', '...'],
  ];
  it('gives a file a name that is no path', () => {
    const source = { next: () => Promise.resolve(undefined), leave: () => {} };
    const nameOf = (name: string): string => incomingFile({ size: 0, type: '', name, lastModified: 0 }, source).name;
    assert.deepEqual(
      names.map(([name]) => nameOf(name)),
      names.map(([, kept]) => kept),
    );
  });

  it('knows no parts in a call that is JSON', async () => {
    const reply = await fetch(`${url}/unread`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: one });
    assert.equal(reply.status, 400);
  });

  const mixed = call(['ü', null, null, null], { '1': ['stream', 1], '2': ['stream', 2], '3': ['file', 0, 6, 'text/plain', 'a'] });
  const whole = `${mixed}hö\nlo{"part":2,"value":"1"}\n{"part":1,"value":"ä"}\n{"part":1,"done":true}\n{"part":2,"done":true}\n`;

  it('makes the same of content wherever it is cut', async () => {
    const content = new TextEncoder().encode(whole);
    const asked = (pieces: readonly Uint8Array[]): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      const init = { method: 'POST', headers: { 'Content-Type': TYPE }, body, duplex: 'half' };
      return app.fetch(new Request('http://localhost/api/join', init as RequestInit));
    };
    for (let at = 0; at <= content.byteLength; at += 1) {
      const reply = await asked([content.subarray(0, at), content.subarray(at)]);
      assert.deepEqual([reply.status, await reply.json()], [200, { rpc: 1, value: 'ü hö\nlo ä 1' }], `cut at ${at}`);
      if (at === content.byteLength) continue;
      const half = await asked([content.subarray(0, at)]);
      assert.deepEqual([half.status, at], [400, at], await half.text());
    }
  });

  it('takes lines that come byte by byte', async () => {
    const socket = connect(port, '127.0.0.1');
    const content = Buffer.from(`${items}{"part":0,"value":"ü"}\n{"part":0,"done":true}\n`);
    socket.write(
      `POST /api/sum HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nContent-Length: ${content.length}\r\n\r\n`,
    );
    for (const byte of content) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    let reply = '';
    socket.on('data', (piece) => (reply += String(piece)));
    await once(socket, 'close');
    assert.match(reply, /"path":\[0,0\],"expected":"number","received":"string"/);
  });
});

it('takes of a call what bodyLimit() allows, though nobody says how long it is', async () => {
  const app = createApp().use('/api', bodyLimit(2000)).mount('/api', api);
  const { url } = await app.listen({ port: 0, host: '127.0.0.1' });
  const [, error] = await createClient<typeof api>(`${url}/api`, { parts: parts() }).mutate.sum(upTo(1000));
  assert.deepEqual([error?.type, error?.message], ['too-large', 'Content of 2000 bytes is accepted at most.']);
  await app.close();
});

async function* upTo(count: number): AsyncGenerator<number, void, undefined> {
  for (let at = 0; at < count; at += 1) yield at;
}

async function* of<Item>(...items: Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}

const refused: readonly [string, () => unknown, RegExp][] = [
  ['a schema of files with another option', () => file({ type: 'image/png' } as never), /file\(\) has no option type; did you mean types/],
  ['a type that is none', () => file({ types: ['png'] }), /types is a list of media types/],
  ['a schema of items that is none', () => stream({ type: 'nummer' }), /the items of stream\(\) is no schema/],
  ['limits that are none', () => mutation({ params: [], upload: { file: 1 } as never }, () => 1), /upload is limits of files/],
  [
    'parts with another option',
    () => parts({ progress: () => {} } as never),
    /parts\(\) has no option progress; it has onProgress, streams/,
  ],
  ['streams that are sent otherwise', () => parts({ streams: 'late' as never }), /streams is 'live' or 'whole', and this is late/],
  ['progress that is told to nobody', () => parts({ onProgress: true as never }), /onProgress is a function/],
];
for (const [name, make, message] of refused) it(`refuses ${name}`, () => assert.throws(make, message));
