/**
 * The worker's side of `fulmar run --workers`: what a process does because a primary looks after it.
 *
 * Tells the primary why it can never serve, does as that asks, and ends where Node would end it if it had no
 * channel to a primary. Installed before the application.
 */
import { describeUncaught, toSocketPath } from '../errors.ts';
import { mayTell, takeFirstCrash } from './first-crash.ts';
import { type Ending, markOwn } from './signals.ts';
import { LISTEN_RETRY_MS, RELOAD_SIGNALS, UNANSWERED_MS, WORKER_HEALTHY_MS } from '../settings.ts';
import { setGlobal } from '../../host/globals.ts';

/**
 * From the primary: end as at a SIGTERM, within `limitMs` if that is there, unless one has come already. On
 * Node's own channel, which applications do not see.
 */
export const STOP = 'NODE_FULMAR_STOP';

/** What a worker tells its primary before it ends. */
export interface LastWords {
  /**
   * `fatal`: it can never start; `crashed`: an error nobody caught ended it before it served, which one of
   * the workers shows; `idle`: nothing is left to do, so that it never listens if it has not.
   */
  readonly fulmar: 'fatal' | 'crashed' | 'idle';
  readonly text: string;
  /** Of the Unix socket that it could not listen on. */
  readonly path?: string | undefined;
}

/** Calls `then` when it has been told, or there is nobody to tell. */
export function tellPrimary(words: LastWords, then: () => void = () => undefined): void {
  if (process.connected && process.send !== undefined) process.send(words, () => then());
  else then();
}

/**
 * At an error nobody caught: tells the primary of one before the worker served. Is it another worker that
 * shows what happened to all?
 */
export function isToldByAnother(isListening: boolean): boolean {
  if (isListening || !process.connected || performance.now() > WORKER_HEALTHY_MS) return false;
  outliveStop();
  const isTold = !mayTell();
  tellPrimary({ fulmar: 'crashed', text: 'an error that nobody caught, before it served' });
  return isTold;
}

/**
 * A primary that is told, by this worker or by one that leaves it to this one to show the error, stops all of
 * them. What has no server yet would die of that at once, before Node has printed anything; it ends by its
 * error instead. So this comes before both.
 */
export function outliveStop(): void {
  process.on('SIGTERM', () => undefined);
}

interface Failure {
  /** Why the last `listen()` failed. */
  text: string | undefined;
}

export function installSupervised(ending: Ending, isListening: () => boolean): void {
  process.on('internalMessage' as 'message', (message: unknown) => {
    const { cmd, limitMs } = (message ?? {}) as { cmd?: unknown; limitMs?: number };
    if (cmd === STOP) ending.stop(limitMs);
  });
  takeFirstCrash();
  leaveSignalsToPrimary();
  const failure = watchListening(isListening);
  endWhenIdle(failure);
}

/** A terminal or a service manager that sends them to the whole group means the primary. */
function leaveSignalsToPrimary(): void {
  const ignore = (): void => undefined;
  markOwn(ignore);
  for (const signal of [...RELOAD_SIGNALS, 'SIGINT'] as const) process.on(signal, ignore);
}

/**
 * An application may take note of a port in use and go on, as one whose callback of Express 5's `listen`
 * looks at no error. It then serves nothing; unless it tries again, or another of its servers listens, the
 * primary is told.
 */
function watchListening(isListening: () => boolean): Failure {
  const failure: Failure = { text: undefined };
  let timer: NodeJS.Timeout | undefined;
  setGlobal('fulmar.listen-failed', (error) => {
    failure.text = describeUncaught(error) ?? (error as Error).message;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isListening()) tellPrimary({ fulmar: 'fatal', text: failure.text ?? '', path: toSocketPath(error) }, () => process.exit(1));
    }, LISTEN_RETRY_MS).unref();
  });
  return failure;
}

/**
 * Node keeps a worker alive for its channel alone, serving nothing for ever. Without a reference to the
 * channel it ends when nothing is left to do; but an answer of the primary may be under way, for which Node
 * holds nothing either.
 */
function endWhenIdle(failure: Failure): void {
  process.channel?.unref();
  let times = 0;
  process.on('beforeExit', () => {
    times++;
    if (times === 1) setTimeout(() => undefined, UNANSWERED_MS);
    else if (times === 2)
      tellPrimary({ fulmar: 'idle', text: failure.text ?? 'the application has nothing left to do and does not listen' });
  });
}
