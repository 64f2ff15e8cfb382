/**
 * `enableShutdownHooks()`: a signal ends the application as its `close()` does, then the process, by the same signal.
 */
import { ShutdownSignal } from '../enums.ts';

/** @throws TypeError for what is no signal */
export function onSignals(signals: readonly string[] | undefined, close: (signal: string) => Promise<void>): void {
  const names = signals === undefined || signals.length === 0 ? Object.values(ShutdownSignal) : signals;
  for (const name of names)
    if (!Object.hasOwn(ShutdownSignal, name))
      throw new TypeError(`enableShutdownHooks() takes ${Object.keys(ShutdownSignal).join(', ')}, and this is ${String(name)}.`);
  let isEnding = false;
  const listener = (signal: string): void => {
    // One that comes while hooks run changes nothing, as with Nest: npm and a terminal both send Ctrl+C.
    if (isEnding) return;
    isEnding = true;
    close(signal).then(
      () => {
        for (const name of names) process.removeListener(name, listener);
        process.kill(process.pid, signal);
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const name of names) process.on(name, listener);
}
