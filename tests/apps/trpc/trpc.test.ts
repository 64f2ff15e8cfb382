/** tRPC's Express adapter: its own clients over each of their links, and requests by hand. */
import assert from 'node:assert/strict';
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
  TRPCClientError,
  wsLink,
} from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import { WebSocket } from 'ws';
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const SIRI = { authorization: 'Bearer siri' };
const ADA = { authorization: 'Bearer ada' };

/** The application is JavaScript, so its router has no type here. */
type Link = TRPCLink<any>;
const clientOf = (...links: Link[]): any => createTRPCClient<any>({ links });

const http = ({ url }: Talk, headers: Record<string, string> = {}): Link =>
  splitLink({
    condition: ({ input }) => isNonJsonSerializable(input),
    true: httpLink({ url: `${url}/trpc`, headers }),
    false: httpBatchLink({ url: `${url}/trpc`, headers }),
  });

/** The value, or what the client's error tells. */
async function told(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    return { error: error.message, shape: error.shape as unknown, status: (error.meta?.['response'] as Response | undefined)?.status };
  }
}

const target = (path: string, input?: unknown, where = 'trpc'): string =>
  `/${where}/${path}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`;

const calls: readonly Conversation[] = [
  {
    name: 'answers queries and mutations of its client, batched',
    talk: async (talk) => {
      const [nobody, siri, ada] = [clientOf(http(talk)), clientOf(http(talk, SIRI)), clientOf(http(talk, ADA))];
      talk.note(
        await Promise.all([nobody.note.list.query(), nobody.note.byId.query(2), nobody.me.query(), told(nobody.note.byId.query(9))]),
      );
      talk.note(await siri.note.add.mutate({ text: '  Þriðja 🐦 ', tags: ['a', 'b'], at: { lat: 63.4, lon: -20.3 } }));
      talk.note(await Promise.all([siri.me.query(), told(siri.note.clear.mutate()), told(nobody.note.add.mutate({ text: 'x' }))]));
      talk.note(await ada.note.clear.mutate());
      talk.note(await told(siri.note.add.mutate({ text: '', tags: ['!', 'b', 'c', 'd'], at: { lat: 91 }, extra: 1 })));
      talk.note(await told(nobody.note.list.query({ limit: 0 })));
      for (const how of ['plainly', 'teapot', 'timeout', 'payload', 'unknown']) talk.note(await told(nobody.fail.query(how)));
      talk.note(await told(nobody.wrongOutput.query()));
      talk.note(await told(nobody.missing.query()));
      talk.note(await told(clientOf(http(talk, { authorization: 'Bearer broken' })).me.query()));
      talk.note(await nobody.echo.query({ deep: [null, 'ü☃', 1e21, { '': [] }] }));
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /Þriðja[^]*No note 9|No note 9[^]*Þriðja/),
  },
  {
    name: 'answers calls by hand: status, fields, batches, methods, paths',
    talk: async ({ client }) => {
      const all = 'note.list,note.byId,note.byId';
      for (const path of [
        target('note.list'),
        target('note.list', { limit: 1 }),
        target('note.byId', 1),
        target('note.byId', 9),
        target('note.byId', 'x'),
        target('header', 'ü ☃'),
        `/trpc/${all}?batch=1&input=${encodeURIComponent('{"1":1,"2":9}')}`,
        `/trpc/note.list,note.list?batch=1`,
        '/trpc/note.list?input=%7B',
        '/trpc/note.list?batch=1&input=5',
        '/trpc/',
        '/trpc',
        '/trpc/a/b/note.list',
        '/trpc/note.add',
        '/trpc/%ff',
        '/unbatched/note.list?batch=1',
        target('me', undefined, 'unbatched'),
        '/health',
        '/elsewhere',
      ])
        await client.get(path, { 'X-Request': 'by hand' });
      for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) await client.send({ method, path: '/trpc/note.list' });
      await client.post('/trpc/note.list', '{"limit":1}', JSON_TYPE);
      await client.post('/trpc/note.clear', '', ADA);
    },
    check: (replies) => {
      assert.ok(replies.some(({ line }) => line.startsWith('207')));
      assert.ok(replies.some(({ line }) => line.startsWith('405')));
    },
  },
  {
    name: 'refuses bodies that it cannot read, and takes big ones up to its limit',
    talk: async (talk) => {
      const { client } = talk;
      const add = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<unknown> =>
        client.post('/trpc/note.add', body, { ...headers, ...SIRI });
      for (const body of ['', '{', 'null', '5', '{"text":5}', '{"text":"fine"}']) await add(body);
      await add('{"text":"x"}', { 'Content-Type': 'text/plain' });
      await add('{"text":"x"}', {});
      await client.post('/trpc/echo', JSON.stringify('x'.repeat(250_000)), JSON_TYPE);
      await add(JSON.stringify({ text: 'x'.repeat(250_000) }));
      await add(JSON.stringify({ text: 'x'.repeat(400_000) }));
      await client.get(target('text', 2_000_000));
      await client.send({
        method: 'POST',
        path: '/trpc/note.add',
        pieces: ['{"te', 'xt":"', 'in pieces ð', '"}'],
        headers: { ...JSON_TYPE, ...SIRI },
      });
      const head = 'POST /trpc/note.add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      await sendRaw(talk.port, [`${head}Content-Length: 1000\r\n\r\n{"text":`], { cutAfter: '' });
      await client.get('/health');
    },
    check: (replies) => assert.ok(replies.some(({ line }) => line.startsWith('413'))),
  },
  {
    name: 'takes forms, files and octets',
    talk: async (talk) => {
      const client = clientOf(http(talk));
      const form = new FormData();
      form.append('caption', 'Súla ☃');
      form.append('file', new File([Buffer.alloc(150_000, 'fulmar')], 'möwe "x".png', { type: 'image/png' }));
      talk.note(await client.file.form.mutate(form));
      talk.note(await client.file.octets.mutate(new Blob([Buffer.alloc(200_000, 7)])));
      talk.note(await client.file.octets.mutate(new Uint8Array(0)));
      const big = new FormData();
      big.append('file', new File([Buffer.alloc(400_000)], 'big'));
      talk.note(await told(client.file.form.mutate(big)));
      talk.note(await told(client.file.form.mutate({ not: 'a form' })));
      await talk.client.post('/trpc/file.form', toMultipart([{ name: 'a', value: 'b' }]), MULTIPART);
      await talk.client.post('/trpc/file.form', toMultipart([{ name: 'a', value: 'b' }], false), MULTIPART);
      await talk.client.post('/trpc/file.octets', 'octets ☃', { 'Content-Type': 'application/octet-stream' });
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /"size":150000[^]*"size":200000/),
  },
];

