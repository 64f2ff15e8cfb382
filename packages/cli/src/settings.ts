/**
 * The numbers that commands live by; those that an application's own process needs, too, are in
 * `packages/fulmar/src/launch/settings.ts`.
 */

/** Marks a process of `--workers`; removed from its environment before the application starts. */
export const WORKER_VARIABLE = 'FULMAR_WORKER';

/** The primary waits this much longer than its workers before it kills them. */
export const DRAIN_GRACE_MS = 2_000;
/** More processes than this are a mistake in the option, not a wish. */
export const WORKERS_MAX = 1_024;
/** Pause before a dead worker is replaced; doubles with each death in a row … */
export const RESTART_PAUSE_MS_MIN = 100;
/** … up to this. */
export const RESTART_PAUSE_MS_MAX = 5_000;
/** So many deaths in a row, for each worker, end the whole run. */
export const CRASHES_IN_A_ROW_MAX = 5;
/** A worker that starts during a rolling restart has so long to listen. */
export const RELOAD_READY_MS_MAX = 60_000;
/**
 * … and so long after that for further addresses of its predecessor. One of an application that never listens
 * is ready after it.
 */
export const RELOAD_SETTLED_MS = 2_000;
