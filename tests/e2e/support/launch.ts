/**
 * Starts an example application as a child process, on a free port, under plain node or under `fulmar run`.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const FULMAR = here('../../../packages/fulmar/bin/fulmar.cjs');
/** A model that is trained first takes its time on a busy machine. */
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;

export type Runner = 'node' | 'fulmar';

export interface Running {
  readonly port: number;
  /** What it printed, both streams, line by line. */
  readonly lines: readonly string[];
  /** Ends it with SIGTERM and tells how it ended. */
  stop(): Promise<{ code: number | null; signal: string | null }>;
}

/** `example` is the name of a folder of `examples`. */
export async function launch(runner: Runner, example: string): Promise<Running> {
  if (runner === 'fulmar' && !existsSync(FULMAR)) throw new Error(`the command is missing: ${FULMAR}`);
  return launchFile(runner === 'node' ? ['server.js'] : [FULMAR, 'run', 'server.js'], { cwd: here(`../../../examples/${example}`) });
}

export interface LaunchOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts `node <args>`, which is one of the examples in some form. */
export async function launchFile(args: readonly string[], { cwd, env }: LaunchOptions): Promise<Running> {
  return launchProgram(process.execPath, args, { cwd, env: { ...process.env, ...env, NODE_OPTIONS: '' } });
}

/**
 * Starts a program that is one of the examples. `env` is all that it gets, besides what the examples ask for.
 */
export async function launchProgram(
  program: string,
  args: readonly string[],
  { cwd, env, uid }: LaunchOptions & { readonly uid?: number },
): Promise<Running> {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PORT: '0', SESSION_SECRET: 'a secret of the tests', LOG_FORMAT: 'tiny' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const lines: string[] = [];
  const port = await listening(child, lines);
  return { port, lines, stop: () => stop(child) };
}

function listening(child: ChildProcess, lines: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`the example ${why}; it printed:\n${lines.join('\n')}`));
    };
    const late = setTimeout(() => fail(`did not listen in ${START_MS_MAX} ms`), START_MS_MAX);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      fail(`ended with ${code ?? signal}`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const port = /^(?:listening|fulmar: (?:listening|serving .+)) on http:\/\/localhost:(\d+)(?:;|$)/.exec(line)?.[1];
        if (port === undefined) return;
        clearTimeout(late);
        child.removeAllListeners('exit');
        resolve(Number(port));
      });
    }
  });
}

async function stop(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode === null && child.signalCode === null) {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    child.kill('SIGTERM');
    await once(child, 'exit');
    clearTimeout(late);
  }
  return { code: child.exitCode, signal: child.signalCode };
}
