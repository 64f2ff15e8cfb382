/**
 * Runs the commands of a guide as a user's shell does: with the Node under test, and with nothing that the
 * test runner has set.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { missingLine } from './parse.ts';

/**
 * A command that has not ended, and a server that has not printed what it shall, has failed. Installations on
 * a busy machine take half of it.
 */
const PATIENCE_MS = 120_000;
/** What has ended may have printed something that is still to be read. */
const LAST_WORDS_MS = 2_000;
/** How long a server may take to end, which is not asked to wait for anybody. */
const STOP_MS_MAX = 15_000;

const nodeBinary = process.env['FULMAR_TEST_NODE'] ?? process.execPath;

let nodeFolder: string | undefined;

/** Where commands run. */
export interface Place {
  readonly folder: string;
  /** What is not installed is fetched from the registry that npm is set to; else it is an error. */
  readonly isOnline?: boolean;
}

/** What the runner or its user has set; how the registry is reached is left where it may be. */
const notInherited = /^(?:NODE_|FULMAR_|npm_|FORCE_COLOR$|PORT$|CI$|INIT_CWD$)/;
const reachesRegistry = /^(?:NODE_EXTRA_CA_CERTS|npm_config_registry)$/;

function environment({ folder, isOnline = false }: Place): NodeJS.ProcessEnv {
  if (nodeFolder === undefined) {
    const made = (nodeFolder = mkdtempSync(join(tmpdir(), 'fulmar-node-')));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    symlinkSync(nodeBinary, join(made, 'node'));
  }
  const own = Object.entries(process.env).filter(([name]) => !notInherited.test(name) || (isOnline && reachesRegistry.test(name)));
  return {
    ...Object.fromEntries(own),
    PATH: [nodeFolder, process.env['PATH']].join(delimiter),
    NO_COLOR: '1',
    npm_config_offline: String(!isOnline),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    // What built files unpack, and compiled code: removed with the folder.
    XDG_CACHE_HOME: join(folder, '.cache'),
    // Its daemon is this folder's, and ends with it.
    PM2_HOME: join(folder, '.pm2'),
  };
}

interface Shell {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly onOutput: (watch: () => void) => void;
  readonly ended: Promise<string>;
}

function start(place: Place, command: string): Shell {
  // Through one pipe, so that lines of both streams are in the order in which they were printed.
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', `exec 2>&1\n${command}`], {
    cwd: place.folder,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that all of it can be ended.
    detached: true,
  });
  const end = (): void => signal(child, 'SIGKILL');
  process.once('exit', end);
  let text = '';
  const watches: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (const watch of watches) watch();
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, name) => {
      const done = (): void => {
        process.off('exit', end);
        resolve(String(code ?? name));
      };
      // What it has printed is all there then; a daemon that it leaves behind may hold the pipe.
      child.once('close', done);
      setTimeout(done, LAST_WORDS_MS).unref();
    });
  });
  return { child, output: () => text, onOutput: (watch) => void watches.push(watch), ended };
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // All of it has ended.
  }
}

/** Runs `command` to its end, which must be 0; returns what it has printed. */
export async function runCommand(place: Place, command: string): Promise<string> {
  const shell = start(place, command);
  const late = setTimeout(() => signal(shell.child, 'SIGKILL'), PATIENCE_MS);
  const code = await shell.ended;
  clearTimeout(late);
  if (code !== '0') throw new Error(`${command}\nended with ${code}; it printed:\n${shell.output()}`);
  return shell.output();
}

/** Starts `command` and waits until it has printed `lines`; returns what ends it. */
export async function startServer(place: Place, command: string, lines: readonly string[]): Promise<() => Promise<void>> {
  const shell = start(place, command);
  const printed = new Promise<string | undefined>((resolve) => {
    const look = (): void => {
      if (missingLine(lines, shell.output()) === undefined) resolve(undefined);
    };
    shell.onOutput(look);
    look();
    setTimeout(() => resolve('has not printed what it shall'), PATIENCE_MS).unref();
    void shell.ended.then((code) => resolve(`ended with ${code}`));
  });
  const problem = await printed;
  if (problem !== undefined) {
    signal(shell.child, 'SIGKILL');
    throw new Error(`${command}\n${problem}; it printed:\n${shell.output()}`);
  }
  return async () => {
    const late = setTimeout(() => signal(shell.child, 'SIGKILL'), STOP_MS_MAX);
    signal(shell.child, 'SIGTERM');
    const code = await shell.ended;
    clearTimeout(late);
    if (code === 'SIGKILL') throw new Error(`${command}\ndid not end on SIGTERM; it printed:\n${shell.output()}`);
  };
}

/** Ends the daemon of pm2 that a section has started and, having failed, not ended; it ends what it runs. */
export function endDaemon(folder: string): void {
  const file = join(folder, '.pm2', 'pm2.pid');
  if (!existsSync(file)) return;
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It has ended.
  }
}
