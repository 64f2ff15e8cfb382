/**
 * Runs the load generator `fulmar-load` and reads its result, which may say that nothing it measured counts.
 */
import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CommandError } from '../errors.ts';
import { findPart } from '../../../fulmar/src/launch/installed/installed.ts';
import { endTree, forget, launch, temporaryFolder } from './children.ts';
import { LITTLE_DEVIATION_MAX, LOAD_GRACE_MS, MS_PER_S } from './limits.ts';
import type { Origin, Question } from './request.ts';

/** What the result holds, as far as it is used here; see docs/reference/load.md. */
export interface LoadResult {
  readonly partial: boolean;
  readonly requests: { readonly answered: number; readonly verified: number; readonly unsent: number };
  readonly rate: number;
  readonly status: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly latency_us: { readonly p50: number; readonly p99: number };
  readonly little: { readonly deviation: number | null } | null;
  readonly cpu: { readonly user_us: number; readonly system_us: number; readonly share: number | null };
}

export interface LoadOptions {
  readonly program: string;
  readonly origin: Origin;
  readonly path: string;
  readonly question: Question;
  readonly expect: { readonly status: number; readonly body: Uint8Array | undefined };
  readonly connections: number;
  readonly durationS: number;
  readonly allowRemote: boolean;
}

/** The program, or an error that says how to get it. */
export function findLoadGenerator(distFolder: string, application: string | undefined): string {
  const { file, problem, advice } = findPart(distFolder, 'load', application);
  if (problem !== null) {
    throw new CommandError('FULMAR_CLI_BENCH_LOAD', `fulmar bench needs the load generator, ${basename(file)}: ${problem}. ${advice}`);
  }
  makeExecutable(file);
  return file;
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    try {
      chmodSync(file, 0o755);
    } catch (cause) {
      throw new CommandError('FULMAR_CLI_BENCH_LOAD', `${file} is not executable. Allow it: chmod 755 ${file}`, { cause });
    }
  }
}

/** Puts load on the server for the duration. Throws a `CommandError` when the generator itself fails. */
export async function putLoad(options: LoadOptions): Promise<LoadResult> {
  const child = launch({ command: [options.program, ...toArguments(options)], env: process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('pipes were asked for');
  const timer = setTimeout(() => void endTree(child), options.durationS * MS_PER_S + LOAD_GRACE_MS);
  const ended = new Promise<void>((resolve, reject) => void child.once('error', reject).once('close', () => resolve()));
  try {
    const [output, told] = await Promise.all([text(stdout), text(stderr), ended]);
    if (output === '') throw new Error(told.trim() || `it ended with code ${child.exitCode}`);
    return JSON.parse(output) as LoadResult;
  } catch (cause) {
    throw new CommandError('FULMAR_CLI_BENCH_LOAD', `the load generator failed: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(timer);
    forget(child);
  }
}

function toArguments({ origin, path, question, expect, connections, durationS, allowRemote }: LoadOptions): string[] {
  const body = expect.body === undefined ? [] : ['--expect-body-file', bodyFile(expect.body)];
  return [
    origin,
    `--path=${path}`,
    `--method=${question.method}`,
    ...question.headers.map((line) => `--header=${line}`),
    ...(question.body === undefined ? [] : [`--body=${question.body}`]),
    `--expect-status=${expect.status}`,
    ...body,
    `--connections=${connections}`,
    `--duration=${durationS}`,
    ...(allowRemote ? ['--allow-remote'] : []),
    '--quiet',
  ];
}

function bodyFile(body: Uint8Array): string {
  const file = join(temporaryFolder(), 'expected');
  writeFileSync(file, body);
  return file;
}

/** Replies were wrong: nothing that was measured with them counts. */
export function describeFaults({ errors, status }: LoadResult, expected: number): string | undefined {
  const faults = Object.entries(errors).filter(([kind, count]) => count > 0 && kind !== 'total' && kind !== 'before_measurement');
  if (faults.length === 0) return undefined;
  const parts = faults.map(([kind, count]) => {
    if (kind !== 'wrong_status') return `${count} × ${kind.replaceAll('_', ' ')}`;
    const others = Object.entries(status).filter(([code, replies]) => Number(code) !== expected && replies > 0);
    return `${count} × another status than ${expected} (${others.map(([code, replies]) => `${code}: ${replies}`).join(', ')})`;
  });
  return parts.join(', ');
}

/** Replies were right, but the measurement contradicts itself. */
export function describeDoubt({ partial, requests, little }: LoadResult): string | undefined {
  if (partial) return 'the load ended early';
  if (requests.verified === 0) return 'no reply came in time';
  if (requests.unsent > 0) return `${requests.unsent} requests could not be sent`;
  if ((little?.deviation ?? 0) > LITTLE_DEVIATION_MAX) return 'rate and latency contradict each other (Little’s law)';
  return undefined;
}
