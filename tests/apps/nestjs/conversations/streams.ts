/** Streams of server-sent events. */
import assert from 'node:assert/strict';
import type { Conversation } from '../../support/compare.ts';
import { until } from '../../support/until.ts';

const EVENTS = { Accept: 'text/event-stream' };

export const streams: readonly Conversation[] = [
  {
    name: 'streams events that end by themselves',
    talk: async ({ client }) => {
      await client.get('/api/streams/countdown/30', EVENTS);
      await client.get('/api/streams/countdown/2');
      await client.get('/api/streams/text', { ...EVENTS, 'Last-Event-ID': '7' });
      await client.get('/api/streams/promised', EVENTS);
      await client.get('/api/streams/breaks', EVENTS);
      await client.get('/api/streams/countdown/many', EVENTS);
      await client.post('/api/streams/text', '{}', { 'Content-Type': 'application/json' });
    },
    check: ([first]) => {
      assert.ok(first?.fields.includes('Content-Type: text/event-stream'));
      assert.match(first?.content ?? '', /event: start\n[^]*data: \{"left":0/);
    },
  },
  {
    name: 'unsubscribes when the client leaves',
    talk: async ({ client, url, note }) => {
      for (let count = 1; count <= 3; count += 1) {
        const reply = await client.send({ path: '/api/streams/endless', headers: EVENTS, stopAfterBytes: 100 });
        (client.replies as unknown[]).pop();
        note([reply.status, reply.fields.map(([name]) => name), reply.isComplete]);
        note(
          await until(async () => {
            const reply = await fetch(`${url}/api/streams/counts`, { headers: { 'X-Request-Id': 'poll' } });
            const { data } = (await reply.json()) as { data: { opened: number; closed: number } };
            return data.opened === count && data.closed === count ? data : undefined;
          }, 'the end of the subscription'),
        );
      }
    },
    check: (_replies, notes) => assert.deepEqual(notes.at(-1), { opened: 3, closed: 3 }),
  },
];
