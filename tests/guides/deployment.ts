/**
 * The project of docs/guide/deploy.md as the page has it installed, and its processes: started, asked, ended
 * as a deployment does.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeBinary } from '../e2e/cli/support.ts';
import { packed } from '../packages/support/packed.ts';
import { readGuide, writeFiles } from './parse.ts';
import { freePort } from '../../packages/cli/src/free-port.ts';
import type { Machine } from './dockerfile.ts';

export const guide = readGuide('deploy.md');
/** A process must listen, and a drained one must have ended, within this. */
export const PATIENCE_MS = 20_000;

export interface Project {
  /** All of it is removed at the end. */
  readonly home: string;
  /** With the page's files, and what its command installs. */
  readonly context: string;
  readonly machine: Machine;
}

export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly ended: Promise<unknown[]>;
}

const running = new Map<ChildProcess, Promise<unknown>>();

/** Declares what the tests of a file need before and after them. */
export function deployment(): Project {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-deploy-')));
  const context = join(home, 'hello');
  const machine: Machine = { path: join(home, 'bin'), node: nodeBinary };
  before(() => {
    mkdirSync(context);
    mkdirSync(machine.path);
    symlinkSync(nodeBinary, join(machine.path, 'node'));
    writeFiles(guide, context);
    mkdirSync(join(context, 'vendor'));
    for (const tarball of packed().tarballs.values()) copyFileSync(tarball, join(context, 'vendor', basename(tarball)));
    execFileSync('sh', ['-ec', guide.command('install')], { cwd: context, stdio: 'pipe' });
  });
  after(async () => {
    await Promise.all([...running].map(([child, ended]) => endLeftOver(child, ended)));
    rmSync(home, { recursive: true, force: true });
  });
  return { home, context, machine };
}

/** Starts it as a container runtime does: no shell between, nothing of this process's options. */
export async function start({ machine }: Project, { command, cwd, env }: Program): Promise<Service> {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const own = { PATH: `${machine.path}:${PATH}`, HOME, PORT: String(port), ...env };
  return watch(spawn(command[0] ?? '', command.slice(1), { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] }), port);
}

/** Waits until `child` answers on `port`; it is ended with the tests. */
export async function watch(child: ChildProcess, port: number): Promise<Service> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').finally(() => running.delete(child));
  running.set(child, ended);
  const url = `http://127.0.0.1:${port}`;
  await until(`${child.spawnargs.join(' ')} listens`, async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it has ended:\n${output}`);
    return isReady(url);
  });
  return { child, url, port, ended };
}

/** After a test that has failed. On SIGTERM it takes its own children with it. */
async function endLeftOver(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
  child.kill('SIGKILL');
}

/** Asks `isSo` again and again; fails when that takes too long. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `${what}: not within ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}

/**
 * A reply that has begun at SIGTERM is completed; then the process ends with 0. `url`: by which it is asked.
 */
export async function drains({ child, url, ended }: Service, front = url): Promise<void> {
  const slow = await fetch(`${front}/slow`);
  child.kill('SIGTERM');
  assert.equal(await slow.text(), 'working, done');
  const slowest = sleep(PATIENCE_MS, 'still there', { ref: false });
  assert.deepEqual(await Promise.race([ended, slowest]), [0, null]);
  await assert.rejects(fetch(url));
}

/**
 * Asks by several clients at a time, one request after the other, each over a connection of its own, while
 * `work` is done.
 */
export async function underLoad(url: string, work: () => Promise<void>): Promise<void> {
  const CLIENTS = 4;
  let isDone: boolean = false;
  let replies = 0;
  const client = async (): Promise<void> => {
    while (!isDone) {
      const reply = await fetch(url, { headers: { connection: 'close' } });
      const content = await reply.text();
      assert.equal(reply.status, 200, content);
      replies += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  // What is wrong with `work` tells more than what comes of it.
  clients.catch(() => undefined);
  try {
    await Promise.race([work(), clients]);
  } finally {
    isDone = true;
  }
  await clients;
  assert.ok(replies > 0);
}

export const workersOf = ({ pid }: Pick<ChildProcess, 'pid'>): string[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
