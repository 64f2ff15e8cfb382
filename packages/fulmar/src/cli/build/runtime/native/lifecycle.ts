/** How a process of an executable ends when a signal comes: loaded when its first server listens. */
import { drainServersAtSignals } from '../../../lifecycle.ts';
import { DRAIN_TIMEOUT_MS_DEFAULT } from '../../../settings.ts';

export function drainAtSignals(drainTimeoutMs = DRAIN_TIMEOUT_MS_DEFAULT): void {
  drainServersAtSignals({ drainTimeoutMs, supervised: false });
}
