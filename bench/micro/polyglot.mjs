/**
 * What a call into Python costs a server, beside the other ways to Python.
 *   node bench/micro/polyglot.mjs [--only <part>]… [--rounds <n>] [--seconds <n>] [--node <program>] [--json <file>]
 * Parts: `predict` (POST of a small JSON body, answered by a function of Python's: in the process, by a child for each call,
 * by a child that stays and speaks lines of JSON, by FastAPI on uvicorn), `empty` (a route that calls a function of
 * Python's which does nothing, beside one that does not), `bytes` (1 MB to numpy and back), `saturated` (latency of a plain
 * route while Python computes all the time, on two cores).
 *
 * The server and its Python have core 0, the load generator core 1; in `saturated` Python has core 1, and the others core 0. Servers run in turns; medians of the
 * rounds; each reply is compared. Needs the packages of scripts/lib/python-packages.mjs.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installPythonPackages, pythonOfTests } from '../../scripts/lib/python-packages.mjs';
import { firstLine, root } from '../../scripts/lib/run.mjs';
import { request } from '../harness/client.mjs';
import { load, problemOf, requestsFile } from '../harness/load.mjs';
import { describeCommit, describeMachine } from '../harness/machine.mjs';
import { cpuBetween, readCpu } from '../harness/proc.mjs';
import { binaryOf } from '../harness/runtimes.mjs';
import { endWithHarness, freePort, spawnPinned, stopServer } from '../harness/server.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['predict', 'empty', 'bytes', 'saturated'] },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    node: { type: 'string', default: binaryOf('node26') },
    json: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const CONNECTIONS = 32;
const START_MS_MAX = 30_000;
const POLL_MS = 20;
const MICROSECONDS = 1e6;
const here = join(root, 'bench', 'micro', 'polyglot');

await installPythonPackages();
const python = pythonOfTests();
if (python === undefined) throw new Error('the packages of Python cannot be installed: node scripts/lib/python-packages.mjs says why');

const folder = mkdtempSync(join(tmpdir(), 'fulmar-polyglot-'));
const features = [1, 2, 3, 4];
const predicted = JSON.parse(
  execFileSync(python, ['-c', `import json, model; print(json.dumps(model.predict(${JSON.stringify(features)})))`], {
    cwd: here,
    encoding: 'utf8',
  }),
);

const post = (path) => ({
  method: 'POST',
  path,
  headers: ['content-type: application/json'],
  body: JSON.stringify({ features }),
  expect: { status: 200, body: JSON.stringify(predicted) },
});
const plain = (path) => ({ path, expect: { status: 200, body: 'nothing' } });

const ours = (way) => ({ argv: [values.node, join(here, 'server.mjs')], env: { WAY: way, FULMAR_PYTHON: python }, path: '/predict' });
const fastapi = (path) => ({
  argv: [python, '-m', 'uvicorn', 'fastapi_app:app', '--host', '127.0.0.1', '--log-level', 'error', '--no-access-log', '--port'],
  hasPort: true,
  path,
});
const ways = {
  'in the process': ours('inProcess'),
  'a child for each call': ours('childPerCall'),
  'a child that stays': ours('childLines'),
  'FastAPI, def': fastapi('/predict'),
  'FastAPI, async def': fastapi('/predict-async'),
};

async function start({ argv, env = {}, hasPort = false, core }, probe) {
  const port = await freePort();
  const server = spawnPinned({ argv: hasPort ? [...argv, String(port)] : argv, cwd: here, env: { ...env, PORT: String(port) }, core });
  server.port = port;
  const end = Date.now() + START_MS_MAX;
  while (Date.now() < end && server.end === undefined) {
    try {
      const { status } = await request(port, probe);
      if (status === 200) return server;
      throw Object.assign(new Error(`it answered ${status}`), { isFinal: true });
    } catch (error) {
      if (error.isFinal) break;
      await sleep(POLL_MS);
    }
  }
  await stopServer(server);
  throw new Error(`${argv.join(' ')} did not answer:\n${server.output}`);
}

/** Requests per second, and CPU time of the server for each, over `SECONDS` behind a second that does not count. */
async function measure(server, one, { connections = CONNECTIONS, rate, core } = {}) {
  const file = requestsFile(folder, [one]);
  await load({ port: server.port, file, connections, durationS: 1, rate, core });
  const before = readCpu(server.pid);
  const result = await load({ port: server.port, file, connections, durationS: SECONDS, rate, core });
  const cpu = cpuBetween(before, readCpu(server.pid));
  const problem = problemOf(result, { checkLittle: false });
  if (problem !== null) throw new Error(`${one.path}: ${problem}`);
  return { rate: result.rate, cpu_us: cpu.total / result.requests.verified, p50_us: result.latency_us.p50, p99_us: result.latency_us.p99 };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const raw = [];

async function predictPart(part) {
  const found = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const one = post(way.path);
      const server = await start(way, one);
      try {
        found[name].push(await measure(server, one));
      } finally {
        await stopServer(server);
      }
    }
  }
  raw.push({ part, connections: CONNECTIONS, ways: found });
  const rates = Object.fromEntries(Object.entries(found).map(([name, all]) => [name, median(all.map(({ rate }) => rate))]));
  const own = rates['in the process'];
  const lines = Object.entries(found).map(([name, all]) => {
    const cpu = median(all.map(({ cpu_us: us }) => us));
    return `${name}: ${rates[name].toFixed(0)} requests/s, ${cpu.toFixed(1)} µs of CPU each, in the process ${(own / rates[name]).toFixed(1)} times that`;
  });
  return lines.join('\n             ');
}

