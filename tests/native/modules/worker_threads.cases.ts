import worker from 'node:worker_threads';
import { cases } from '../harness/cases.ts';

const more = worker as unknown as Record<string, (...args: unknown[]) => unknown>;
const noThreads = 'the native host has one thread';

export default cases(
  'worker_threads',
  {
    isMainThread: [() => worker.isMainThread],
    isInternalThread: [() => more['isInternalThread']],
    threadId: [() => worker.threadId],
    threadName: [() => more['threadName']],
    parentPort: [() => worker.parentPort],
    workerData: [() => worker.workerData as unknown],
    resourceLimits: [() => worker.resourceLimits],
    SHARE_ENV: [() => String(worker.SHARE_ENV), () => worker.SHARE_ENV === Symbol.for('nodejs.worker_threads.SHARE_ENV')],
    getEnvironmentData: [() => worker.getEnvironmentData('nothing')],
    setEnvironmentData: [
      () => {
        worker.setEnvironmentData('key', 5);
        const before = worker.getEnvironmentData('key');
        worker.setEnvironmentData('key', undefined);
        return [before, worker.getEnvironmentData('key')];
      },
    ],
    markAsUntransferable: [() => worker.markAsUntransferable({})],
    markAsUncloneable: [() => more['markAsUncloneable']?.({})],
    isMarkedAsUntransferable: [
      () => {
        const is = (value: unknown): unknown => more['isMarkedAsUntransferable']?.(value);
        const marked = new ArrayBuffer(1);
        worker.markAsUntransferable(marked);
        return [is(marked), is(new ArrayBuffer(1)), is(5)];
      },
    ],
    MessageChannel: [() => worker.MessageChannel === globalThis.MessageChannel],
    MessagePort: [() => worker.MessagePort === globalThis.MessagePort],
    BroadcastChannel: [() => (worker.BroadcastChannel as unknown) === globalThis.BroadcastChannel],
    Worker: [() => typeof new worker.Worker('0', { eval: true }).threadId],
    moveMessagePortToContext: [() => worker.moveMessagePortToContext(new worker.MessageChannel().port1, {} as never)],
    receiveMessageOnPort: [() => worker.receiveMessageOnPort(new worker.MessageChannel().port1)],
    postMessageToThread: [() => more['postMessageToThread']?.()],
    locks: [() => typeof more['locks']],
  },
  {
    missing: {
      Worker: noThreads,
      moveMessagePortToContext: 'there is one context',
      receiveMessageOnPort: 'messages arrive by events',
      postMessageToThread: noThreads,
      locks: noThreads,
    },
    since: {
      isInternalThread: 24,
      threadName: 24,
      markAsUncloneable: 24,
      postMessageToThread: 24,
      isMarkedAsUntransferable: 22,
      locks: 24,
    },
  },
);
