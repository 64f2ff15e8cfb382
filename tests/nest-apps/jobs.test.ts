/** @nestjs/schedule and @nestjs/event-emitter. */
import { playNestApp } from './support/play.ts';

playNestApp({
  name: 'jobs',
  native: true,
  async play({ ask }) {
    await ask('/orders/jobs');
    await ask('/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":4}' });
    await ask('/orders/stop', { method: 'POST' });
  },
});
