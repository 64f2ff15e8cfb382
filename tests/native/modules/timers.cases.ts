/**
 * Cases of `node:timers`: what the functions return and refuse, what Timeout and Immediate objects can, in
 * which order callbacks run.
 */
import timers from 'node:timers';
import { cases } from '../harness/cases.ts';

/** Resolves with what was logged when `done` is called. */
function logged(run: (log: (word: unknown) => void, done: () => void) => void): Promise<unknown[]> {
  return new Promise((resolve) => {
    const words: unknown[] = [];
    run(
      (word) => words.push(word),
      () => resolve(words),
    );
  });
}

export default cases(
  'timers',
  {
    setTimeout: [
      () => typeof timers.setTimeout(() => {}, 1).ref,
      () => timers.setTimeout(null as never, 1),
      () => timers.setTimeout('x' as never),
      () => logged((log, done) => timers.setTimeout((...args: unknown[]) => (log(args), done()), 1, 'a', 2, null)),
      () =>
        logged((log, done) =>
          timers
            .setTimeout(done, NaN as never)
            .unref()
            .ref(),
        ),
      () =>
        logged((log, done) => {
          const timer = timers.setTimeout(function (this: unknown) {
            log(this === timer);
            done();
          }, 1);
        }),
    ],
    setInterval: [
      () => timers.setInterval(undefined as never),
      () =>
        logged((log, done) => {
          let count = 0;
          const interval = timers.setInterval(
            (value: unknown) => {
              log(value);
              count += 1;
              if (count < 3) return;
              timers.clearInterval(interval);
              done();
            },
            1,
            'x',
          );
        }),
    ],
    setImmediate: [
      () => timers.setImmediate(1 as never),
      () => logged((log, done) => timers.setImmediate((...args: unknown[]) => (log(args), done()), 1, 2)),
      () =>
        logged((log, done) => {
          timers.setImmediate(() => {
            log('first');
            timers.setImmediate(() => (log('next turn'), done()));
            process.nextTick(() => log('tick'));
            void Promise.resolve().then(() => log('microtask'));
          });
          timers.setImmediate(() => log('second'));
        }),
    ],
    clearTimeout: [
      () => [timers.clearTimeout(undefined), timers.clearTimeout('none'), timers.clearTimeout(12345), timers.clearTimeout({} as never)],
      () =>
        logged((log, done) => {
          timers.clearTimeout(timers.setTimeout(() => log('never'), 1));
          timers.clearTimeout(+timers.setTimeout(() => log('never'), 1));
          timers.clearTimeout(String(+timers.setTimeout(() => log('never'), 1)));
          timers.setTimeout(done, 10);
        }),
    ],
    clearInterval: [() => timers.clearInterval(timers.setInterval(() => {}, 1))],
    clearImmediate: [
      () => timers.clearImmediate(undefined),
      () =>
        logged((log, done) => {
          timers.clearImmediate(timers.setImmediate(() => log('never')));
          timers.setImmediate(done);
        }),
    ],
    promises: [() => Object.keys(timers.promises).toSorted(), () => typeof timers.promises.setTimeout],
    'Timeout#ref': [
      () =>
        timers
          .setTimeout(() => {}, 1)
          .ref()
          .hasRef(),
    ],
    'Timeout#unref': [
      () => {
        const timer = timers.setTimeout(() => {}, 1).unref();
        return [timer.hasRef(), timer.ref() === timer];
      },
    ],
    'Timeout#hasRef': [() => timers.setTimeout(() => {}, 1).hasRef()],
    'Timeout#refresh': [
      () =>
        logged((log, done) => {
          let count = 0;
          const timer: NodeJS.Timeout = timers.setTimeout(() => {
            log(count);
            if (count++ < 2) timer.refresh();
            else done();
          }, 1);
        }),
    ],
    'Timeout#close': [
      () =>
        logged((log, done) => {
          const timer = timers.setTimeout(() => log('never'), 1);
          log(timer.close() === timer);
          timers.setTimeout(done, 5);
        }),
    ],
    'a timer as a primitive': [
      () => {
        const timer = timers.setTimeout(() => {}, 1);
        return [typeof +timer, timer[Symbol.toPrimitive]() === +timer, timer.constructor.name];
      },
    ],
    'Timeout fields that packages read': [
      () => {
        const timer = timers.setTimeout(() => {}, 7) as unknown as Record<string, unknown>;
        const before = [timer['_idleTimeout'], timer['_destroyed'], timer['_repeat'], typeof timer['_onTimeout']];
        timers.clearTimeout(timer as never);
        return [...before, timer['_idleTimeout'], timer['_destroyed']];
      },
    ],
    'order of ticks, microtasks and timers': [
      () =>
        logged((log, done) => {
          timers.setTimeout(() => {
            log('timer 1');
            process.nextTick(() => log('tick of timer 1'));
            void Promise.resolve().then(() => log('microtask of timer 1'));
          }, 1);
          timers.setTimeout(() => log('timer 2'), 1);
          timers.setTimeout(done, 20);
          process.nextTick(() => {
            log('tick');
            process.nextTick(() => log('tick of tick'));
            void Promise.resolve().then(() => log('microtask of tick'));
          });
          queueMicrotask(() => {
            log('microtask');
            process.nextTick(() => log('tick of microtask'));
            queueMicrotask(() => log('microtask of microtask'));
          });
        }),
    ],
    'many timers in the order of their starts': [
      () =>
        logged((log, done) => {
          let sum = 0;
          for (let at = 0; at < 3000; at++) {
            timers.setTimeout(() => {
              if (at < sum) log(`${at} after ${sum}`);
              sum = at;
            }, 5);
          }
          timers.setTimeout(() => (log(sum), done()), 6);
        }),
    ],
    'timers of a cleared list': [
      () =>
        logged((log, done) => {
          const later = timers.setTimeout(() => log('never'), 3);
          timers.setTimeout(() => (log('clears'), timers.clearTimeout(later)), 3);
          timers.setTimeout(() => (log('last'), done()), 40);
          timers.clearTimeout(later);
          timers.setTimeout(() => log('same duration'), 3);
        }),
    ],
  },
  { missing: {} },
);
