/** Cases of `node:timers/promises`. */
import timers from 'node:timers/promises';
import { cases } from '../harness/cases.ts';

export default cases('timers/promises', {
  setTimeout: [
    () => timers.setTimeout(1, 'value'),
    () => timers.setTimeout(1),
    () => timers.setTimeout(1, 0, { ref: 'x' } as never),
    () => timers.setTimeout(1, 0, { signal: 1 } as never),
    () => timers.setTimeout(1, 0, 5 as never),
    () =>
      timers.setTimeout(1000, 0, { signal: AbortSignal.abort('why') }).catch((error: Error) => [error.name, error.message, error.cause]),
    () => {
      const controller = new AbortController();
      const wait = timers.setTimeout(60_000, 0, { signal: controller.signal });
      controller.abort();
      return wait;
    },
  ],
  setImmediate: [
    () => timers.setImmediate('x'),
    () => timers.setImmediate('x', { signal: AbortSignal.abort() }),
    () => timers.setImmediate(0, null as never),
  ],
  setInterval: [
    async () => {
      const values: unknown[] = [];
      for await (const value of timers.setInterval(1, 'v')) if (values.push(value) === 3) break;
      return values;
    },
    async () => {
      const controller = new AbortController();
      let count = 0;
      for await (const _ of timers.setInterval(1, null, { signal: controller.signal })) if (++count === 2) controller.abort();
    },
  ],
  scheduler: [
    () => typeof timers.scheduler.wait,
    () => timers.scheduler.wait(1),
    () => timers.scheduler.yield(),
    () => new (timers.scheduler.constructor as never as new () => unknown)(),
  ],
});
