/**
 * Starts one entrant on its core, waits until it answers, ends it. Every process it starts is ended when the
 * harness ends, however it ends. Never measures.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './client.mjs';
import { startOf } from './contestants.mjs';

export const serverCore = 0;
export const loadCore = 1;

const startTimeoutMs = 30_000;
/**
 * A server may listen before what answers is registered (brahma-firelight does) and refuse with a 5xx until
 * then.
 */
const settleTimeoutMs = 5_000;
const pollMs = 10;
const logLimit = 8000;
const descriptors = 20_000;

const living = new Set();
const has = (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
const wrappers = [
  ...(has('setpriv') ? ['setpriv', '--pdeathsig', 'KILL'] : []),
  ...(has('prlimit') ? ['prlimit', `--nofile=${descriptors}:${descriptors}`] : []),
];

/** An error of a contestant: `stage` is `start` or `verify`, `log` what it printed. */
export class ContestantError extends Error {
  constructor(stage, message, log = '') {
    super(message);
    this.stage = stage;
    this.log = `${message}\n${log}`.trim();
  }
}

/**
 * Says that it is there, waits for a line, then becomes the server: what pins and limits it is over before a
 * start is timed.
 */
const holder = ['sh', '-c', 'echo; read -r _; exec "$0" "$@" </dev/null'];

/**
 * `argv` on `core`, with what ends it when its parent ends; with `held`, it waits for a line on its standard
 * input.
 */
export function pinned({ argv, core = serverCore, held = false }) {
  return [...wrappers, 'taskset', '-c', String(core), ...(held ? holder : []), ...argv];
}

/** Spawns `argv` pinned to `core`, in a process group of its own, its output kept for the log. */
export function spawnPinned({ argv, cwd, env, core = serverCore }) {
  const [command, ...args] = pinned({ argv, core });
  const child = spawn(command, args, { cwd, env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const server = { child, pid: child.pid, output: '' };
  const keep = (data) => {
    server.output = (server.output + data).slice(-logLimit);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', (error) => keep(`${error.message}\n`));
  living.add(server);
  server.ended = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      living.delete(server);
      server.end = code ?? signal;
      resolve();
    });
    child.once('error', () => {
      living.delete(server);
      server.end ??= 'not started';
      resolve();
    });
  });
  return server;
}

/** Only this of the harness's environment reaches a contestant: variables that tune a runtime must not. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

function cleanEnvironment() {
  const kept = inherited.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]);
  return { ...Object.fromEntries(kept), NODE_ENV: 'production', HOST: '127.0.0.1' };
}

/**
 * Starts `entrant` for `scenario` and waits until it gives a reply to its first request; for one that is no
 * 5xx, it waits a while longer.
 */
export async function startServer({ entrant, scenario, env }) {
  const port = await freePort();
  const { argv, cwd, env: own } = startOf(entrant, port);
  const server = spawnPinned({ argv, cwd, env: { ...own, ...scenario.env, ...env, SCENARIO: scenario.name, PORT: String(port) } });
  server.port = port;
  const started = Date.now();
  const deadline = started + startTimeoutMs;
  const probe = { ...scenario.requests[0], timeoutMs: startTimeoutMs };
  while (server.end === undefined && Date.now() < deadline) {
    try {
      const { status } = await request(port, probe);
      if (status < 500 || Date.now() - started > settleTimeoutMs) return server;
    } catch {
      // Nobody listens yet.
    }
    await sleep(pollMs);
  }
  const { end } = server;
  await stopServer(server);
  const what = end === undefined ? `did not answer within ${startTimeoutMs / 1000} s` : `ended with ${end} before it answered`;
  throw new ContestantError('start', `${entrant.id}, ${scenario.name}: ${what}`, server.output);
}

/** Ends the whole process group and waits until its first process is gone. */
export async function stopServer(server) {
  killGroup(server);
  await server.ended;
}

function killGroup({ pid, child }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Makes SIGINT and SIGTERM end everything that was started, then the harness with `128 + signal`. */
export function endWithHarness(cleanUp = () => {}) {
  const end = (code) => {
    for (const server of living) killGroup(server);
    cleanUp();
    process.exit(code);
  };
  process.once('SIGINT', () => end(130));
  process.once('SIGTERM', () => end(143));
  process.once('exit', () => {
    for (const server of living) killGroup(server);
  });
}

/**
 * A port for a server that is told which one to take. Below the range from which the system gives ports to
 * everybody who asks for any: in the time until the server listens, nobody else gets it by chance.
 */
export async function freePort() {
  const [from, below] = await fixedPorts();
  for (let attempt = 0; attempt < portAttemptsMax; attempt += 1) {
    const port = from + Math.floor(Math.random() * (below - from));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port from ${from} to ${below - 1} in ${portAttemptsMax} attempts`);
}

const portAttemptsMax = 100;
/** Ports that were given to somebody who may not listen yet. */
const given = new Set();

async function fixedPorts() {
  try {
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const low = Number(range.trim().split(/\s+/)[0]);
    if (low > 12_000) return [10_000, low];
  } catch {
    // Not Linux: the ports below IANA's dynamic range.
  }
  return [10_000, 32_768];
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
