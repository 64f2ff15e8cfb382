/** How a process of an executable ends when a signal comes: loaded when its first server listens. */
import { DRAIN_TIMEOUT_MS_DEFAULT } from '../../settings.ts';
import { Ending } from '../../lifecycle/signals.ts';

export function drainAtSignals(drainTimeoutMs = DRAIN_TIMEOUT_MS_DEFAULT): void {
  new Ending({ drainTimeoutMs, supervised: false }).listen();
}

export { isAtTerminal } from '../../terminal/terminal.ts';
export { endWithWrapper } from '../../lifecycle/wrapped.ts';
