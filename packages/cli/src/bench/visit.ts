/**
 * A visit to the application: one start on one host, to learn its port, its routes and its replies. Nothing
 * is measured.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answers.ts';
import { Application, type Ports } from './application.ts';
import type { BenchOptions } from './arguments.ts';
import { temporaryFolder } from './children.ts';
import type { Host, Program } from './hosts.ts';
import { MS_PER_S, PROBE_PATIENCE_MS, PROC_POLL_MS } from './limits.ts';
import { onServerCore, type Pinning } from './machine.ts';
import type { ProbeResult } from './probe-result.ts';
import type { Progress } from './progress.ts';
import { ask, type Origin, type Question } from './request.ts';

export interface Context {
  readonly options: BenchOptions;
  readonly program: Program;
  /** The application as an executable, with `--native`. */
  readonly executable: string | undefined;
  readonly pinning: Pinning;
  readonly distFolder: string;
  readonly loadProgram: string;
  readonly progress: Progress;
}

export interface VisitOptions {
  readonly ports: Ports;
  /** The probe is in the host's command: wait for what it writes. */
  readonly isProbed?: boolean;
  /** A visit with the same paths: what failed then is not tried again. */
  readonly earlier?: Visit;
  /** Which paths to ask for, once the routes are known. */
  readonly choose: (routes: ProbeResult) => readonly string[];
}

export interface Visit {
  readonly origin: Origin;
  /** From the start until it listened. */
  readonly startMs: number;
  readonly routes: ProbeResult;
  readonly paths: readonly string[];
  readonly answers: readonly Answer[];
}

const ROUTES_VARIABLE = 'FULMAR_BENCH_ROUTES';

export function questionOf({ method, headers, body }: BenchOptions): Question {
  return { method, headers, body };
}

/** Starts the application on `host`. The caller stops it. */
export function startOn(
  host: Host,
  { options, pinning }: Context,
  { ports, env = {} }: { ports: Ports; env?: NodeJS.ProcessEnv },
): Application {
  const command = [...onServerCore(pinning), ...host.command];
  return new Application({ command, env: { ...host.env, ...env }, ports, title: host.title, timeoutMs: options.startTimeoutS * MS_PER_S });
}

/** Throws a `CommandError` when the application does not start to listen. */
export async function visit(host: Host, context: Context, { ports, isProbed = false, earlier, choose }: VisitOptions): Promise<Visit> {
  context.progress.step(`starting ${host.title} …`);
  const routesFile = join(temporaryFolder(), 'routes.json');
  rmSync(routesFile, { force: true });
  const start = performance.now();
  const application = startOn(host, context, { ports, env: isProbed ? { [ROUTES_VARIABLE]: routesFile } : {} });
  try {
    const origin = await application.listening();
    const startMs = performance.now() - start;
    const routes = isProbed ? await readRoutes(routesFile) : { frameworks: [], routes: [] };
    const paths = choose(routes);
    const answers: Answer[] = [];
    for (const [index, path] of paths.entries()) {
      const before = earlier?.answers[index];
      if (typeof before === 'string') {
        answers.push(before);
        continue;
      }
      if (application.isOver()) throw application.failure('ended while it was asked for a reply');
      answers.push(await ask(origin, path, questionOf(context.options)).catch((error: Error) => error.message));
    }
    return { origin, startMs, routes, paths, answers };
  } finally {
    await application.stop();
  }
}

async function readRoutes(file: string): Promise<ProbeResult> {
  const end = performance.now() + PROBE_PATIENCE_MS;
  while (!existsSync(file) && performance.now() < end) await sleep(PROC_POLL_MS);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProbeResult;
  } catch {
    return { frameworks: [], routes: [] };
  }
}
