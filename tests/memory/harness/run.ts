/**
 * One run: the application in a process of its own, thirty-two clients against it, and what both found. A
 * process that ends on its own is a finding, with its signal. Then the search for the fewest mutations that
 * still fail.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import { CLIENTS, type Layer, type Mutation, mutationsOf, type RunPlan } from './plan.ts';

const REQUESTS = 12;
const START_MAX_MS = 30_000;
const RUN_MAX_MS = process.env['MEMORY_FUZZ_UNDER'] === undefined ? 60_000 : 600_000;
const SHOWN_MAX = 6;
const REPORT_MAX = 3000;

export interface Outcome {
  readonly run: RunPlan;
  readonly findings: readonly string[];
  readonly replies: number;
  readonly brokenOff: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface Report {
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** How the application is started; the run is in its environment. */
export interface Host {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The Node under test, `MEMORY_FUZZ_UNDER` puts a checker such as valgrind in front of it; or the executable
 * that was made of the application.
 */
export function hostUnderTest(): Host {
  const executable = process.env['MEMORY_FUZZ_EXECUTABLE'];
  if (executable !== undefined) return { name: 'the native host', command: executable, args: [] };
  const node = process.env['FULMAR_TEST_NODE'] ?? process.execPath;
  const args = ['--expose-gc', '--import', file('../../../scripts/ts-register.mjs'), file('../app/main.ts')];
  const under = (process.env['MEMORY_FUZZ_UNDER'] ?? '').split(' ').filter((word) => word !== '');
  const words = [...under, node];
  return { name: 'Node', command: words[0]!, args: [...words.slice(1), ...args] };
}

export function planRun(seed: number, layer: Layer): RunPlan {
  const only = process.env['MEMORY_FUZZ_ONLY']?.split(',') as Mutation[] | undefined;
  return { seed, layer, mutations: only ?? mutationsOf(seed), requests: Number(process.env['MEMORY_FUZZ_REQUESTS'] ?? REQUESTS) };
}

export async function runOnce(host: Host, run: RunPlan): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = { ...process.env, MEMORY_FUZZ_RUN: JSON.stringify(run) };
  delete env['NODE_TEST_CONTEXT'];
  const child = spawn(host.command, host.args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MAX_MS);
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += String(bytes)));
  try {
    const port = await portOf(child);
    if (port === 0) return failed(run, `the application did not start: ${output}`);
    const clients = Array.from({ length: CLIENTS }, (_, client) => new Client(run, port, client));
    await Promise.all(clients.map((client) => client.live()));
    const report = await lastWord(port);
    const findings = [...clients.flatMap((client) => client.findings), ...(report?.findings ?? [])];
    if (report === undefined) {
      child.kill('SIGABRT'); // Has no effect on one that ended; what hangs ends by it.
      const [code, signal] = await ended;
      findings.unshift(`the application ended: code ${code}, signal ${signal}\n${output.slice(0, REPORT_MAX)}`);
    }
    const sum = (of: (client: Client) => number): number => clients.reduce((total, client) => total + of(client), 0);
    return { run, findings, replies: sum((one) => one.replies), brokenOff: sum((one) => one.brokenOff), counts: report?.counts ?? {} };
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  }
}

function failed(run: RunPlan, what: string): Outcome {
  return { run, findings: [what], replies: 0, brokenOff: 0, counts: {} };
}

/** The port that the application prints; 0 when it ends before. */
function portOf(child: ChildProcess): Promise<number> {
  let text = '';
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(0), START_MAX_MS);
    const done = (port: number): void => {
      clearTimeout(timer);
      resolve(port);
    };
    child.stdout!.on('data', (bytes: Buffer) => {
      text += String(bytes);
      const port = /PORT (\d+)/.exec(text)?.[1];
      if (port !== undefined) done(Number(port));
    });
    child.once('close', () => done(0));
  });
}

/** Asks for what the application found; undefined when it is gone. */
function lastWord(port: number): Promise<Report | undefined> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/end', agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const isReport = reply.statusCode === 200;
      reply.once('end', () => resolve(isReport ? (JSON.parse(text) as Report) : { findings: [text], counts: {} }));
      reply.once('error', () => resolve(undefined));
    });
    request.once('error', () => resolve(undefined));
    request.setTimeout(START_MAX_MS, () => request.destroy());
  });
}

/** Leaves mutations out as long as a run still fails. */
export async function shrink(host: Host, outcome: Outcome): Promise<Outcome> {
  let smallest = outcome;
  for (let size = Math.ceil(outcome.run.mutations.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.run.mutations.length;) {
      const mutations = smallest.run.mutations.toSpliced(at, size);
      const tried = await runOnce(host, { ...smallest.run, mutations });
      if (tried.findings.length > 0) smallest = tried;
      else at += size;
    }
  }
  return smallest;
}

/** What a failed test says: how to run it again, and what was found. */
export function describe(host: Host, { run, findings }: Outcome): string {
  const again = `MEMORY_FUZZ_SEED=${run.seed} MEMORY_FUZZ_SEEDS=1 MEMORY_FUZZ_ONLY=${run.mutations.join(',')}`;
  const shown = findings.slice(0, SHOWN_MAX).join('\n');
  return `${host.name}, ${run.layer}, seed ${run.seed}, mutations: ${run.mutations.join(', ')}\nagain: ${again}\n${shown}`;
}
