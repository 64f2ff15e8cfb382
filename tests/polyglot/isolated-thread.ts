/** A thread of `isolated.test.ts`: says which process it has, and has it compute when it is ended. */
import { parentPort } from 'node:worker_threads';
import { python } from '../../packages/fulmar/src/polyglot/index.ts';

interface End {
  readonly pid: () => Promise<number>;
  readonly spin: () => Promise<never>;
}

const end = await python.import<End>('./python/end.py', { from: import.meta.url, isolated: true });
const pid = await end.pid();
end.spin().catch(() => undefined);
parentPort?.postMessage(pid);
