/**
 * The first code of a folder or worker of `fulmar build --target`: finds the application of an entry, which
 * exports it or calls `listen()`, and hands it to the platform's adapter.
 */
import { setGlobal } from '../../host/globals.ts';
import type { Application } from '../application-types.ts';

/** What the application's entry exports. */
interface Exported {
  readonly default?: unknown;
  readonly handler?: unknown;
}

type Handler = (...given: never[]) => unknown;

/** A database may have to be reached first. */
const LISTEN_MS_MAX = 10_000;

export interface Built {
  /** `to` makes the platform's handler of an application. */
  handler<Made extends Handler>(exported: object, to: (application: Application) => Made): Made;
}

/** From now on `listen()` leaves what would have answered here. Before the application is loaded. */
export function begin(): Built {
  let resolve = (_application: Application): void => {};
  const listening = new Promise<Application>((settle) => (resolve = settle));
  // The shape of an app of ours: its hooks have run by `listen()`.
  setGlobal('fulmar.serverless', (answer) => resolve({ handle: answer, start: () => Promise.resolve() } as unknown as Application));
  return {
    handler<Made extends Handler>(exported: Exported, to: (application: Application) => Made): Made {
      const { default: given } = exported;
      // A CommonJS module's exports are its default.
      const own = exported.handler ?? (given as Exported | null | undefined)?.handler;
      if (typeof own === 'function') return own as Made;
      return isApplication(given) ? to(given) : whenListening(listening, to);
    },
  };
}

function whenListening<Made extends Handler>(listening: Promise<Application>, to: (application: Application) => Made): Made {
  let made: Made | null = null;
  const making = listening.then((application) => (made = to(application)));
  return (async (...given: never[]) => (made ?? (await inTime(making)))(...given)) as unknown as Made;
}

async function inTime<Value>(value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(
      'The application neither exports an app by default (an app, an Express or Koa application, a fetch function), ' +
        `nor has it called listen() within ${LISTEN_MS_MAX / 1000} s.`,
    );
    timer = setTimeout(() => reject(error), LISTEN_MS_MAX);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What an adapter takes; the exports of a module that exports nothing are an object, too. */
function isApplication(given: unknown): given is Application {
  if (typeof given === 'function') return true;
  if (typeof given !== 'object' || given === null) return false;
  const { fetch, callback, handle } = given as Readonly<Record<string, unknown>>;
  return [fetch, callback, handle].some((member) => typeof member === 'function');
}

export default { begin };
