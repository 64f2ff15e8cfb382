/** ws and socket.io, unmodified, on the server that app.listen() gives, beside Koa's own replies. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App, KoaModule } from './api.ts';
import { comes, deferred, load, once, plays } from './kit.ts';
import { type Client, defineKoaSuite, type KoaCase } from './suite.ts';

interface Socket {
  on(event: string, listener: (...args: never[]) => void): Socket;
  once(event: string, listener: (...args: never[]) => void): Socket;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  readonly protocol: string;
}
interface SocketServer {
  on(event: 'connection', listener: (socket: Socket, req: { url: string; headers: Record<string, string> }) => void): void;
  close(): void;
}
const ws = load<{
  new (address: string, protocols?: readonly string[]): Socket;
  WebSocketServer: new (options: object) => SocketServer;
}>('ws');

interface Emitter {
  on(event: string, listener: (...args: never[]) => unknown): void;
  emit(event: string, ...args: unknown[]): void;
  emitWithAck(event: string, ...args: unknown[]): Promise<unknown>;
  disconnect(close?: boolean): void;
  join(room: string): void;
  to(room: string): Emitter;
}
const { Server: SocketIo } = load<{ Server: new (server: Server) => Emitter & { close(): Promise<void> } }>('socket.io');
const { io } = load<{ io: (address: string, options: object) => Emitter }>('socket.io-client');

type Scene = (server: Server, address: string, client: Client) => Promise<void>;

/** A Koa app that listens while `play` runs. */
function listening(name: string, play: Scene): KoaCase {
  return plays(name, async (Koa: KoaModule, client: Client) => {
    const app: App = new Koa();
    app.use((ctx) => {
      ctx.body = { path: ctx.path, upgrade: ctx.get('Upgrade') };
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await play(server, `127.0.0.1:${(server.address() as AddressInfo).port}`, client);
      const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/still`);
      client.record(reply.status, await reply.text());
    } finally {
      server.closeAllConnections();
      if (server.listening) {
        server.close();
        await once(server, 'close');
      }
    }
  });
}

/** The messages a socket gets, until `count` have come. */
function messages(socket: Socket, count: number): Promise<readonly string[] | string> {
  const found: string[] = [];
  const all = deferred<readonly string[]>();
  socket.on('message', (data: Buffer, binary: boolean) => {
    found.push(`${binary ? 'binary' : 'text'} ${data.length} ${data.subarray(0, 40).toString()}`);
    if (found.length === count) all.resolve(found);
  });
  return comes(all.promise);
}

/** The code and reason with which a socket was closed. */
function closed(socket: Socket): Promise<string> {
  return comes(
    new Promise<string>((resolve) => socket.once('close', (code: number, reason: Buffer) => resolve(`${code} ${reason.toString()}`))),
  );
}

defineKoaSuite([
  listening('ws echoes texts, bytes and large messages', async (server, address, client) => {
    const sockets = new ws.WebSocketServer({ server });
    sockets.on('connection', (socket, req) => {
      client.record('connection', req.url, req.headers['upgrade']);
      socket.on('message', (data: Buffer, binary: boolean) => socket.send(binary ? data : data.toString()));
    });
    const socket = new ws(`ws://${address}/chat?a=1`);
    const echoed = messages(socket, 4);
    await comes(new Promise<void>((resolve) => socket.once('open', () => resolve())));
    socket.send('hello ü');
    socket.send(Buffer.from([1, 2, 3]));
    socket.send('');
    socket.send('x'.repeat(300_000));
    client.record(await echoed);
    const end = closed(socket);
    socket.close(4_001, 'done');
    client.record(await end);
    sockets.close();
  }),
  listening('ws chooses paths and protocols, and the server closes with a code', async (server, address, client) => {
    const sockets = new ws.WebSocketServer({
      server,
      path: '/ws',
      handleProtocols: (names: Set<string>) => (names.has('two') ? 'two' : false),
    });
    sockets.on('connection', (socket) => {
      socket.send(`speaks ${socket.protocol}`);
      socket.close(4_100, 'by the server');
    });
    const socket = new ws(`ws://${address}/ws`, ['one', 'two']);
    const [first, end] = [messages(socket, 1), closed(socket)];
    client.record(await first, await end);
    const refused = new ws(`ws://${address}/elsewhere`);
    client.record(await comes(new Promise<string>((resolve) => refused.once('error', (error: Error) => resolve(error.message)))));
    sockets.close();
  }),
  listening('an upgrade that nobody handles is answered by Koa', async (_server, address, client) => {
    const connection = await client.connect();
    connection.socket.destroy();
    const socket = load<typeof import('node:net')>('node:net').connect(Number(address.split(':')[1]), '127.0.0.1');
    const text = deferred<string>();
    let found = '';
    socket.on('data', (data: Buffer) => (found += data.toString())).on('close', () => text.resolve(found));
    socket.write('GET /up HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n');
    const reply = await comes(text.promise);
    client.record(reply.split('\r\n')[0], reply.split('\r\n\r\n')[1]);
    socket.destroy();
  }),
  ...(['websocket', 'polling'] as const).map((transport) =>
    listening(`socket.io speaks over ${transport} beside Koa`, async (server, address, client) => {
      const hub = new SocketIo(server);
      hub.on('connection', (socket: Emitter) => {
        socket.join('room');
        socket.on('ask', (value: unknown, answer: (reply: unknown) => void) => answer({ got: value }));
        socket.on('shout', (text: string) => hub.to('room').emit('heard', text.toUpperCase()));
      });
      const socket = io(`http://${address}`, { transports: [transport], reconnection: false, forceNew: true });
      const heard = deferred<unknown>();
      socket.on('heard', (text: string) => heard.resolve(text));
      client.record(await comes(socket.emitWithAck('ask', { a: [1, 'ü'] })));
      socket.emit('shout', 'hello');
      client.record(await comes(heard.promise));
      const reply = await fetch(`http://${address}/koa`);
      client.record(reply.status, await reply.text());
      socket.disconnect();
    }),
  ),
]);
