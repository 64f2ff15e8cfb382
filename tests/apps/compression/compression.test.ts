/** compression on Express: what clients get once it is inflated, whoever compresses it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import zlib from 'node:zlib';
import { field, type Reply } from '../../e2e/support/client.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { until } from '../support/until.ts';

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
};

/** Keeps a reply with its content inflated: how the bytes are compressed is nobody's promise. */
function note({ client, note: keep }: Talk, reply: Reply): void {
  client.replies.pop();
  const coding = field(reply, 'content-encoding');
  const content = reply.content.length === 0 ? reply.content : (decoders[coding ?? '']?.(reply.content) ?? reply.content);
  const fields = reply.fields.filter(([name]) => !['Date', 'Keep-Alive'].includes(name));
  keep({
    status: reply.status,
    fields,
    bytes: content.length,
    hash: createHash('sha1').update(content).digest('hex'),
    complete: reply.isComplete,
  });
}

async function ask(talk: Talk, path: string, accept = 'gzip', method = 'GET'): Promise<Reply> {
  const reply = await talk.client.send({ method, path, headers: { 'Accept-Encoding': accept } });
  note(talk, reply);
  return reply;
}

const WHOLE = [
  '/text',
  '/json',
  '/short',
  '/plain',
  '/image',
  '/coded',
  '/stream',
  '/pressure',
  '/events',
  '/throws',
  '/then-huge',
  '/missing',
];
const hasCoding = (notes: readonly unknown[], coding: string): void =>
  assert.ok(JSON.stringify(notes).includes(`"Content-Encoding","${coding}"`), `nothing is ${coding}`);

/** Reads a reply of server-sent events, and tells what could be inflated when each came. */
async function readEvents({ port, note: keep }: Talk): Promise<void> {
  const request = http.get({ port, path: '/usual/events', headers: { 'Accept-Encoding': 'gzip' } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const inflated = response.pipe(zlib.createGunzip());
  let seen = '';
  for await (const chunk of inflated) {
    seen += String(chunk);
    // An event comes whole, and before the next one is made.
    assert.match(seen, /\n\n$/);
  }
  keep(seen);
}

/** Lets the client leave in the middle of so many replies. */
async function leave({ port }: Talk, times: number, path: string): Promise<void> {
  const agent = new http.Agent({ maxSockets: 50 });
  const one = (): Promise<unknown> =>
    new Promise((resolve) => {
      const request = http.get({ port, path, agent, headers: { 'Accept-Encoding': 'gzip' } });
      request.on('response', (response) => response.once('data', () => response.destroy()));
      request.on('close', resolve);
      request.on('error', () => undefined);
    });
  for (let left = times; left > 0; left -= 100) await Promise.all(Array.from({ length: Math.min(left, 100) }, one));
  agent.destroy();
}

async function readOpen({ url }: Talk): Promise<{ open: number; memory: number }> {
  return (await (await fetch(`${url}/open`)).json()) as { open: number; memory: number };
}

const allGone = (talk: Talk): Promise<true> =>
  until(async () => ((await readOpen(talk)).open === 0 ? true : undefined), 'the replies to be gone');

const conversations: Conversation[] = [
  ...['gzip', 'deflate', 'br', 'identity', 'gzip;q=0', '*'].map((accept): Conversation => ({
    name: `sends every kind of reply to a client that accepts ${accept}`,
    talk: async (talk) => {
      for (const path of WHOLE) await ask(talk, `/usual${path}`, accept);
    },
    ...(accept.length <= 'deflate'.length && accept !== '*' && { check: (_replies, notes) => hasCoding(notes, accept) }),
  })),
  ...['all', 'fast', 'small', 'stored', 'huffman', 'forced'].map((name): Conversation => ({
    name: `obeys the options of "${name}"`,
    talk: async (talk) => {
      for (const path of WHOLE) await ask(talk, `/${name}${path}`);
      await ask(talk, `/${name}/text`, 'deflate');
      await ask(talk, `/${name}/text`, '');
    },
    check: (_replies, notes) => hasCoding(notes, 'gzip'),
  })),
  {
    name: 'answers HEAD without content',
    talk: async (talk) => {
      for (const path of ['/text', '/json', '/stream']) await ask(talk, `/usual${path}`, 'gzip', 'HEAD');
    },
  },
  {
    name: 'answers its own validator with 304',
    talk: async (talk) => {
      const whole = await ask(talk, '/usual/text');
      await talk.client.get('/usual/text', { 'Accept-Encoding': 'gzip', 'If-None-Match': field(whole, 'etag') ?? '' });
    },
    check: (replies) => assert.equal(replies.length, 1),
  },
  { name: 'sends 20 MB', talk: async (talk) => void (await ask(talk, '/usual/huge')) },
  { name: 'sends each event when it is flushed', talk: readEvents },
  {
    name: 'waits for a client that reads slowly',
    talk: async (talk) => {
      const request = http.get({ port: talk.port, path: '/stored/huge', headers: { 'Accept-Encoding': 'gzip' } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      await setTimeout(300);
      const hash = createHash('sha1');
      for await (const chunk of response.pipe(zlib.createGunzip())) hash.update(chunk as Buffer);
      talk.note(hash.digest('hex'));
    },
  },
  {
    name: 'cuts a reply that fails',
    talk: async (talk) => {
      const reply = await talk.client.get('/usual/fails', { 'Accept-Encoding': 'gzip' });
      talk.client.replies.pop();
      talk.note([reply.isComplete, zlib.gunzipSync(reply.content, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).length]);
    },
  },
  {
    name: 'has its memory again after 10,000 clients have left',
    talk: async (talk) => {
      await leave(talk, 1_000, '/usual/endless');
      await leave(talk, 50, '/usual/then-huge');
      await allGone(talk);
      const before = (await readOpen(talk)).memory;
      await leave(talk, 9_000, '/usual/endless');
      await allGone(talk);
      const grown = (await readOpen(talk)).memory - before;
      // 9,000 forgotten streams would be gigabytes.
      talk.note(grown < 150_000_000 ? 'as before' : `${grown} bytes more`);
    },
    check: (_replies, notes) => assert.deepEqual(notes, ['as before']),
  },
];

compareApp({
  name: 'compression',
  folder: new URL('.', import.meta.url),
  file: 'server.cjs',
  express: 'fulmar/express',
  conversations,
});