async function emptyPart(part) {
  const found = { plain: [], nothing: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await start(ours('inProcess'), { path: '/nothing' });
    try {
      for (const name of round % 2 === 0 ? ['plain', 'nothing'] : ['nothing', 'plain'])
        found[name].push(await measure(server, plain(`/${name}`)));
    } finally {
      await stopServer(server);
    }
  }
  raw.push({ part, connections: CONNECTIONS, ...found });
  const cpu = (all) => median(all.map(({ cpu_us: us }) => us));
  return `with a call ${cpu(found.nothing).toFixed(2)} µs, without ${cpu(found.plain).toFixed(2)} µs, +${(cpu(found.nothing) - cpu(found.plain)).toFixed(2)} µs`;
}

const BYTES = 1_000_000;
const TIMES = 300;

function bytesPart(part) {
  const program = `import { python } from 'fulmar/polyglot';
const array = await python.import(${JSON.stringify(join(here, 'arrays.py'))});
const given = new Uint8Array(${BYTES}).fill(7);
for (let time = 0; time < 20; time += 1) await array.there_and_back(given);
const start = performance.now();
for (let time = 0; time < ${TIMES}; time += 1) {
  const back = await array.there_and_back(given);
  if (back.length !== given.length || back[time] !== 8) throw new Error('other bytes came back');
}
console.log((performance.now() - start) / ${TIMES});`;
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const output = execFileSync(values.node, ['--input-type=module', '-e', program], {
      cwd: here,
      encoding: 'utf8',
      env: { ...process.env, FULMAR_PYTHON: python },
    });
    times.push(Number(output));
  }
  raw.push({ part, bytes: BYTES, ms: times });
  return `there and back ${median(times).toFixed(3)} ms, ${((2 * BYTES) / median(times) / MICROSECONDS).toFixed(2)} GB/s of both ways`;
}

const RATE = 500;
/** With the server on core 0, which both leave idle most of the time. */
const quiet = { connections: 8, rate: RATE, core: 0 };

/** Threads of Python on core 1, all others on core 0. */
function apart(pid) {
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const isGuest = readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').startsWith('python');
    execFileSync('taskset', ['-pc', isGuest ? '1' : '0', task], { stdio: 'ignore' });
  }
}

/** Computes on core 1 in a process of its own. */
const COMPUTING = `import os
os.sched_setaffinity(0, {1})
while os.getppid() != 1:
    sum(range(10_000))`;

/** Beside an idle machine, one whose other core computes for somebody else: what that alone does is none of Python's being in the process. */
async function saturatedPart(part) {
  const found = { idle: [], elsewhere: [], saturated: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await start({ ...ours('inProcess'), core: '0,1' }, { path: '/nothing' });
    try {
      apart(server.pid);
      found.idle.push(await measure(server, plain('/plain'), quiet));
      const other = spawn(python, ['-c', COMPUTING], { stdio: 'ignore' });
      try {
        found.elsewhere.push(await measure(server, plain('/plain'), quiet));
      } finally {
        other.kill('SIGKILL');
      }
      await request(server.port, { method: 'POST', path: '/saturate' });
      found.saturated.push(await measure(server, plain('/plain'), quiet));
    } finally {
      await stopServer(server);
    }
  }
  raw.push({ part, rate: RATE, ...found });
  const [idle, elsewhere, saturated] = Object.values(found).map((all) => median(all.map(({ p99_us: us }) => us)));
  const ratio = (other) => (saturated / other).toFixed(2);
  return `p99 of a plain route ${saturated} µs while Python computes: ${ratio(elsewhere)} times that while another process computes (${elsewhere} µs), ${ratio(idle)} times that of an idle machine (${idle} µs)`;
}

const parts = { predict: predictPart, empty: emptyPart, bytes: bytesPart, saturated: saturatedPart };

endWithHarness(() => rmSync(folder, { recursive: true, force: true }));
try {
  for (const name of values.only)
    if (!(name in parts)) throw new Error(`--only is one of ${Object.keys(parts).join(', ')}, and this is ${name}.`);
  for (const name of values.only) console.log(`${name.padEnd(12)} ${await parts[name](name)}`);
  const others = loadavg();
  console.log(`others on this machine: load ${others.map((one) => one.toFixed(1)).join(' ')}`);
  if (values.json !== undefined) {
    const described = {
      command: 'node bench/micro/polyglot.mjs',
      options: { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS },
      date: new Date().toISOString(),
      commit: describeCommit(),
      machine: describeMachine(),
      node: firstLine(values.node, ['--version']),
      python: firstLine(python, ['--version']),
      load: others,
      parts: raw,
    };
    writeFileSync(values.json, `${JSON.stringify(described, null, 1)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
