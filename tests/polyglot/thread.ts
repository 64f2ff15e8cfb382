/** A thread of `process.test.ts`: counts in Python, and has it compute when it is ended. */
import { parentPort } from 'node:worker_threads';
import { python } from '../../packages/fulmar/src/polyglot/index.ts';

interface End {
  readonly count: (n: number) => Promise<unknown>;
  readonly spin: () => Promise<never>;
}

const end = await python.import<End>('./python/end.py', { from: import.meta.url });
const count = await end.count(1_000);
end.spin().catch(() => undefined);
parentPort?.postMessage(count);
