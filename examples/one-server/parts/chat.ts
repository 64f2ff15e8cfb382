/**
 * WebSockets: a chat for those who have signed in, by a topic. The same topic goes to `/events` as server-sent events, for
 * `curl` and for pages that only listen.
 */
import { type App } from 'fulmar';
import { z } from 'zod';
import { signedIn } from '../lib/sessions.ts';

const TOPIC = 'station';
const SAID_MAX = 50;

interface Said {
  readonly kind: 'said';
  readonly from: string;
  readonly say: string;
}

export function addChat(app: App): void {
  /** The last that was said, for who comes later. */
  const said: Said[] = [];
  const tellHowMany = (): void => void app.publish(TOPIC, { kind: 'here', count: app.subscriberCount(TOPIC) });

  app.websocket(
    '/chat',
    {
      upgrade: (c) => ({ user: String(c.state['user']) }),
      async open(socket) {
        for (const one of said) await socket.send(one);
        socket.subscribe(TOPIC);
        tellHowMany();
      },
      message(socket, { say }) {
        const one: Said = { kind: 'said', from: socket.data.user, say };
        said.push(one);
        if (said.length > SAID_MAX) said.shift();
        app.publish(TOPIC, one);
      },
      invalid: (socket, errors) => socket.send({ kind: 'refused', why: errors[0]?.message }),
      close: tellHowMany,
    },
    { use: [signedIn], message: z.object({ say: z.string().trim().min(1).max(500) }) },
  );

  app.get('/events', { hidden: true }, signedIn, (c) => c.sse(listen(app, c.signal)));
}

async function* listen(app: App, signal: AbortSignal): AsyncGenerator<{ data: unknown }> {
  for await (const data of app.subscribe(TOPIC, { signal })) yield { data };
}
