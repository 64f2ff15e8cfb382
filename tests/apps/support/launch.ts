/** Starts an application as a child process, on a free port, under plain node or under `fulmar run`. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const FULMAR = process.env['FULMAR_TEST_BIN'] ?? here('../../../packages/fulmar/bin/fulmar.cjs');
const PROBE = here('engine-probe.cjs');
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 30_000;
const ANSWER_MS_MAX = 30_000;

export type Runner = 'node' | 'fulmar';

export interface Launch {
  readonly runner: Runner;
  /** The application's folder. */
  readonly folder: URL;
  /** The entry, from the folder: the same for each runner, or what each of them runs. */
  readonly file: string;
  /** Options of Node, before the file. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What the process said about itself. */
export interface Engine {
  /** Is the addon loaded? It is when a server of ours listens. */
  readonly engine: boolean;
  readonly express: 'fulmar/express' | 'fulmar/express4' | 'express' | 'none';
  readonly koa: 'fulmar/koa' | 'fulmar/koa2' | 'koa' | 'none';
}

export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Running {
  readonly port: number;
  /** What it printed, stream by stream, line by line. */
  readonly lines: { readonly out: readonly string[]; readonly err: readonly string[] };
  engine(): Promise<Engine>;
  /** Sends it a signal and waits for nothing. */
  kill(signal: NodeJS.Signals): void;
  /** How it ended, once both streams are read to their end. */
  readonly ended: Promise<End>;
  /** Ends it with SIGTERM, unless it has ended, and tells how it ended. */
  stop(): Promise<End>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves when the application has printed `listening on …<port>`. */
export async function launch({ runner, folder, file, flags = [], env = {} }: Launch): Promise<Running> {
  if (runner === 'fulmar' && !existsSync(FULMAR)) throw new Error(`the command is missing: ${FULMAR}`);
  // An option of Node makes `fulmar run` start itself again: the probe is for the second process alone.
  const words = flags.length === 0 ? [file] : ['--require', PROBE, ...flags, file];
  const child = spawn(process.execPath, runner === 'node' ? words : [FULMAR, 'run', ...words], {
    cwd: fileURLToPath(folder),
    env: { ...cleanEnvironment(), PORT: '0', NODE_OPTIONS: flags.length === 0 ? `--require ${JSON.stringify(PROBE)}` : '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  const ended = once(child, 'close').then(([code, signal]): End => ({ code, signal }));
  void ended.then(() => running.delete(child));
  const lines = { out: [] as string[], err: [] as string[] };
  const port = await listening(child, ended, lines);
  return {
    port,
    lines,
    engine: () => ask(child, ended),
    kill: (signal) => void child.kill(signal),
    ended,
    stop: () => stop(child, ended),
  };
}

function listening(child: ChildProcess, ended: Promise<End>, lines: { out: string[]; err: string[] }): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`the application ${why}; it printed:\n${[...lines.out, ...lines.err].join('\n')}`));
    };
    const late = setTimeout(() => fail(`did not listen in ${START_MS_MAX} ms`), START_MS_MAX);
    void ended.then(({ code, signal }) => {
      clearTimeout(late);
      fail(`ended with ${code ?? signal} before it listened`);
    });
    for (const name of ['out', 'err'] as const) {
      const stream = child[`std${name}`];
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines[name].push(line);
        const port = /^listening on .*?(\d+)\/?$/.exec(line)?.[1];
        if (port === undefined) return;
        clearTimeout(late);
        resolve(Number(port));
      });
    }
  });
}

async function ask(child: ChildProcess, ended: Promise<End>): Promise<Engine> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send('what runs here?');
  const [said] = (await Promise.race([answer, ended.then(() => Promise.reject(new Error('the application has ended')))])) as [Engine];
  return said;
}

async function stop(child: ChildProcess, ended: Promise<End>): Promise<End> {
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const end = await ended;
  clearTimeout(late);
  return end;
}

/** What the test runner and its user set would change how applications behave. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _env, NODE_TEST_CONTEXT: _context, NODE_V8_COVERAGE: _coverage, FORCE_COLOR: _color, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1', TZ: 'UTC', LANG: 'C.UTF-8' };
}
