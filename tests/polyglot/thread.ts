/** A thread of `process.test.ts`: counts in another language, and has it compute when it is ended. */
import { parentPort, workerData } from 'node:worker_threads';
import { guests } from '../../packages/fulmar/src/polyglot/index.ts';

interface End {
  readonly count: (n: number) => Promise<unknown>;
  readonly spin: () => Promise<never>;
}

const { language, module } = workerData as { readonly language: string; readonly module: string };
const guest = guests.get(language);
if (guest === undefined) throw new Error(`no guest ${language}`);
const end = await guest.import<End>(`./${module}`, { from: import.meta.url });
const count = await end.count(1_000);
end.spin().catch(() => undefined);
parentPort?.postMessage(count);
