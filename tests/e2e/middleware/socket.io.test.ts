/**
 * socket.io with socket.io-client on both sides: polling, WebSocket, upgrade between them, rooms, acks,
 * namespaces, middleware, disconnects.
 */
import assert from 'node:assert/strict';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { Socket as ServerSocket } from 'socket.io';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';

/** Turns of the event loop that goodbyes may take; a handshake that no client made says none. */
const TURNS_MAX = 500;
const MASKS = [{ pattern: /"sid":"[^"]+"/g, by: '"sid":"<sid>"' }];

function chat(bench: Bench): HttpServer {
  const app = bench.express();
  app.get('/', (req, res) => res.send('page'));
  const server = bench.http.createServer(app);
  const sockets = new Server(server, { cors: { origin: 'http://a.example', credentials: true }, maxHttpBufferSize: 200_000, cookie: true });
  // The clients have said goodbye by now; a connection that is cut instead would be kept for 30 s by a timer
  // of engine.io.
  bench.after(async () => {
    for (let turn = 0; sockets.engine.clientsCount > 0 && turn < TURNS_MAX; turn += 1) await new Promise(setImmediate);
    sockets.engine.close();
  });
  sockets.use((socket, next) => next(socket.handshake.auth['token'] === 'bad' ? new Error('who are you') : undefined));
  sockets.on('connection', converse);
  sockets.of('/admin').on('connection', (socket) => socket.emit('admin', socket.nsp.name));
  return server;
}

function converse(socket: ServerSocket): void {
  socket.on('echo', (value: unknown, done: (answer: unknown) => void) => done({ got: value }));
  socket.on('binary', (bytes: Buffer, done: (size: number, sum: number) => void) =>
    done(
      bytes.length,
      bytes.reduce((sum, byte) => sum + byte, 0),
    ),
  );
  socket.on('join', (room: string, done: () => void) => {
    void socket.join(room);
    done();
  });
  socket.on('say', (room: string, words: string) => void socket.to(room).emit('said', words));
  socket.on('kick', () => void socket.disconnect(true));
  socket.on('disconnect', (reason) => void socket.broadcast.emit('left', reason));
}

/** A client of the given transports, connected. */
async function join({ port, after }: Bench & { port: number }, transports: string[], path = '/'): Promise<Socket> {
  const socket = io(`http://127.0.0.1:${port}${path}`, { transports, forceNew: true, reconnection: false });
  after(() => socket.disconnect());
  await heard(socket, 'connect');
  return socket;
}

function heard(socket: Socket, event: string): Promise<unknown[]> {
  return new Promise((resolve) => socket.once(event, (...values: unknown[]) => resolve(values)));
}

for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
  same(`talks over ${transports.join(', then ')}: acks, binary, rooms, leaving`, {
    build: chat,
    talk: async (talk) => {
      const [one, two, three] = [await join(talk, transports), await join(talk, transports), await join(talk, transports)];
      // Only a transport that is upgraded by itself has something to wait for.
      if (transports.length === 2 && one.io.engine.transport.name !== 'websocket')
        await new Promise<void>((resolve) => one.io.engine.once('upgrade', () => resolve()));
      talk.note(one.io.engine.transport.name);
      talk.note(await one.emitWithAck('echo', { deep: [1, { ü: null }] }));
      talk.note(await one.emitWithAck('echo', 'x'.repeat(100_000)));
      talk.note(await one.emitWithAck('binary', Buffer.alloc(100_000, 3)));
      await one.emitWithAck('join', 'cliff');
      await two.emitWithAck('join', 'cliff');
      const words = heard(two, 'said');
      three.on('said', () => talk.note('heard outside the room'));
      one.emit('say', 'cliff', 'a skua');
      talk.note(await words);
      const [kicked, told] = [heard(three, 'disconnect'), heard(two, 'left')];
      three.emit('kick');
      talk.note([await kicked, await told].map(([reason]) => reason));
      const left = heard(two, 'left');
      one.disconnect();
      talk.note((await left)[0]);
      await talk.client.get('/');
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /a skua/),
  });
}

same('opens namespaces over one connection, and refuses by middleware', {
  build: chat,
  talk: async (talk) => {
    const socket = io(`http://127.0.0.1:${talk.port}/admin`, { forceNew: true, reconnection: false });
    talk.after(() => socket.disconnect());
    talk.note(await heard(socket, 'admin'));
    const refused = io(`http://127.0.0.1:${talk.port}/`, { forceNew: true, reconnection: false, auth: { token: 'bad' } });
    talk.after(() => refused.disconnect());
    const [error] = (await heard(refused, 'connect_error')) as [Error];
    talk.note(error.message);
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /who are you/),
});

same('answers its own HTTP requests: handshake, CORS, the client script, and bad ones', {
  build: chat,
  talk: async ({ client }) => {
    await client.get('/socket.io/?EIO=4&transport=polling', { Origin: 'http://a.example' });
    await client.send({
      method: 'OPTIONS',
      path: '/socket.io/?EIO=4&transport=polling',
      headers: { Origin: 'http://a.example', 'Access-Control-Request-Method': 'POST' },
    });
    await client.get('/socket.io/socket.io.js');
    await client.get('/socket.io/?EIO=4&transport=none');
    await client.get('/socket.io/?EIO=4&transport=polling&sid=unknown');
    await client.get('/socket.io/?EIO=3&transport=polling');
    await client.post('/socket.io/?EIO=4&transport=polling', 'x');
    await client.get('/socket.io/missing.js');
    await client.get('/');
  },
  masks: [...MASKS, { pattern: /^io=[\w-]+/g, by: 'io=<sid>' }],
  check: ([first]) => assert.match(first?.content ?? '', /^0\{"sid":"<sid>","upgrades":\["websocket"\]/),
});
