/**
 * How a process of an application ends: signals drain its servers, errors nobody caught are told in a line
 * where that says more.
 *
 * Installed before the application. An application that handles a signal or an error itself is never
 * interfered with.
 */
import { describeUncaught, noteListenHosts, toSocketPath } from '../errors.ts';
import { beforeFirstServer } from './first-server.ts';
import { OwnFrames } from './own-frames.ts';
import { listeningServers } from './servers.ts';
import { Ending, type SignalOptions } from './signals.ts';
import { installSupervised, isToldByAnother, outliveStop, tellPrimary } from './supervised.ts';
import { tell } from '../terminal/tell.ts';

/** `supervised`: the primary also prints what is fatal. */
export interface LifecycleOptions extends SignalOptions {
  readonly verbose: boolean;
  /**
   * The bundle whose frames are not shown; `undefined` where nothing of ours stands between Node and the
   * application.
   */
  readonly bundleFile?: string;
}

export function installLifecycle(options: LifecycleOptions): void {
  const ending = new Ending(options);
  beforeFirstServer(() => ending.listen());
  if (options.supervised) installSupervised(ending, () => listeningServers().length > 0);
  noteListenHosts();
  installErrorReport(options);
}

function installErrorReport({ verbose, supervised, bundleFile }: LifecycleOptions): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
    const text = describeUncaught(error);
    if (text === undefined) {
      if (supervised && isToldByAnother(listeningServers().length > 0)) process.exit(1);
      if (bundleFile !== undefined) new OwnFrames(bundleFile).hide(error, Infinity);
      return;
    }
    if (supervised && process.connected) {
      if (verbose) outliveStop();
      tellPrimary({ fulmar: 'fatal', text, path: toSocketPath(error) });
    } else tell(text);
    // Otherwise Node prints the stack and ends the process with the same code.
    if (!verbose) process.exit(1);
  });
}
