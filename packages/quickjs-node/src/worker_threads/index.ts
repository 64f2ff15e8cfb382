/**
 * `node:worker_threads`: the QuickJS host has one thread, and this is it. What a main thread may ask works; a
 * second thread cannot be started.
 */
import { unavailable, unavailableClass } from '../shared/unavailable.ts';

const advice = 'start another process, or run the application on Node';
const environment = new Map<unknown, unknown>();
const untransferable = new WeakSet<object>();

function mark(object: unknown): void {
  if (typeof object === 'object' && object !== null) untransferable.add(object);
}

const members = {
  isMainThread: true,
  isInternalThread: false,
  threadId: 0,
  threadName: '',
  parentPort: null,
  workerData: null,
  resourceLimits: {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  Worker: unavailableClass('worker_threads.Worker', advice),
  getEnvironmentData: (key: unknown): unknown => environment.get(key),
  setEnvironmentData(key: unknown, value?: unknown): void {
    if (value === undefined) environment.delete(key);
    else environment.set(key, value);
  },
  markAsUntransferable: mark,
  markAsUncloneable: mark,
  isMarkedAsUntransferable: (object: unknown): boolean => typeof object === 'object' && object !== null && untransferable.has(object),
  moveMessagePortToContext: unavailable('worker_threads.moveMessagePortToContext', advice),
  receiveMessageOnPort: unavailable('worker_threads.receiveMessageOnPort', advice),
  postMessageToThread: unavailable('worker_threads.postMessageToThread', advice),
};

for (const name of ['MessageChannel', 'MessagePort', 'BroadcastChannel'] as const) {
  Object.defineProperty(members, name, { get: () => globalThis[name], enumerable: true, configurable: true });
}

export default members;
