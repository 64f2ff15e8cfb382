/**
 * Cases of `node:async_hooks`: the context follows promises, awaits, ticks, timers, immediates, generators
 * and thenables.
 */
import { EventEmitter } from 'node:events';
import hooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { cases } from '../harness/cases.ts';

/** Awaited though it is no promise. */
const VALUE = null as unknown as Promise<void>;
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));
const thenable = { then: (done: (value: number) => void): void => void setTimeout(() => done(1), 1) };

export default cases('async_hooks', {
  AsyncLocalStorage: [() => new AsyncLocalStorage().getStore(), () => typeof AsyncLocalStorage.bind],
  'AsyncLocalStorage#run': [
    () => new AsyncLocalStorage().run(1, (a, b) => [a, b], 'a', 'b'),
    () => {
      const storage = new AsyncLocalStorage<number>();
      return [storage.run(1, () => [storage.getStore(), storage.run(2, () => storage.getStore()), storage.getStore()]), storage.getStore()];
    },
    () => {
      const storage = new AsyncLocalStorage<number>();
      try {
        storage.run(1, () => {
          throw new Error('x');
        });
      } catch {
        return storage.getStore();
      }
      return 'none';
    },
  ],
  'AsyncLocalStorage#getStore': [
    async () => {
      const storage = new AsyncLocalStorage<string>();
      const seen: unknown[] = [];
      const see = (word: string): void => void seen.push(`${word}: ${storage.getStore()}`);
      await storage.run('A', async () => {
        await VALUE;
        see('await of a value');
        await pause();
        see('await of a promise');
        await (thenable as unknown as Promise<number>);
        see('await of a thenable');
        await Promise.reject(new Error('x')).catch(() => see('catch'));
        await Promise.resolve().finally(() => see('finally'));
        await new Promise<void>((resolve) => process.nextTick(() => (see('tick'), resolve())));
        await new Promise<void>((resolve) => setImmediate(() => (see('immediate'), resolve())));
        await new Promise<void>((resolve) => queueMicrotask(() => (see('microtask'), resolve())));
        await Promise.all([pause().then(() => see('then')), pause()]);
      });
      see('outside');
      return seen;
    },
    async () => {
      const storage = new AsyncLocalStorage<string>();
      const one = async (name: string): Promise<string[]> => {
        const seen: string[] = [];
        for (let turn = 0; turn < 3; turn++) {
          await pause();
          seen.push(`${name}${storage.getStore()}`);
        }
        return seen;
      };
      return Promise.all(['x', 'y', 'z'].map((name) => storage.run(name, one, name as never)));
    },
    async () => {
      const storage = new AsyncLocalStorage<string>();
      async function* generate(): AsyncGenerator<string> {
        for (let turn = 0; turn < 2; turn++) {
          await pause();
          yield String(storage.getStore());
        }
      }
      return storage.run('G', async () => {
        const seen: string[] = [];
        for await (const value of generate()) seen.push(value, String(storage.getStore()));
        return seen;
      });
    },
  ],
  'AsyncLocalStorage#enterWith': [
    async () => {
      const storage = new AsyncLocalStorage<string>();
      const inner = async (): Promise<void> => {
        await VALUE;
        storage.enterWith('inner');
        await VALUE;
      };
      storage.enterWith('outer');
      await inner();
      return storage.getStore();
    },
  ],
  'AsyncLocalStorage#exit': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      return storage.run(1, () => [storage.exit(() => storage.getStore()), storage.getStore()]);
    },
  ],
  'AsyncLocalStorage#disable': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      return storage.run(1, () => {
        storage.disable();
        return storage.getStore();
      });
    },
  ],
  'AsyncLocalStorage.bind': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      const bound = storage.run(5, () => AsyncLocalStorage.bind((more: number) => (storage.getStore() ?? 0) + more));
      return [bound(1), bound.length];
    },
    () => AsyncLocalStorage.bind(1 as never),
  ],
  'AsyncLocalStorage.snapshot': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      const snapshot = storage.run(7, () => AsyncLocalStorage.snapshot());
      return storage.run(8, () => [snapshot(() => storage.getStore()), storage.getStore()]);
    },
  ],
  AsyncResource: [
    () => new AsyncResource(1 as never),
    () => new AsyncResource('x', 'y' as never),
    () => new AsyncResource('x', { triggerAsyncId: -5 }),
  ],
  'AsyncResource#runInAsyncScope': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      const resource = storage.run(3, () => new AsyncResource('mine'));
      return [
        resource.runInAsyncScope(() => storage.getStore()),
        resource.runInAsyncScope(
          function (this: unknown, a: number) {
            return [this, a];
          },
          'this',
          1,
        ),
      ];
    },
  ],
  'AsyncResource#emitDestroy': [
    () => {
      const resource = new AsyncResource('mine', { requireManualDestroy: true });
      return resource.emitDestroy() === resource;
    },
  ],
  'AsyncResource#asyncId': [() => new AsyncResource('mine').asyncId() > 0],
  'AsyncResource#triggerAsyncId': [() => new AsyncResource('mine', { triggerAsyncId: 9 }).triggerAsyncId()],
  'AsyncResource#bind': [
    () => new AsyncResource('mine').bind((a: number, b: number) => a + b)(1, 2),
    () => new AsyncResource('mine').bind(1 as never),
  ],
  'AsyncResource.bind': [
    () => {
      const storage = new AsyncLocalStorage<number>();
      const emitter = new EventEmitter();
      return new Promise((resolve) => {
        storage.run(4, () =>
          emitter.once(
            'x',
            AsyncResource.bind(() => resolve(storage.getStore())),
          ),
        );
        emitter.emit('x');
      });
    },
  ],
  createHook: [
    () => hooks.createHook({ init: 1 } as never),
    () => {
      const seen: string[] = [];
      const hook = hooks
        .createHook({ init: (_id, type) => void (type === 'MINE' && seen.push(type)), before: () => void seen.push('before') })
        .enable();
      new AsyncResource('MINE').runInAsyncScope(() => seen.push('run'));
      hook.disable();
      return seen;
    },
  ],
  executionAsyncId: [
    () => typeof hooks.executionAsyncId(),
    () => new AsyncResource('x').runInAsyncScope(() => hooks.executionAsyncId()) > 1,
  ],
  triggerAsyncId: [() => typeof hooks.triggerAsyncId(), () => new AsyncResource('x', 8).runInAsyncScope(() => hooks.triggerAsyncId())],
  executionAsyncResource: [
    () => {
      const resource = new AsyncResource('x');
      return resource.runInAsyncScope(() => hooks.executionAsyncResource() === resource);
    },
  ],
  asyncWrapProviders: [
    () => [typeof hooks.asyncWrapProviders, Object.isFrozen(hooks.asyncWrapProviders), 'PROMISE' in hooks.asyncWrapProviders],
  ],
});
