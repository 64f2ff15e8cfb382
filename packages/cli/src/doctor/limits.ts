/**
 * The numbers `fulmar doctor` lives by: defaults, bounds and patience. Data only.
 */

/** An application that does not listen by then is given up. */
export const START_TIMEOUT_S_DEFAULT = 20;
/** Routes that are asked for when none is named. */
export const ROUTES_DEFAULT = 50;
export const ROUTES_MAX = 1_000;
/** After a server listens, more servers and routes may follow for so long. */
export const SETTLE_MS = 400;
/** A probe that does not answer by then is in a process that is blocked or gone. */
export const FACTS_TIMEOUT_MS = 5_000;
/** A single reply, from the first byte sent to the last received. */
export const REPLY_TIMEOUT_MS = 5_000;
/** Content of a reply beyond this is not waited for. */
export const REPLY_BYTES_MAX = 16 * 1024 * 1024;
/** An application may end by itself within this time after SIGTERM. */
export const STOP_GRACE_MS = 2_000;
/** Between looks whether a process is gone. */
export const POLL_MS = 20;
/** Routes and importers that a list of the page names; the rest is counted. `--verbose` names all. */
export const ROUTES_TOLD_MAX = 12;
export const IMPORTERS_TOLD_MAX = 4;
export const MS_PER_S = 1_000;
