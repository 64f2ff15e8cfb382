/**
 * `health()`: a plugin with the routes that orchestrators and load balancers ask: is the process alive, and shall
 * it be sent requests? The second fails first when the app ends, and the app goes on answering for a while. Checks
 * are made by `health-checks.ts`; error texts are for the log.
 */
import type { App } from '../app.ts';
import type { AnyContext } from '../context.ts';
import { HealthChecks, type HealthCheck, type Outcome } from './health-checks.ts';
import { checkOptions, type Checks, isBoolean, isCount, isMs } from '../checked-options.ts';

export interface HealthOptions {
  /** Path of the answer that the process is alive; `false`: none. Default: `/live`. */
  readonly live?: string | false;
  /** Path of the answer whether it shall be sent requests; `false`: none. Default: `/ready`. */
  readonly ready?: string | false;
  /** What has to be right for that, by name. */
  readonly checks?: Readonly<Record<string, HealthCheck['check'] | HealthCheck>>;
  /** How long a check may take, in ms. Default: 2 s. */
  readonly timeoutMs?: number;
  /** How long its outcome is told again without another. Default: 1 s. */
  readonly cacheMs?: number;
  /** Checks that are made at a time. Default: 8. */
  readonly concurrency?: number;
  /** How long the app still answers, not ready, before it stops to listen, in ms. Default: 0. */
  readonly drainDelayMs?: number;
  /** Whether replies tell why a check failed: for those that nobody outside can ask for. Default: false. */
  readonly errors?: boolean;
}

const isPath = (value: unknown): boolean => value === false || (typeof value === 'string' && value.startsWith('/'));

const CHECKS: Checks<HealthOptions> = {
  live: [isPath, 'a path such as /live, or false'],
  ready: [isPath, 'a path such as /ready, or false'],
  checks: [isChecks, 'an object of functions by name, or of { check, critical, timeoutMs }'],
  timeoutMs: [(value) => isMs(1, value), 'a number of milliseconds, at least 1'],
  cacheMs: [(value) => isMs(0, value), 'a number of milliseconds'],
  concurrency: [(value) => isCount(1, value), 'a number of checks, at least 1'],
  drainDelayMs: [(value) => isMs(0, value), 'a number of milliseconds'],
  errors: isBoolean,
};

const ONE: Checks<HealthCheck> = {
  check: [(value) => typeof value === 'function', 'a function (signal)'],
  critical: isBoolean,
  timeoutMs: [(value) => isMs(1, value), 'a number of milliseconds, at least 1'],
};

function isChecks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (one) => typeof one === 'function' || typeof (one as Partial<HealthCheck> | null)?.check === 'function',
  );
}

const TIMEOUT_MS = 2000;
const CACHE_MS = 1000;
const CONCURRENCY = 8;

/** To be registered. @throws TypeError for options that are none, or are something else than they may be */
export function health(options: HealthOptions = {}): (app: App) => void {
  checkOptions('health', options, CHECKS);
  const { live = '/live', ready = '/ready', drainDelayMs = 0, errors = false } = options;
  const given = Object.entries(options.checks ?? {}).map(([name, one]) => {
    const check = typeof one === 'function' ? { check: one } : one;
    checkOptions('health', check, ONE);
    return [name, { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, critical: true, ...check }] as const;
  });
  const { cacheMs = CACHE_MS, concurrency = CONCURRENCY } = options;
  return function health(app) {
    const checks = new HealthChecks(given, { cacheMs, concurrency });
    let isDraining = false;
    app.onStart(() => void (isDraining = false));
    app.onDrain(async () => {
      isDraining = true;
      if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
    });
    if (live !== false) app.get(live, (c) => answer(c, 'pass', {}));
    if (ready === false) return;
    app.get(ready, async (c) => {
      if (isDraining) return answer(c, 'fail', { output: 'The server is going away.' });
      const outcomes = await checks.outcomes((line, error) => c.settings.logger.error(line, error));
      return answer(
        c,
        worstOf(outcomes),
        outcomes.length === 0 ? {} : { checks: Object.fromEntries(outcomes.map((one) => shownAs(one, errors))) },
      );
    });
  };
}

type Status = Outcome['status'];

const worstOf = (outcomes: readonly Outcome[]): Status =>
  outcomes.some(({ status }) => status === 'fail') ? 'fail' : outcomes.some(({ status }) => status === 'warn') ? 'warn' : 'pass';

/** draft-inadarei-api-health-check-06, as far as it is of use. */
function answer(c: AnyContext, status: Status, more: object): unknown {
  c.status(status === 'fail' ? 503 : 200).header('Cache-Control', 'no-store');
  return c.send(JSON.stringify({ status, ...more }), 'application/health+json');
}

function shownAs({ name, status, at, ms, error }: Outcome, errors: boolean): [string, object[]] {
  const output = errors && error !== undefined ? { output: error instanceof Error ? error.message : String(error) } : {};
  return [name, [{ status, time: new Date(at).toISOString(), observedValue: ms, observedUnit: 'ms', ...output }]];
}
