/**
 * The numbers `fulmar bench` lives by: defaults, bounds and patience. Data only.
 */

/** Rounds by default: the fewest whose median means something when one of them was disturbed. */
export const ROUNDS_DEFAULT = 5;
export const ROUNDS_MAX = 100;
/** Enough to keep one core of server busy, few enough that a request waits little for the others. */
export const CONNECTIONS_DEFAULT = 64;
/** What the load generator takes at most. */
export const CONNECTIONS_MAX = 10_000;
/** Routes that are measured when none is named. */
export const ROUTES_DEFAULT = 5;
export const ROUTES_MAX = 50;
/** So many candidates are asked for each route that shall be measured: some need a login. */
export const CANDIDATES_PER_ROUTE = 4;
/** Parameterised routes that are named in the notes; more would bury the table. */
export const ROUTES_TOLD_MAX = 8;
/** Cold starts of each host. */
export const STARTS_DEFAULT = 9;
export const STARTS_MAX = 100;
export const DURATION_S_MAX = 3_600;
export const PORT_MAX = 65_535;

/**
 * What all loads and starts of a default run may take together: with set-up and waiting it stays below two
 * minutes.
 */
export const RUN_BUDGET_MS = 85_000;
/** Of that, what cold starts may take at most; at least `STARTS_MIN` are made. */
export const COLD_STARTS_BUDGET_MS = 12_000;
export const STARTS_MIN = 3;
/** A measurement of one route by default: between these, as the budget allows. */
export const SLOT_S_MIN = 0.8;
export const SLOT_S_MAX = 5;
/**
 * Load before each measurement, not counted; the first route of a fresh process also warms what all routes
 * share.
 */
export const WARM_UP_S = 0.5;
export const WARM_UP_FIRST_S = 1;
/** Between the first reply and the look at the memory of an idle process. */
export const SETTLE_MS = 300;
/** Starting, settling and stopping a process, beside its own start-up. */
export const ROUND_OVERHEAD_MS = 500;

/** An application that does not listen by then is given up. */
export const START_TIMEOUT_S_DEFAULT = 20;
/** A port that is not the offered one is taken when it is the only one for this long. */
export const OTHER_PORT_GRACE_MS = 500;
/** Pause between looks at `/proc`, and between attempts to connect. */
export const PROC_POLL_MS = 20;
export const CONNECT_POLL_MS = 1;
/** What the probe may need to write down routes after the application listens. */
export const PROBE_PATIENCE_MS = 2_000;
/** An application may end by itself within this time after SIGTERM. */
export const STOP_GRACE_MS = 1_500;
/** A single reply outside the load, from the first byte sent to the last received. */
export const REPLY_TIMEOUT_MS = 5_000;
/** A reply's content beyond this is not compared byte by byte under load. */
export const REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** Between the two times a reply is asked for, so that a time of day in whole seconds is seen to change. */
export const VOLATILE_GAP_MS = 1_100;
/** The generator is given this much longer than it was asked to run. */
export const LOAD_GRACE_MS = 15_000;

/** Lines of an application's output that an error shows. */
export const OUTPUT_LINES = 12;
/** Output of an application that is kept on disk. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Other processes may use this share of the machine's CPU time. */
export const OTHERS_SHARE_MAX = 0.1;
/** Above this share nothing that is measured says anything of the application … */
export const OTHERS_SHARE_HOPELESS = 0.5;
/** … when it has not been below for so long before, */
export const HOPELESS_AFTER_MS = 5_000;
/** … or in so many rounds in a row. */
export const ROUNDS_LOST_MAX = 2;
/** How long one look at them takes, and how long a quiet machine is waited for. */
export const QUIET_SAMPLE_MS = 500;
export const QUIET_WAIT_MS = 15_000;
/** Little's law: a measurement that deviates more is rejected. */
export const LITTLE_DEVIATION_MAX = 0.05;
/** Above this share of a core the generator limits the rate. */
export const GENERATOR_SHARE_MAX = 0.95;
/** A row needs this share of its rounds. */
export const ROUNDS_VALID_MIN = 0.5;

/** Linux shows CPU time in this unit whatever the kernel's own tick is. */
export const TICKS_PER_S = 100;
export const MS_PER_S = 1_000;
export const US_PER_S = 1_000_000;
