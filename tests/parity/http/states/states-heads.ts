/** States before and around a request head, and of a handler that waits without content. */
import type { State } from './model.ts';
import { get } from './wire.ts';

const sent = (name: string, bytes: string, more: Partial<State> = {}): State => ({
  name,
  approach: (client) => client.send(bytes),
  ...more,
});

const answered = (name: string, more: Partial<State> = {}): State => ({
  name,
  serve: ({ res, number }) => {
    if (number === 1) res.end('first');
  },
  approach: async (client) => {
    client.send(get());
    await client.until('first');
  },
  ...more,
});

/** Only `clientError` is listened to: nobody asks for the socket before it is lost. */
const reported = (name: string, bytes: string, more: Partial<State> = {}): State =>
  sent(`${name}, with a clientError listener`, bytes, {
    arrange: (server, { journal }) => {
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        journal.note(`clientError ${error.code} ${socket.writable ? 'writable' : 'not writable'}`);
        socket.on('close', () => journal.note('its socket closes'));
        if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      });
    },
    ...more,
  });

export const headStates: readonly State[] = [
  sent('a new connection has sent nothing', ''),
  answered('a connection idles after a reply'),
  answered('a connection waits for its second reply', {
    approach: async (client) => {
      client.send(get());
      await client.until('first');
      client.send(get());
    },
  }),
  answered('half of a second head has come', {
    approach: async (client) => {
      client.send(get());
      await client.until('first');
      client.send('GET /second HTTP/1.1\r\nHo');
    },
  }),
  sent('half of a request line has come', 'GET / HT'),
  sent('half of a head has come', 'GET / HTTP/1.1\r\nHost: a\r\nX-Half'),
  sent('a handler waits', get()),
  sent('a handler waits for HEAD', 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n'),
  sent('a handler waits for HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'),
  sent('a handler waits on a request that announced Connection: close', get('/', 'Connection: close\r\n')),
  sent('a handler waits after req.resume()', get(), { serve: ({ req }) => void req.resume() }),
  sent('a handler waits after reading to the end', get(), {
    serve: ({ req, journal }) => {
      req.on('data', () => journal.move());
    },
  }),
  sent('a handler waits after req.pause()', get(), { serve: ({ req }) => void req.pause() }),
  sent('a handler waits that has looked at the socket', get(), {
    serve: ({ req, journal }) => journal.note(`writable ${req.socket.writable}`),
  }),
  sent('a handler waits that has paused the socket', get(), { serve: ({ req }) => void req.socket.pause() }),
  sent('a handler waits with httpAllowHalfOpen', get(), {
    arrange: (server) => {
      (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    },
  }),
  sent('a handler waits and server.close() was called', get(), {
    serve: ({ req }) => (req.socket as unknown as { server: { close(): void } }).server.close(),
  }),
  answered('a connection idles and server.close() was called', {
    approach: async (client, { server }) => {
      client.send(get());
      await client.until('first');
      server.close();
    },
    leaves: ['reset', 'close'],
  }),
  reported('a new connection has sent nothing', ''),
  reported('half of a head has come', 'GET / HTTP/1.1\r\nHo'),
  reported('a handler waits', get()),
  reported('half of the content is asked for', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf', {
    serve: ({ req }) => void req.resume(),
  }),
  reported('a request waits and half of a head follows', `${get()}GET /second HTTP/1.1\r\nHo`),
  reported('a connection idles after a reply', get(), { serve: ({ res }) => void res.end() }),
  sent('a clientError listener waits', 'NOT HTTP\r\n\r\n', {
    arrange: (server, { journal, own }) => {
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        journal.note(`clientError ${error.code}`);
        if (error.code?.startsWith('HPE') === true) own(socket as never);
      });
    },
  }),
];
