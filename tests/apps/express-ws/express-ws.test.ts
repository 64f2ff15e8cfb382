/**
 * express-ws on Express: WebSocket routes among HTTP routes, with sessions, routers, parameters and errors.
 */
import assert from 'node:assert/strict';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { listenTo } from '../support/socket.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const cookieOf = ({ client }: Talk): Record<string, string> => ({
  Cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

/** Waits until the application has seen all its sockets end: then its log is complete. */
const allGone = ({ url }: Talk): Promise<true> =>
  until(async () => {
    const { clients } = (await (await fetch(`${url}/count`)).json()) as { clients: number };
    return clients === 0 ? true : undefined;
  }, 'the sockets to be gone');

const hasEnd = (notes: readonly unknown[], text: string): void => assert.ok(JSON.stringify(notes).includes(text), `no ${text}`);

const conversations: Conversation[] = [
  {
    name: 'echoes text, Unicode, binary, empty and large messages, in order',
    talk: async (talk) => {
      const { socket, heard, closed } = listenTo(`${talk.url}/echo`);
      await heard(1);
      for (const text of ['hello', 'Grüße 🌊 \u2028', '', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(70_000)]) socket.send(text);
      socket.send(Buffer.from([0, 255, 128, 10]));
      socket.send(Buffer.alloc(1_900_000, 'ab'));
      socket.send('in ', { fin: false });
      socket.send('pieces', { fin: true });
      socket.ping('still there');
      await heard(11);
      socket.close(4999, 'enough — genug');
      talk.note(await closed());
      await allGone(talk);
    },
    check: (_replies, notes) => hasEnd(notes, '1900000 bytes'),
  },
  {
    name: 'negotiates compression when it is offered, and carries many messages at once',
    talk: async (talk) => {
      const { socket, heard, closed } = listenTo(`${talk.url}/echo`, { perMessageDeflate: true });
      await heard(1);
      for (let index = 0; index < 200; index += 1) socket.send(`message ${index} ${'-'.repeat(index * 10)}`);
      await heard(201);
      socket.close();
      talk.note(await closed());
      await allGone(talk);
    },
    check: (_replies, notes) => hasEnd(notes, 'close 1005'),
  },
  {
    name: 'ends a connection whose message is too large, and one that breaks the protocol',
    talk: async (talk) => {
      const large = listenTo(`${talk.url}/echo`);
      await large.heard(1);
      large.socket.send(Buffer.alloc(2_000_001));
      talk.note(await large.closed());
      await allGone(talk);
    },
    check: (_replies, notes) => hasEnd(notes, 'close 1009'),
  },
  {
    name: 'knows the session of a WebSocket, and its query; closes with its own code',
    talk: async (talk) => {
      await talk.client.get('/');
      talk.note(await listenTo(`${talk.url}/me?a=1&b=%C3%BC`).closed());
      await talk.client.form('/login', { name: 'Ægir' });
      await talk.client.get('/');
      talk.note(await listenTo(`${talk.url}/me`, { headers: cookieOf(talk) }).closed());
      await allGone(talk);
    },
    check: (_replies, notes) => hasEnd(notes, 'close 4001 told ✓'),
  },
  {
    name: 'carries a conversation of several in a room, until one leaves and one is cut off',
    talk: async (talk) => {
      await talk.client.form('/login', { name: 'Ada' });
      const headers = cookieOf(talk);
      const [one, two] = [listenTo(`${talk.url}/rooms/north`, { headers }), listenTo(`${talk.url}/rooms/north`, { headers })];
      await Promise.all([one.heard(4), two.heard(4)]);
      one.socket.send('anybody?');
      await Promise.all([one.heard(5), two.heard(5)]);
      two.socket.send('me 🐦');
      await Promise.all([one.heard(6), two.heard(6)]);
      one.socket.send('leave');
      talk.note(await one.closed());
      two.socket.send('crash');
      talk.note(await two.closed());
      await talk.client.get('/rooms/north');
      await allGone(talk);
    },
    check: (_replies, notes) => {
      hasEnd(notes, 'Ada: me 🐦');
      hasEnd(notes, 'close 1006');
    },
  },
  {
    name: 'refuses who is not known, and what has no route',
    talk: async (talk) => {
      await talk.client.get('/rooms/north');
      await talk.client.get('/echo');
      await talk.client.get('/nowhere', { Upgrade: 'h2c', Connection: 'Upgrade' });
      for (const path of ['/rooms/north', '/nowhere', '/refused']) talk.note(await listenTo(talk.url + path).closed());
      const big = listenTo(`${talk.url}/big/500000`);
      await big.heard(2);
      big.socket.close();
      talk.note(await big.closed());
      await allGone(talk);
    },
    check: (replies) => assert.deepEqual(replies.map(({ line }) => line).slice(0, 2), ['401 Unauthorized', '426 Upgrade Required']),
  },
  {
    name: 'answers handshakes made by hand: without a key, with content behind, cut off',
    talk: async (talk) => {
      const head = 'GET /echo HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';
      talk.note(await sendRaw(talk.port, [`${head}\r\n`]));
      talk.note(await sendRaw(talk.port, [`${head.replace('13', '12')}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`]));
      talk.note(await sendRaw(talk.port, [`${head}Sec-WebSocket-Key: short\r\n\r\n`]));
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
      const hello = Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0x68 ^ 1, 0x69 ^ 2]);
      talk.note(await sendRaw(talk.port, [Buffer.concat([Buffer.from(head + key), hello])], { cutAfter: '\u0081\u0002hi' }));
      await allGone(talk);
      talk.note(await sendRaw(talk.port, [head + key, Buffer.from([0xff, 0xff, 0xff])]));
      await allGone(talk);
    },
    check: (_replies, notes) => hasEnd(notes, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='),
  },
];

compareApp({
  name: 'express-ws',
  folder: new URL('./', import.meta.url),
  file: 'server.cjs',
  express: 'fulmar/express',
  conversations,
});
