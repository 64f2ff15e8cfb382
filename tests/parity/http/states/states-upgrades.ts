/**
 * States of a connection that leaves HTTP: upgrades and CONNECT, before and after the answer, read, paused
 * and held up.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Stage, State } from './model.ts';
import { get, HUGE } from './wire.ts';

const UPGRADE = get('/', 'Connection: Upgrade\r\nUpgrade: echo\r\n');
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
const CONNECT = 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n';

const switched = (name: string, use: (socket: Socket, stage: Stage) => void, more: Partial<State> = {}): State => ({
  name,
  arrange: (server, stage) => {
    for (const event of ['upgrade', 'connect'] as const) {
      server.on(event, (_req: IncomingMessage, stream) => {
        const socket = stream as Socket;
        stage.journal.note(event);
        stage.own(socket);
        use(socket, stage);
      });
    }
  },
  approach: (client) => client.send(UPGRADE),
  ...more,
});

const nothing = (): void => undefined;
const answers = (socket: Socket): void => void socket.write(SWITCH);
const reads = (socket: Socket, { journal }: Stage): void => {
  socket.write(SWITCH);
  socket.on('data', () => journal.move());
};
const pauses = (socket: Socket, stage: Stage): void => {
  reads(socket, stage);
  socket.pause();
};
const fills = (socket: Socket): void => {
  socket.write(SWITCH);
  socket.write(HUGE);
};

export const upgradeStates: readonly State[] = [
  switched('an upgrade listener waits', nothing),
  switched('an upgraded socket idles', answers),
  switched('an upgraded socket is read', reads),
  switched('an upgraded socket is paused', pauses),
  switched('an upgraded socket is paused with bytes in it', pauses, {
    approach: async (client) => {
      client.send(UPGRADE);
      await client.until('101');
      client.send('bytes');
    },
  }),
  switched('an upgraded socket is held up', fills, {
    approach: (client) => {
      client.stopReading();
      client.send(UPGRADE);
    },
  }),
  switched('an upgraded socket has ended its side', (socket) => void socket.end(SWITCH)),
  switched('a connect listener waits', nothing, { approach: (client) => client.send(CONNECT) }),
  switched(
    'a tunnel is read',
    (socket, { journal }) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.on('data', () => journal.move());
    },
    { approach: (client) => client.send(CONNECT) },
  ),
  {
    name: 'a request that asks for an upgrade nobody takes waits',
    approach: (client) => client.send(UPGRADE),
  },
];