/** All values of an iterable that a procedure streams, and the error that ended it. */
async function drain(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const value of values) seen.push(value);
  } catch (error) {
    seen.push((error as Error).message);
  }
  return seen;
}

/** What a subscription tells until it has ended or `enough` was seen. */
function follow(
  procedure: any,
  input: unknown,
  { enough = Number.POSITIVE_INFINITY, onStarted = (): void => undefined } = {},
): Promise<unknown[]> {
  const seen: unknown[] = [];
  return new Promise((resolve) => {
    const subscription = procedure.subscribe(input, {
      onStarted,
      onData: (value: unknown) => {
        seen.push(value);
        if (seen.length < enough) return;
        subscription.unsubscribe();
        resolve(seen);
      },
      onError: (error: Error) => resolve([...seen, { error: error.message }]),
      onComplete: () => resolve([...seen, 'complete']),
    });
  });
}

const subscribe = ({ url }: Talk): Link => httpSubscriptionLink({ url: `${url}/trpc`, EventSource });

/** Waits until so many endless subscriptions were opened and closed. */
function allClosed({ url }: Talk, opened: number): Promise<number> {
  return until(async () => {
    const { result } = (await (await fetch(`${url}/trpc/stream.counts`)).json()) as {
      result: { data: { opened: number; closed: number } };
    };
    return result.data.opened === opened && result.data.closed === opened ? opened : undefined;
  }, `${opened} subscriptions to be closed`);
}

