/**
 * The load generators that `validate-load.mjs` compares, and the servers they are compared on. Knows command
 * lines and outputs; decides nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cargoBuild } from '../../scripts/lib/addon.mjs';
import { firstLine } from '../../scripts/lib/run.mjs';
import { generator } from './load.mjs';
import { cpuBetween, readCpu } from './proc.mjs';
import { commandFor } from './runtimes.mjs';
import { loadCore, spawnPinned } from './server.mjs';

const sampleMs = 100;
const startPolls = 1000;
const pollMs = 10;
const deadlineError = 'aborted due to deadline';
const unitsUs = { us: 1, ms: 1000, s: 1e6, m: 60e6 };

const oha = process.env.OHA ?? 'oha';
const bareServer = `require('node:http').createServer((req, res) => res.end('Hello, World!'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** Servers by name: the command, which prints its port, and the content of its replies. */
export const targets = {
  floor: { argv: floorCommand, body: '{"message":"Hello, World!"}' },
  node_http: { argv: () => [...commandFor('node26', '-e'), bareServer], body: 'Hello, World!' },
};

async function floorCommand() {
  const artifacts = await cargoBuild(['-p', 'fulmar-engine', '--example', 'floor']);
  return [artifacts.find(({ target, executable }) => target.name === 'floor' && executable).executable, '0'];
}

/** Starts a target; resolves when it has printed its port. */
export async function startTarget(name) {
  const { argv, body } = targets[name];
  const server = spawnPinned({ argv: await argv() });
  for (let poll = 0; poll < startPolls && !server.output.includes('\n') && server.end === undefined; poll += 1) await sleep(pollMs);
  const port = Number.parseInt(server.output, 10);
  if (!(port > 0)) throw new Error(`${name} did not start: ${server.output || server.end}`);
  return Object.assign(server, { url: `http://127.0.0.1:${port}/`, body });
}

/**
 * Generators by name: `argv(server, load)` with `load` `{ connections, durationS, rate?, rampS?, warmS? }`,
 * `read(output)` → its result.
 */
export const tools = {
  wrk: {
    install: 'apt-get install wrk',
    // It prints its version and fails.
    version: () => firstLine('sh', ['-c', 'command -v wrk >&2 && { wrk --version || true; }'])?.split(' ')[1],
    argv: ({ url }, { connections, durationS }) => ['wrk', '-t1', `-c${connections}`, `-d${durationS}s`, '--latency', url],
    read: readWrk,
  },
  oha: {
    install: 'cargo install oha --locked',
    version: () => firstLine(oha, ['--version'])?.split(' ')[1],
    argv: ({ url }, { connections, durationS, rate }) => {
      const pace = rate === undefined ? [] : ['-q', String(rate), '--latency-correction'];
      return [oha, '--no-tui', '--output-format', 'json', '-c', String(connections), '-z', `${durationS}s`, ...pace, url];
    },
    read: readOha,
  },
  'fulmar-load': {
    version: () => 'this commit',
    argv: async ({ url, body }, { connections, durationS, rate, rampS, warmS }) => {
      const options = Object.entries({ '--rate': rate, '--ramp': rampS, '--warm-up': warmS }).filter(([, value]) => value !== undefined);
      const common = ['-c', String(connections), '-d', String(durationS), '--expect-body', body, '--quiet'];
      return [await generator(), url, ...common, ...options.flat().map(String)];
    },
    read: readOwn,
  },
};

/** Tools that are installed, and those that are not with the command that installs them. */
export function findTools() {
  const found = Object.entries(tools).map(([name, { install, version }]) => ({ tool: name, install, version: version() }));
  return { installed: found.filter(({ version }) => version), leftOut: found.filter(({ version }) => !version) };
}

function readWrk(output) {
  const faults = /Socket errors:.*|Non-2xx.*/.exec(output);
  if (faults !== null) throw new Error(`wrk: ${faults[0]}`);
  const quantile = (percent) => {
    const [, value, unit] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s|m)$`, 'm').exec(output);
    return Number(value) * unitsUs[unit];
  };
  const replies = Number(/(\d+) requests in/.exec(output)[1]);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]);
  return { rate, replies, latency: { p50: quantile(50), p90: quantile(90), p99: quantile(99) } };
}

function readOha(output) {
  const { summary, latencyPercentiles: at, statusCodeDistribution: status, errorDistribution } = JSON.parse(output);
  const faults = Object.keys(errorDistribution).filter((error) => error !== deadlineError);
  const others = Object.keys(status).filter((code) => code !== '200');
  if (faults.length + others.length > 0) throw new Error(`oha: ${[...faults, ...others].join(', ')}`);
  const replies = status['200'] ?? 0;
  return { rate: replies / summary.total, replies, latency: { p50: at.p50 * 1e6, p90: at.p90 * 1e6, p99: at.p99 * 1e6 } };
}

function readOwn(output) {
  const result = JSON.parse(output);
  return { rate: result.rate, replies: result.requests.answered, latency: result.latency_us, result };
}

/**
 * Runs a tool on its core; its result with the server's CPU µs per reply and how often the tool slept per
 * reply.
 */
export async function runTool(name, { server, load, onStart = () => {} }) {
  const argv = await tools[name].argv(server, load);
  const before = readCpu(server.pid);
  const child = spawn('taskset', ['-c', String(loadCore), ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  const started = performance.now();
  let output = '';
  let sleeps = { count: 0, ms: Infinity };
  child.stdout.on('data', (data) => (output += data));
  const timer = setInterval(() => {
    const count = sleepsOf(child.pid);
    if (count !== undefined) sleeps = { count, ms: performance.now() - started };
  }, sampleMs);
  try {
    const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    await onStart();
    const code = await ended;
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  } finally {
    clearInterval(timer);
    child.kill('SIGKILL');
  }
  const read = tools[name].read(output);
  const serverUs = cpuBetween(before, readCpu(server.pid)).total / read.replies;
  return { ...read, server_us: serverUs, sleeps_per_reply: (sleeps.count / sleeps.ms) * (1000 / read.rate) };
}

/** Voluntary context switches of all threads so far; undefined when the process is gone. */
function sleepsOf(pid) {
  try {
    const files = readdirSync(`/proc/${pid}/task`).map((task) => readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'));
    return files.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)[1]), 0);
  } catch {
    return undefined;
  }
}

/** The tools need Linux's `taskset`. */
export function checkSystem() {
  if (spawnSync('taskset', ['--version']).status !== 0) throw new Error('taskset is missing: apt-get install util-linux');
}
