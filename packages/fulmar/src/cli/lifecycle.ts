/**
 * How a process of an application ends: signals drain its servers, errors nobody caught are told in a line where that says more.
 *
 * Installed before the application. An application that handles a signal or an error itself is never interfered with.
 */
import { describeUncaught } from './errors.ts';
import { listeningServers } from './servers.ts';
import { installSignals } from './signals.ts';
import { installSupervised, tellPrimary } from './supervised.ts';
import { tell } from './tell.ts';

export interface LifecycleOptions {
  readonly drainTimeoutMs: number;
  readonly verbose: boolean;
  /** Started by `--workers`: the primary passes signals on, and prints what is fatal. */
  readonly supervised: boolean;
}

export function installLifecycle(options: LifecycleOptions): void {
  const installed = installSignals(options);
  if (options.supervised) installSupervised(installed, () => listeningServers().length > 0);
  installErrorReport(options);
}

function installErrorReport({ verbose, supervised }: LifecycleOptions): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
    const text = describeUncaught(error);
    if (text === undefined) return;
    if (supervised && process.connected) tellPrimary('fatal', text);
    else tell(text);
    // Otherwise Node prints the stack and ends the process with the same code.
    if (!verbose) process.exit(1);
  });
}
