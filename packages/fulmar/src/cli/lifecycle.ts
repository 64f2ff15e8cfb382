/**
 * How a process of an application ends: signals drain its servers, errors nobody caught are told in a line where that says more.
 *
 * Installed before the application. An application that handles a signal or an error itself is never interfered with.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { describeUncaught } from './errors.ts';

/** The seam to `fulmar/http`: servers that listen put themselves here and remove themselves when closed. */
export const SERVERS_KEY = 'fulmar.servers';

/** What a worker tells its primary before it ends because it can never start. */
export interface FatalMessage {
  readonly fulmar: 'fatal';
  readonly text: string;
}

interface DrainableServer {
  /** Stops accepting, closes idle connections, marks replies with `Connection: close`. */
  drain(): unknown;
  /** `close` follows when the last connection is gone. */
  once(event: 'close', listener: () => void): unknown;
}

interface HttpModule {
  drainAllServers?: (deadlineMs: number) => Promise<void>;
}

export interface LifecycleOptions {
  /** Where `fulmar/http` was bundled to. */
  readonly distFolder: string;
  readonly drainTimeoutMs: number;
  readonly verbose: boolean;
  /** Started by `--workers`: the primary passes signals on, and prints what is fatal. */
  readonly supervised: boolean;
}

const signals = ['SIGTERM', 'SIGINT'] as const;
type Signal = (typeof signals)[number];

export function installLifecycle(options: LifecycleOptions): void {
  installSignals(options, () => findDrain(options.distFolder));
  installErrorReport(options);
}

type SignalOptions = Pick<LifecycleOptions, 'drainTimeoutMs' | 'supervised'>;

/** The signals' part alone, where servers put themselves into the set at `SERVERS_KEY`. */
export function drainServersAtSignals(options: SignalOptions): void {
  installSignals(options, () => {
    const servers = findServers();
    return servers === undefined || servers.size === 0 ? undefined : (deadlineMs) => drainServers([...servers], deadlineMs);
  });
}

type Drain = (deadlineMs: number) => Promise<void>;

function installSignals(options: SignalOptions, find: () => Drain | undefined): void {
  let draining = false;
  const onSignal = (signal: Signal): void => {
    // Another listener is the application's: it is in charge.
    if (process.listeners(signal).some((listener) => listener !== onSignal)) return;
    // Ctrl-C reaches the whole group; the primary follows with SIGTERM.
    if (options.supervised && signal === 'SIGINT') return;
    const drain = draining ? undefined : find();
    if (drain === undefined) {
      for (const name of signals) process.off(name, onSignal);
      process.kill(process.pid, signal);
      return;
    }
    draining = true;
    void drain(options.drainTimeoutMs).then(
      () => process.exit(0),
      (error: unknown) => {
        tell(`could not drain: ${error instanceof Error ? error.message : String(error)}`);
        process.exit(1);
      },
    );
  };
  for (const name of signals) process.on(name, onSignal);
}

/** The way to end this process's servers gracefully, or `undefined` when it has none. */
function findDrain(distFolder: string): Drain | undefined {
  const servers = findServers();
  if (servers?.size === 0) return undefined;
  const { _cache: cache } = process.getBuiltinModule('node:module') as unknown as {
    _cache: Record<string, { exports: HttpModule } | undefined>;
  };
  const drainAll = cache[join(distFolder, 'lib-http.cjs')]?.exports.drainAllServers;
  if (drainAll !== undefined) return drainAll;
  return servers && ((deadlineMs) => drainServers([...servers], deadlineMs));
}

function findServers(): ReadonlySet<DrainableServer> | undefined {
  return (globalThis as Record<symbol, unknown>)[Symbol.for(SERVERS_KEY)] as ReadonlySet<DrainableServer> | undefined;
}

function drainServers(servers: readonly DrainableServer[], deadlineMs: number): Promise<void> {
  const closed = servers.map((server) => {
    const done = new Promise<void>((resolve) => void server.once('close', resolve));
    server.drain();
    return done;
  });
  const deadline = new Promise<void>((resolve) => void setTimeout(resolve, deadlineMs).unref());
  return Promise.race([Promise.all(closed).then(() => undefined), deadline]);
}

function installErrorReport({ verbose, supervised }: LifecycleOptions): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
    const text = describeUncaught(error);
    if (text === undefined) return;
    if (supervised && process.connected) process.send?.({ fulmar: 'fatal', text } satisfies FatalMessage);
    else tell(text);
    // Otherwise Node prints the stack and ends the process with the same code.
    if (!verbose) process.exit(1);
  });
}

/** Named by number: `process.stderr` of a loader thread has no descriptor. */
const STANDARD_ERROR = 2;

/** A line on standard error, written before anything else can happen. */
export function tell(text: string): void {
  try {
    writeSync(STANDARD_ERROR, `fulmar: ${text}\n`);
  } catch {
    // Nobody reads standard error any more.
  }
}
