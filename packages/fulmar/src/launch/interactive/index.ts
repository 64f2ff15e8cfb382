/**
 * What `fulmar run` does only where somebody sits at a terminal: a line when the first server listens, and
 * who is waited for while a process drains. A bundle of its own, `dist/cli-interactive.cjs`: in a container
 * or below a process manager nothing of it is loaded.
 *
 * Writes to standard error alone; standard output is the application's.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DRAIN_TIMEOUT_MS_INTERRUPT, distFolder } from '../settings.ts';
import type { SignalOptions } from '../lifecycle/signals.ts';
import { describeStandIns } from '../modules/stand-ins.ts';
import { announceFirst } from '../terminal/start-line.ts';
import { readVersion } from '../installed/version.ts';
import { tellWaiting, watchRequests } from './waiting.ts';

export interface Attendance {
  readonly binFile: string;
  /** The file that is run. */
  readonly entry: string;
  /**
   * What the primary of `--workers` has said: the number of a worker, `1/4` of the one that tells of the
   * start.
   */
  readonly worker: string | undefined;
  /** As asked for; `undefined`: it is for us to say. */
  readonly drainTimeoutMs: number | undefined;
}

/** Before the application is loaded. Returns how signals are answered here. */
export function attend({ binFile, entry, worker, drainTimeoutMs }: Attendance): Pick<SignalOptions, 'interruptTimeoutMs' | 'onDrain'> {
  const workers = worker?.split('/')[1];
  if (worker === undefined || workers !== undefined) {
    announceFirst(() => ({
      version: readVersion(binFile),
      packages: loadedPackages(binFile, entry),
      workers: workers === undefined ? undefined : Number(workers),
    }));
  }
  const openRequests = watchRequests();
  return {
    onDrain: (limitMs) => tellWaiting(openRequests, limitMs),
    interruptTimeoutMs: drainTimeoutMs === undefined ? DRAIN_TIMEOUT_MS_INTERRUPT : undefined,
  };
}

/**
 * What of ours has been loaded in place of a package. By what is loaded, not by what was asked for: that may
 * be in another thread.
 */
function loadedPackages(binFile: string, entry: string): string[] {
  const { cache } = createRequire(binFile);
  const dist = distFolder(binFile);
  return describeStandIns(dirname(entry), (target) => cache[join(dist, `${target}.cjs`)] !== undefined);
}
