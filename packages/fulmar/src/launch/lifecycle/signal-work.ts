/**
 * Is what the listeners of a signal have started still under way? An application that writes back its queues
 * before it closes its servers shall not be ended in the middle, and one whose listener only takes notice
 * shall not be waited for.
 *
 * Made when a signal comes, before the listeners of others run in the same call; watches what they create,
 * and what comes of that.
 */
import type { AsyncHook } from 'node:async_hooks';
import { readGlobal } from '../../host/globals.ts';

export interface Work {
  isUnderWay(): boolean;
  forget(): void;
}

/** More than this is not remembered: a process that ends does not need it. */
const RESOURCES_MAX = 100_000;
/** Requests to the system; a handle that stays open, as a connection that is kept, is no work. */
const request = /REQ|CONNECTWRAP|^PROCESSWRAP$|^WORKER$|^Immediate$/;

interface Timer {
  hasRef?(): boolean;
}

/** To be called by the first listener. */
export function followWork(listeners: readonly Function[]): Work {
  return hasHooks() ? followResources() : followByName(listeners);
}

/** The QuickJS host's hooks see no promises. */
function hasHooks(): boolean {
  return readGlobal('fulmar.host') === undefined;
}

/** What is known of a listener without them: whether it is an `async` function. */
function followByName(listeners: readonly Function[]): Work {
  const isAsync = listeners.some(({ constructor: { name } }) => name === 'AsyncFunction');
  return { isUnderWay: () => isAsync, forget: () => undefined };
}

function followResources(): Work {
  const { createHook, executionAsyncId } = process.getBuiltinModule('node:async_hooks');
  const root = executionAsyncId();
  // Ids come again: what runs in the context of this call later is no longer about the signal.
  let isInCall = true;
  const descended = new Set<number>();
  const pending = new Map<number, Timer | 'promise' | 'request'>();
  const hook: AsyncHook = createHook({
    init(id, type, _trigger, resource) {
      const parent = executionAsyncId();
      if (!descended.has(parent) && !(isInCall && parent === root)) return;
      if (descended.size >= RESOURCES_MAX) return;
      descended.add(id);
      if (type === 'Timeout') pending.set(id, resource as Timer);
      else if (type === 'PROMISE') pending.set(id, 'promise');
      else if (request.test(type)) pending.set(id, 'request');
    },
    // What an `await` makes for itself is never resolved: its continuation runs.
    after(id) {
      if (pending.get(id) === 'promise') pending.delete(id);
    },
    promiseResolve: (id) => void pending.delete(id),
    destroy: (id) => void pending.delete(id),
  }).enable();
  process.nextTick(() => (isInCall = false));
  return {
    isUnderWay: () => [...pending.values()].some(isWork),
    forget: () => void hook.disable(),
  };
}

/** A timer that keeps no process alive is no work either: sockets have one each. */
function isWork(item: Timer | 'promise' | 'request'): boolean {
  return typeof item === 'string' || item.hasRef?.() !== false;
}
