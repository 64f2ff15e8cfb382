/**
 * The numbers `fulmar routes` lives by: defaults, bounds and patience. Data only.
 */

/** What an application has not registered by then is not listed. */
export const START_TIMEOUT_S_DEFAULT = 10;
/** After a server wants to listen, more servers and routes may follow for so long. */
export const SETTLE_MS = 200;
/** A process that has not reported by so long after its time is blocked. */
export const BLOCKED_MS = 2_000;
/** An application may end by itself within this time after SIGTERM. */
export const STOP_GRACE_MS = 2_000;
/** Between looks for a report. */
export const POLL_MS = 20;
export const MS_PER_S = 1_000;
