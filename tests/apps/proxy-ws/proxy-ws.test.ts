/**
 * http-proxy-middleware on Express 4: HTTP in all shapes, server-sent events, and WebSockets through the
 * gateway.
 */
import assert from 'node:assert/strict';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { listenTo } from '../support/socket.ts';
import { until } from '../support/until.ts';

const has = (value: unknown, text: string): void => assert.ok(JSON.stringify(value).includes(text), `no ${text}`);

/** Waits until the backend has told the end of so many sockets or streams. */
const told = ({ running }: Talk, text: string, count: number): Promise<true> =>
  until(() => (running.lines.out.filter((line) => line.startsWith(text)).length >= count ? true : undefined), `${count} × ${text}`);

const conversations: Conversation[] = [
  {
    name: 'forwards methods, queries, fields and content as they came',
    talk: async ({ client }) => {
      await client.get('/health');
      await client.get('/api/birds?q=%C3%BC&q=2', { 'X-Many': ['a', 'b'], Accept: '*/*' });
      await client.send({ path: '/api/birds', method: 'HEAD' });
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) await client.send({ path: '/api/one', method, body: 'Ægir 🌊' });
      await client.post('/api/large', Buffer.alloc(3_000_000, 'abc'), { 'Content-Type': 'application/octet-stream' });
      await client.send({ path: '/api/pieces', method: 'POST', pieces: ['one', 'two', 'x'.repeat(100_000)] });
      await client.get('/api/teapot');
      await client.get('/api/moved');
      await client.get('/choose/a');
      await client.get('/nowhere');
    },
    check: (replies) => {
      has(replies[7], '"bytes\\":3000000');
      has(replies, 'a=1; Path=/; Domain=gate.example');
      has(replies, '418');
    },
  },
  {
    name: 'forwards content a parser has taken, and content it rewrites',
    talk: async ({ client }) => {
      await client.json('/json/echo', { name: 'Grüße', list: [1, 2, { three: null }] });
      await client.post('/json/echo', '{"broken', { 'Content-Type': 'application/json' });
      await client.get('/loud/hello?name=quiet');
    },
    check: (replies) => has(replies[2], 'X-Loud: very'),
  },
  {
    name: 'answers when the backend does not',
    talk: async ({ client }) => {
      await client.get('/dead/a');
      await client.get('/choose/a?dead');
      await client.post('/dead/a', 'content');
    },
    check: (replies) => assert.equal(replies[0]?.line, '504 Gateway Timeout'),
  },
  {
    name: 'streams events to the end, and stops when the client leaves',
    talk: async (talk) => {
      await talk.client.get('/api/events', { Accept: 'text/event-stream' });
      await talk.client.send({ path: '/api/events', stopAfterBytes: 5 });
      assert.equal(talk.client.replies.pop()?.isComplete, false);
      await told(talk, 'events closed', 2);
    },
    check: (replies) => has(replies[0], 'event 5'),
  },
  {
    name: 'carries WebSockets both ways: text, binary, large, pings, close codes, protocols',
    talk: async (talk) => {
      const { socket, heard, closed } = listenTo(`${talk.url}/live/room?x=1`, { protocols: ['cats', 'birds'], perMessageDeflate: true });
      await heard(2);
      socket.send('Grüße 🌊');
      socket.send(Buffer.from([0, 255, 1]));
      socket.send(Buffer.alloc(2_500_000, 'ab'));
      socket.ping('p');
      await heard(6);
      socket.send('close 4321');
      talk.note([...(await closed())].sort());
      const second = listenTo(`${talk.url}/live`);
      await second.heard(2);
      second.socket.close(3999, 'mine');
      talk.note(await second.closed());
      const third = listenTo(`${talk.url}/live`);
      await third.heard(2);
      third.socket.send('terminate');
      talk.note(await third.closed());
      const fourth = listenTo(`${talk.url}/live`);
      await fourth.heard(2);
      fourth.socket.terminate();
      talk.note(await fourth.closed());
      await told(talk, 'backend socket closed', 4);
      await told(talk, 'upstream socket closed', 4);
    },
    check: (_replies, notes) => {
      for (const text of ['close 4321 as you wish ✓', 'as gate', '2500000 bytes', 'close 3999', 'close 1006']) has(notes, text);
    },
  },
  {
    name: 'refuses sockets, and stays a gateway after them',
    talk: async (talk) => {
      talk.note(await listenTo(`${talk.url}/refused`).closed());
      talk.note(await listenTo(`${talk.url}/elsewhere`).closed());
      await talk.client.get('/live/over-http');
      await talk.client.get('/api/after');
    },
    check: (_replies, notes) => has(notes, '403'),
  },
];

compareApp({
  name: 'http-proxy-middleware with WebSockets on Express 4',
  folder: new URL('./', import.meta.url),
  file: 'server.cjs',
  env: { NODE_ENV: 'production' },
  express: 'fulmar/express4',
  conversations,
  // Which end of a gone connection is told first is chance; that both are is waited for.
  line: (line) => (/^(?:upstream|backend) socket closed/.test(line) ? undefined : line),
});