const streams: readonly Conversation[] = [
  {
    name: 'streams results of a batch as they come',
    talk: async (talk) => {
      const client = clientOf(httpBatchStreamLink({ url: `${talk.url}/trpc` }));
      const [numbers, failing, me] = await Promise.all([
        client.stream.numbers.query({ count: 20 }),
        client.stream.numbers.query({ count: 5, failAt: 3 }),
        client.me.query(),
      ]);
      talk.note([await drain(numbers), await drain(failing), me]);
      const deferred = await client.stream.deferred.query();
      talk.note([deferred.now, await deferred.later, await (deferred.never as Promise<unknown>).catch((error: Error) => error.message)]);
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /18,19\][^]*slow ☃/),
  },
  {
    name: 'streams subscriptions as events',
    talk: async (talk) => {
      const client = clientOf(subscribe(talk));
      talk.note(await follow(client.stream.countdown, 20));
      await talk.client.get(target('stream.countdown', 5), { Accept: 'text/event-stream' });
      await talk.client.get(target('stream.countdown', 'x'), { Accept: 'text/event-stream' });
      await talk.client.get(target('note.list'), { Accept: 'text/event-stream' });
      const heard = follow(client.note.added, { lastEventId: '1' }, { enough: 3 });
      talk.note(await clientOf(http(talk, SIRI)).note.add.mutate({ text: 'heard as an event ☃' }));
      const all = (await heard) as { id: string }[];
      talk.note(all.map(({ id }) => id));
    },
    check: (replies, notes) => {
      assert.ok(replies[0]?.fields.some((line) => /^content-type: text\/event-stream/i.test(line)));
      assert.match(JSON.stringify(notes[0]), /"left":0/);
    },
  },
  {
    name: 'ends subscriptions whose client has left',
    talk: async (talk) => {
      const client = clientOf(subscribe(talk));
      for (let count = 1; count <= 3; count += 1) {
        const seen = await follow(client.stream.endless, undefined, { enough: 3 });
        talk.note([seen, await allClosed(talk, count)]);
      }
    },
    check: (_replies, notes) => assert.deepEqual(notes.at(-1), [[0, 1, 2, 'complete'], 3]),
  },
];

const sockets: readonly Conversation[] = [
  {
    name: 'answers everything over WebSocket too',
    talk: async (talk) => {
      const socket = createWSClient({
        url: `${talk.url.replace('http', 'ws')}/socket`,
        WebSocket: WebSocket as never,
        connectionParams: { authorization: 'Bearer siri' },
        retryDelayMs: () => 600_000,
      });
      talk.after(() => socket.close());
      const client = clientOf(wsLink({ client: socket }));
      talk.note(await client.me.query());
      talk.note(await Promise.all([client.note.byId.query(1), told(client.note.byId.query(99)), told(client.note.clear.mutate())]));
      talk.note(await follow(client.stream.countdown, 10));
      const texts = await client.text.query(300_000);
      talk.note(texts.length);
      talk.note(await follow(client.stream.endless, undefined, { enough: 2 }));
      talk.note(await allClosed(talk, 4));
      talk.note(await told(client.missing.query()));
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /Sigríður[^]*"left":0/),
  },
  {
    name: 'refuses a socket elsewhere, and closes what is open when told to end',
    talk: async (talk) => {
      const elsewhere = new WebSocket(`${talk.url.replace('http', 'ws')}/elsewhere`);
      talk.note(await new Promise((resolve) => elsewhere.once('error', (error) => resolve(error.message))));
      const socket = new WebSocket(`${talk.url.replace('http', 'ws')}/socket`);
      const seen: string[] = [];
      socket.on('message', (data) => seen.push(String(data)));
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'echo', input: 'still there' } }));
      await until(() => (seen.length > 0 ? seen : undefined), 'the answer');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      talk.running.kill('SIGTERM');
      await closed;
      talk.note(seen);
      talk.note(await talk.running.ended);
    },
    check: (_replies, notes) => assert.deepEqual(notes.at(-1), { code: 3, signal: null }),
  },
];

compareApp({
  name: "tRPC's Express adapter",
  folder: new URL('./', import.meta.url),
  file: 'server.js',
  express: 'fulmar/express',
  handlesSigterm: true,
  linesInAnyOrder: true,
  conversations: [...calls, ...streams, ...sockets],
});
