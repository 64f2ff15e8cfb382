import EventEmitter, * as events from 'node:events';
import { cases } from '../harness/cases.ts';

type Log = unknown[];

/** What happened, in order. */
function logged(run: (emitter: EventEmitter, log: Log) => void): Log {
  const log: Log = [];
  const emitter = new EventEmitter();
  try {
    run(emitter, log);
  } catch (error) {
    log.push(error);
  }
  return log;
}

const nothing = (): void => {};

export default cases(
  'events',
  {
    EventEmitter: [
      () => [EventEmitter === events.EventEmitter, new EventEmitter().eventNames(), typeof EventEmitter.prototype],
      () => new EventEmitter({ captureRejections: 5 as never }),
      () => {
        function Old(this: EventEmitter) {
          EventEmitter.call(this);
        }
        Old.prototype = Object.create(EventEmitter.prototype);
        const old = new (Old as unknown as new () => EventEmitter)();
        return [old.on('a', nothing) === old, old.listenerCount('a')];
      },
    ],
    'EventEmitter#on': [
      () => logged((e, log) => e.on('a', (...args) => log.push(args)).emit('a', 1, 2)),
      () => logged((e) => e.on('a', 5 as never)),
      () => logged((e, log) => e.on('newListener', (name) => log.push(name)).on('a', nothing)),
      () =>
        logged((e, log) => {
          e.on('a', function listener(this: EventEmitter) {
            log.push(this === e);
          });
          e.emit('a');
        }),
    ],
    'EventEmitter#addListener': [() => EventEmitter.prototype.addListener === EventEmitter.prototype.on],
    'EventEmitter#once': [
      () =>
        logged((e, log) => {
          e.once('a', (x) => log.push(x));
          log.push(e.emit('a', 1), e.emit('a', 2));
        }),
    ],
    'EventEmitter#prependListener': [
      () =>
        logged((e, log) => {
          e.on('a', () => log.push('second')).prependListener('a', () => log.push('first'));
          e.emit('a');
        }),
    ],
    'EventEmitter#prependOnceListener': [
      () =>
        logged((e, log) => {
          e.on('a', () => log.push('second')).prependOnceListener('a', () => log.push('first'));
          log.push(e.emit('a'), e.emit('a'));
        }),
    ],
    'EventEmitter#emit': [
      () => logged((e, log) => log.push(e.emit('none'))),
      () => logged((e) => void e.emit('error', new RangeError('no'))),
      () => logged((e) => void e.emit('error', { a: 1 })),
      () => logged((e) => void e.emit('error')),
      () =>
        logged((e, log) => {
          e.on(events.errorMonitor, (error: Error) => log.push(error.message)).on('error', (error: Error) => log.push(error.message));
          e.emit('error', new Error('seen'));
        }),
      () =>
        logged((e, log) => {
          const second = (): void => void log.push('second');
          e.on('a', () => e.removeListener('a', second).on('a', () => log.push('late')));
          e.on('a', second);
          e.emit('a');
          e.emit('a');
        }),
    ],
    'EventEmitter#removeListener': [
      () =>
        logged((e, log) => {
          e.on('removeListener', (name) => log.push(name))
            .on('a', nothing)
            .on('a', nothing);
          e.removeListener('a', nothing);
          log.push(e.listenerCount('a'));
          e.removeListener('a', nothing);
          log.push(e.listenerCount('a'), e.eventNames());
        }),
      () => logged((e) => e.removeListener('a', 5 as never)),
    ],
    'EventEmitter#off': [() => EventEmitter.prototype.off === EventEmitter.prototype.removeListener],
    'EventEmitter#removeAllListeners': [
      () =>
        logged((e, log) => {
          e.on('a', nothing).on('b', nothing);
          log.push(e.removeAllListeners('a').eventNames(), e.removeAllListeners().eventNames());
        }),
      () =>
        logged((e, log) => {
          e.on('removeListener', (name, listener: { name: string }) => log.push([name, listener.name]));
          e.on('a', function one() {})
            .on('a', function two() {})
            .on('b', function three() {});
          e.removeAllListeners();
          log.push(e.eventNames());
        }),
    ],
    'EventEmitter#listeners': [() => logged((e, log) => log.push(e.once('a', nothing).listeners('a')[0] === nothing, e.listeners('b')))],
    'EventEmitter#rawListeners': [
      () =>
        logged((e, log) => log.push((e.once('a', nothing).rawListeners('a')[0] as unknown as { listener: unknown }).listener === nothing)),
    ],
    'EventEmitter#listenerCount': [
      () =>
        logged((e, log) =>
          log.push(
            e
              .on('a', nothing)
              .on('a', () => {})
              .listenerCount('a'),
            e.listenerCount('a', nothing),
            e.listenerCount('b'),
          ),
        ),
    ],
    'EventEmitter#eventNames': [() => logged((e, log) => log.push(e.on('a', nothing).on(Symbol('s'), nothing).eventNames()))],
    'EventEmitter#setMaxListeners': [
      () => logged((e, log) => log.push(e.setMaxListeners(3) === e, e.getMaxListeners())),
      () => logged((e) => e.setMaxListeners(-1)),
      () => logged((e) => e.setMaxListeners('5' as never)),
    ],
    'EventEmitter#getMaxListeners': [() => new EventEmitter().getMaxListeners()],
    'warning of too many listeners': [
      () =>
        new Promise((resolve) => {
          const hear = (warning: Error & { type?: string; count?: number }): void => {
            if (warning.name !== 'MaxListenersExceededWarning') return;
            process.removeListener('warning', hear);
            resolve([warning.message, warning.type, warning.count]);
          };
          process.on('warning', hear);
          const emitter = new EventEmitter();
          for (let count = 0; count < 12; count += 1) emitter.on('a', nothing);
        }),
    ],
    'rejections of listeners': [
      () =>
        new Promise((resolve) => {
          const emitter = new EventEmitter({ captureRejections: true });
          emitter.on('error', (error: Error) => resolve(error));
          emitter.on('a', async () => Promise.reject(new Error('late')));
          emitter.emit('a');
        }),
      () =>
        new Promise((resolve) => {
          const emitter = new EventEmitter({ captureRejections: true });
          (emitter as unknown as Record<symbol, unknown>)[events.captureRejectionSymbol] = (error: Error, name: string, arg: number) =>
            resolve([error.message, name, arg]);
          emitter.on('a', async () => Promise.reject(new Error('own')));
          emitter.emit('a', 7);
        }),
    ],
    once: [
      async () => {
        const emitter = new EventEmitter();
        const wait = events.once(emitter, 'a');
        emitter.emit('a', 1, 2);
        return wait;
      },
      async () => {
        const emitter = new EventEmitter();
        const wait = events.once(emitter, 'a');
        emitter.emit('error', new Error('no'));
        return wait;
      },
      async () => {
        const controller = new AbortController();
        const wait = events.once(new EventEmitter(), 'a', { signal: controller.signal });
        controller.abort();
        return wait.catch((error: Error & { code?: string }) => [error.name, error.code, error.message]);
      },
      async () => {
        const target = new EventTarget();
        const wait = events.once(target, 'a');
        target.dispatchEvent(new Event('a'));
        return ((await wait)[0] as Event).type;
      },
    ],
    on: [
      async () => {
        const emitter = new EventEmitter();
        const seen: unknown[] = [];
        const iterator = events.on(emitter, 'a', { close: ['end'] } as never);
        emitter.emit('a', 1);
        emitter.emit('a', 2);
        emitter.emit('end');
        for await (const value of iterator) seen.push(value);
        return seen;
      },
      async () => {
        const emitter = new EventEmitter();
        const iterator = events.on(emitter, 'a');
        emitter.emit('error', new RangeError('no'));
        return iterator.next();
      },
      async () => {
        const iterator = events.on(new EventEmitter(), 'a');
        const next = iterator.next();
        await iterator.return?.();
        return (await next).done;
      },
      () => events.on(new EventEmitter(), 'a', { highWaterMark: 0 } as never),
      () => events.on(5 as never, 'a'),
    ],
    getEventListeners: [
      () => events.getEventListeners(new EventEmitter().on('a', nothing), 'a').length,
      () => events.getEventListeners(5 as never, 'a'),
    ],
    getMaxListeners: [() => events.getMaxListeners(new EventEmitter().setMaxListeners(4)), () => events.getMaxListeners({} as never)],
    setMaxListeners: [
      () => {
        const emitter = new EventEmitter();
        events.setMaxListeners(7, emitter);
        return emitter.getMaxListeners();
      },
      () => events.setMaxListeners(-1),
      () => events.setMaxListeners(1, {} as never),
    ],
    listenerCount: [() => events.listenerCount(new EventEmitter().on('a', nothing), 'a')],
    addAbortListener: [
      () => {
        const controller = new AbortController();
        let heard = 0;
        const disposable = events.addAbortListener(controller.signal, () => (heard += 1)) as unknown as Record<symbol, () => void>;
        disposable[Symbol.dispose]?.();
        controller.abort();
        return heard;
      },
      () => events.addAbortListener(undefined as never, nothing),
      () => events.addAbortListener(new AbortController().signal, 5 as never),
    ],
    errorMonitor: [() => String(events.errorMonitor)],
    captureRejectionSymbol: [() => String(events.captureRejectionSymbol)],
    captureRejections: [
      () => events.captureRejections,
      () => {
        (EventEmitter as { captureRejections: unknown }).captureRejections = 5;
      },
    ],
    defaultMaxListeners: [
      () => EventEmitter.defaultMaxListeners,
      () => {
        EventEmitter.defaultMaxListeners = -1;
      },
    ],
    usingDomains: [() => (EventEmitter as unknown as { usingDomains: boolean }).usingDomains],
    init: [() => typeof (EventEmitter as unknown as { init: unknown }).init],
    EventEmitterAsyncResource: [
      () => {
        const resource = new events.EventEmitterAsyncResource({ name: 'Case' });
        const log: unknown[] = [];
        resource.on('a', (value) => log.push(value));
        return [
          resource.emit('a', 1),
          log,
          typeof resource.asyncId,
          typeof resource.triggerAsyncId,
          resource.asyncResource.constructor.name,
        ];
      },
      () => new events.EventEmitterAsyncResource({} as never),
    ],
  },
  { since: { getMaxListeners: 24, listenerCount: 24, 'EventEmitter#listenerCount': 24 } },
);
