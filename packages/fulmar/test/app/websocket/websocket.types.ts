/** What the type checker knows in handlers of WebSockets: never run, checked with the sources. */
import { z } from 'zod';
import type { App, Socket, SocketMessage } from '../../../src/app/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Does not compile unless the two are the same. */
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;

app.websocket(
  '/rooms/:room',
  {
    upgrade: async (c) => {
      same<typeof c.params, { room: number }>(true);
      same<typeof c.query, { page: string }>(true);
      return { name: 'ada', since: new Date() };
    },
    open(socket) {
      same<typeof socket.data, { name: string; since: Date }>(true);
      // @ts-expect-error: types that differ are not the same, or nothing here tests anything.
      same<typeof socket.data, { name: string }>(true);
      same<typeof socket.c.params, { room: number }>(true);
      app.publish('all', 'hello', { except: socket });
      app.publish('all', 'hello', { except: [socket] });
    },
    message(socket, message) {
      same<typeof message, { say: string }>(true);
      same<ReturnType<typeof socket.send>, Promise<boolean>>(true);
    },
    close(_socket, code, reason) {
      same<typeof code, number>(true);
      same<typeof reason, string>(true);
    },
    invalid: (_socket, errors) => errors[0]?.path,
  },
  {
    params: z.object({ room: z.coerce.number() }),
    query: z.object({ page: z.string() }),
    message: z.object({ say: z.string() }),
    use: [(c, next) => (c.method === 'GET' ? next() : undefined)],
    origin: (origin, c) => origin === c.header('x'),
  },
);

app.websocket('/plain/:id', {
  message(socket, message) {
    same<typeof message, SocketMessage>(true);
    same<typeof socket.data, Record<string, unknown>>(true);
    same<typeof socket.c.params, { readonly id: string }>(true);
  },
});

app.websocket('/read', {
  async open(socket) {
    for await (const message of socket) same<typeof message, SocketMessage>(true);
  },
});

app.websocket(
  '/read/typed',
  {
    async open(socket) {
      for await (const message of socket) same<typeof message, number>(true);
    },
  },
  { message: z.number() },
);

// @ts-expect-error: no such option
app.websocket('/', { open() {} }, { maxPaylod: 5 });
// @ts-expect-error: no such handler
app.websocket('/', { opened() {} });
// @ts-expect-error: a topic is a text
app.publish(5, 'x');

/** A function for sockets of a route of any kind. */
const greet = (socket: Socket<never, { name: string }, unknown>): unknown => socket.send(`hello ${socket.data.name}`);
app.websocket('/greet', { upgrade: () => ({ name: 'ada' }), open: (socket) => greet(socket as never) });
