/** A server as a child process: started, waited for, looked at, ended. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import type { Ran, RunOptions } from './server.ts';

const START_MS_MAX = 90_000;
const STOP_MS_MAX = 40_000;
const PAUSE_MS = 20;
/** What a command of a client may print. */
const OUTPUT_BYTES_MAX = 50_000_000;
const PRINTED_CHARACTERS_MAX = 20_000;
const PRINTED_IN_ERROR_MAX = 2_000;

export interface Started {
  readonly child: ChildProcess;
  /** From the start of the process to its first good answer. */
  readonly startMs: number;
  /** The last that it printed. */
  readonly printed: () => string;
}

export interface Start {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** The target that is asked until it is answered. */
  readonly ready: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** What the tests' runner and its user set would change how servers behave. */
export function cleanEnvironment(): Record<string, string> {
  const dropped = /^(?:NODE_|npm_|FORCE_COLOR|CI$|FULMAR_|PORT$|HOST$)/;
  const kept = Object.entries(process.env).filter(([name, value]) => !dropped.test(name) && value !== undefined);
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: '1', TZ: 'UTC', LANG: 'C.UTF-8' };
}

export async function start({ command, cwd, env, port, ready }: Start): Promise<Started> {
  const [file = '', ...args] = command;
  const began = process.hrtime.bigint();
  const child = spawn(file, args, { cwd, env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-PRINTED_CHARACTERS_MAX)));
  }
  child.once('close', () => running.delete(child));
  while (!(await answers(port, ready))) {
    const waited = Number(process.hrtime.bigint() - began) / 1e6;
    if (child.exitCode !== null || child.signalCode !== null || waited > START_MS_MAX) {
      child.kill('SIGKILL');
      throw new Error(
        `${command.join(' ')} did not start (${child.exitCode ?? child.signalCode ?? 'no answer'}); it printed:\n${printed.slice(-PRINTED_IN_ERROR_MAX)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { child, startMs: Number(process.hrtime.bigint() - began) / 1e6, printed: () => printed };
}

function answers(port: number, target: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: target, agent: false }, (response) => {
      response.resume().once('close', () => resolve((response.statusCode ?? 500) < 500));
    });
    request.once('error', () => resolve(false));
  });
}

/** Ends it with SIGTERM; `false` when it had to be killed. */
export async function stop(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const family = processTree(child.pid ?? 0);
  let isKilled = false;
  const late = setTimeout(() => {
    isKilled = true;
    for (const pid of family) tryKill(pid);
  }, STOP_MS_MAX);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
  for (const pid of family) tryKill(pid);
  return !isKilled;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Resident memory of the process and all its children, MiB; 0 where the system does not tell. */
export function residentMiB(child: ChildProcess): number {
  let kib = 0;
  for (const pid of processTree(child.pid ?? 0)) kib += Number(/VmRSS:\s+(\d+) kB/.exec(procFile(pid, 'status'))?.[1] ?? 0);
  return kib / 1024;
}

/** Is our engine loaded in one of its processes? `undefined` where the system does not tell. */
export function hasEngine(child: ChildProcess): boolean | undefined {
  const maps = processTree(child.pid ?? 0).map((pid) => procFile(pid, 'maps'));
  return maps.every((text) => text === '') ? undefined : maps.some((text) => /fulmar\.[\w-]+\.node/.test(text));
}

function processTree(pid: number): number[] {
  const found = [pid];
  for (const parent of found) {
    for (const task of procTasks(parent)) {
      found.push(...procFile(parent, `task/${task}/children`).split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

function procTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Runs a client's command to its end, whatever its end is. */
export function runCommand(command: string, args: readonly string[], { env = {}, cwd }: RunOptions): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...cleanEnvironment(), ...env }, maxBuffer: OUTPUT_BYTES_MAX };
    execFile(command, [...args], options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out: String(out), err: String(err) });
    });
  });
}
