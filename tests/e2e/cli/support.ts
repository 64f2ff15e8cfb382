/** Starts `fulmar run` as a user does: a real process, real files, a port that the application prints. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The Node under test. */
export const nodeBinary = process.env['FULMAR_TEST_NODE'] ?? process.execPath;
export const fulmarBin = process.env['FULMAR_TEST_BIN'] ?? join(root, 'packages/fulmar/bin/fulmar.cjs');
/** Our bundles, as an application that is run sees them. */
export const dist = resolve(dirname(fulmarBin), '../dist');

/** Does the Node under test have `module.registerHooks` (22.15 and later)? */
export const hasSyncHooks =
  execFileSync(nodeBinary, ['-p', 'typeof require("node:module").registerHooks'], { encoding: 'utf8' }).trim() === 'function';

/** A child that says nothing for this long has failed. */
const PATIENCE_MS = 20_000;

export type Files = Readonly<Record<string, string>>;

const folders: string[] = [];
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Writes `files` (relative path → text) into a new folder and returns its real path. */
export function writeProject(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-run-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) addFile(folder, name, text);
  return folder;
}

export function addFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Waits until the child's output (both streams) matches. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  /** The number after the first `PORT `. */
  port(): Promise<number>;
  ended: Promise<Ended>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** Run `node` with the arguments instead of `fulmar`. */
  plain?: boolean;
  /** Run this program with the arguments instead. */
  program?: string;
  /** Instead of what is usual, for a child that measures. */
  patienceMs?: number;
}

export function start(
  cwd: string,
  args: readonly string[],
  { env = {}, plain = false, program = nodeBinary, patienceMs = PATIENCE_MS }: StartOptions = {},
): Running {
  const child = spawn(program, plain || program !== nodeBinary ? args : [fulmarBin, ...args], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((done) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      done({ code, signal, ...output });
    });
  });
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((found, failed) => {
      const look = (): void => {
        const match = pattern.exec(output.stdout + output.stderr);
        if (match === null) return;
        watchers.delete(look);
        found(match);
      };
      watchers.add(look);
      look();
      void ended.then(() => failed(new Error(`ended without ${pattern}:\n${output.stdout}${output.stderr}`)));
    });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    seen,
    port: async () => Number((await seen(/PORT (\d+)/))[1]),
    ended,
  };
}

/** `fulmar <args>` to its end. */
export function fulmar(cwd: string, args: readonly string[], options?: StartOptions): Promise<Ended> {
  return start(cwd, args, options).ended;
}

/** A port that nobody listens on, for processes that share one. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

/** What the test runner sets would change how children behave. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, NODE_V8_COVERAGE: _coverage, FORCE_COLOR: _color, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}

/** The content of a reply; rejects on any error. */
export function fetchText(port: number, path = '/'): Promise<string> {
  return new Promise((done, failed) => {
    httpGet({ port, path, host: '127.0.0.1', agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.once('end', () => done(text)).once('error', failed);
    }).once('error', failed);
  });
}
