/**
 * The processes and files of a run, and their end: whatever happens to this process, none of them stays
 * behind.
 *
 * A child leads a session of its own, so that its descendants are found even when their parents are gone.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROC_POLL_MS, STOP_GRACE_MS } from './limits.ts';
import { treeOf } from './processes.ts';
import { makeTemporaryFolder } from '../temporary.ts';

const children = new Set<ChildProcess>();
let folder: string | undefined;

/** Exit codes of shells: 128 + the number of the signal. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** From here on signals end this process together with its children. */
export function installCleanUp(): void {
  process.once('exit', cleanUp);
  for (const [signal, code] of Object.entries(signalCodes)) process.once(signal, () => process.exit(code));
}

function cleanUp(): void {
  for (const child of children) if (child.pid !== undefined) signalTree(child.pid, 'SIGKILL');
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** A folder that vanishes with this process. */
export function temporaryFolder(): string {
  folder ??= makeTemporaryFolder('bench');
  return folder;
}

export interface Launch {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
}

export function launch({ command, env, stdio }: Launch): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio, detached: true });
  children.add(child);
  return child;
}

/** Nothing of it is left: no need to look for it at the end. */
export function forget(child: ChildProcess): void {
  children.delete(child);
}

/** Asks the child and its descendants to end, and ends them after a while. */
export async function endTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid !== undefined) {
    signalTree(pid, 'SIGTERM');
    if (!(await isGone(pid, STOP_GRACE_MS))) {
      signalTree(pid, 'SIGKILL');
      await isGone(pid, STOP_GRACE_MS);
    }
  }
  forget(child);
}

async function isGone(pid: number, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (treeOf([pid]).length > 0) {
    if (performance.now() > end) return false;
    await sleep(PROC_POLL_MS);
  }
  return true;
}

function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const { pid } of treeOf([root])) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
