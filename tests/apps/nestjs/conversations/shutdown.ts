/** The last conversation: the application is told to end while requests are under way. */
import assert from 'node:assert/strict';
import type { Conversation } from '../../support/compare.ts';
import { until } from '../../support/until.ts';
import { ADA } from './requests.ts';

export const shutdown: readonly Conversation[] = [
  {
    name: 'answers what is under way when it is told to end, then runs its hooks',
    talk: async ({ client, running, note }) => {
      const slow = client.get('/api/birds/slow/1500', { ...ADA, 'X-Request-Id': 'slow' });
      await until(() => running.lines.out.find((line) => line === 'asleep for 1500 ms'), 'the request to be under way');
      running.kill('SIGTERM');
      const reply = await slow;
      note([reply.status, reply.content.toString()]);
      (client.replies as unknown[]).pop();
      client.close();
      note(await running.ended);
      note(await until(() => (running.lines.out.includes('shut down by SIGTERM') ? running.lines.out : undefined), 'the last hook'));
    },
    check: (_replies, notes) => assert.deepEqual(notes[0], [200, '{"data":{"slept":1500}}']),
  },
];
