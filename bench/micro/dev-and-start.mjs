/**
 * What folders of routes cost beside requests: the start of a built one, the start of `fulmar dev`, a saved file.
 *   node bench/micro/dev-and-start.mjs [--only <part>]… [--count <files>] [--rounds <n>] [--saves <n>] [--node <program>] [--json <file>]
 * Parts: `build-node`, `build-native` (`fulmar build` of a project that is a folder `routes/` and nothing else: with
 * `--count` files beside one), `dev` (from the start of `fulmar dev` to the first reply, beside `fulmar run` with one file),
 * `save` (from a file that is saved to the first reply that is of it).
 *
 * Each start is a process of its own on core 0, in turns, timed from outside by crates/load/examples/start.rs; the first of
 * each fills caches and does not count. Medians; every reply is compared. What Fulmar cannot do is told with what it said;
 * the other parts are measured still, and the exit code is 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { firstLine, packageDir } from '../../scripts/lib/run.mjs';
import { request } from '../harness/client.mjs';
import { starter } from '../harness/load.mjs';
import { describeCommit, describeMachine } from '../harness/machine.mjs';
import { binaryOf } from '../harness/runtimes.mjs';
import { endWithHarness, freePort, loadCore, pinned, spawnPinned, stopServer } from '../harness/server.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['build-node', 'build-native', 'dev', 'save'] },
    count: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '15' },
    saves: { type: 'string', default: '20' },
    node: { type: 'string', default: binaryOf('node26') },
    json: { type: 'string' },
  },
});
const { node } = values;
const COUNT = Number(values.count);
const fulmar = join(packageDir, 'bin', 'fulmar.cjs');
const START_MS_MAX = 60_000;
const SAVE_MS_MAX = 10_000;
const POLL_MS = 1;
/** Between two saves: what `dev` does behind a reply is none of the next one's. */
const REST_MS = 500;
const OUTPUT_MAX = 2000;

const folder = mkdtempSync(join(tmpdir(), 'fulmar-dev-and-start-'));

const answering = (value) => `export const GET = () => (${JSON.stringify(value)});\n`;
const fileOf = (dir, route) => join(dir, 'routes', `file${route}.ts`);
const pathOf = (route) => `/file${route}`;

/** A project that is a folder of `count` files. */
function writeProject(name, count) {
  const dir = join(folder, name);
  mkdirSync(join(dir, 'routes'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  for (let route = 0; route < count; route += 1) writeFileSync(fileOf(dir, route), answering({ route }));
  return dir;
}

/** `fulmar build` in a project that has no server: the file or executable that it made. */
function build(dir, options) {
  const out = join(dir, options.includes('--native') ? 'built' : 'built.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [fulmar, 'build', ...options, '-o', out], { cwd: dir, encoding: 'utf8' });
  if (status !== 0) throw new Error(`fulmar build ${options.join(' ')} of a folder of routes ended with ${status}: ${stderr || stdout}`);
  // What was built needs none of it.
  rmSync(join(dir, 'routes'), { recursive: true });
  return out;
}

/** Milliseconds from the start of `argv` to its first reply, which is compared. */
async function start({ argv, cwd, route, env = {} }) {
  const port = await freePort();
  const probe = spawnPinned({
    argv: [await starter(), String(port), pathOf(route), ...pinned({ argv, held: true })],
    core: loadCore,
    cwd,
    env: { PORT: String(port), ...env },
  });
  try {
    await probe.ended;
  } finally {
    // What it started and left: `dev` may have processes of its own.
    await stopServer(probe);
  }
  if (probe.end !== 0) throw new Error(`${argv.slice(1).join(' ')} gave no reply: ${probe.output.slice(-OUTPUT_MAX)}`);
  const { first_reply_us: replied, reply } = JSON.parse(probe.output.trim().split('\n').at(-1));
  if (!reply.endsWith(`{"route":${route}}`)) throw new Error(`${argv.join(' ')} answered ${JSON.stringify(reply.slice(0, OUTPUT_MAX))}`);
  return replied / 1000;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const ms = (number) => `${number.toFixed(1)} ms`;
const raw = [];

/** Starts of `many` and `few` in turns: `{ many, few }` as medians. */
async function startsOf(part, sides) {
  const all = { many: [], few: [] };
  for (const side of Object.values(sides)) await start(side);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const names = round % 2 === 0 ? ['many', 'few'] : ['few', 'many'];
    for (const name of names) all[name].push(await start(sides[name]));
  }
  raw.push({ part, count: COUNT, ...all });
  return { many: median(all.many), few: median(all.few) };
}

async function buildPart(part, options, toArgv) {
  const side = (count) => {
    const cwd = writeProject(`${part}-${count}`, count);
    return { argv: toArgv(build(cwd, options)), cwd, route: count - 1 };
  };
  const { many, few } = await startsOf(part, { many: side(COUNT), few: side(1) });
  return `start with ${COUNT} routes ${ms(many)}, with 1 ${ms(few)}, +${ms(many - few)}`;
}

const DEVELOPMENT = { NODE_ENV: 'development' };

async function devPart(part) {
  const many = { argv: [node, fulmar, 'dev'], cwd: writeProject('dev-many', COUNT), route: COUNT - 1, env: DEVELOPMENT };
  const few = { argv: [node, fulmar, 'run'], cwd: writeProject('run-1', 1), route: 0, env: DEVELOPMENT };
  const found = await startsOf(part, { many, few });
  return `fulmar dev with ${COUNT} files ${ms(found.many)}, fulmar run with 1 ${ms(found.few)}, ratio ${(found.many / found.few).toFixed(2)}`;
}

/** Asks until the reply is `body`; the milliseconds since `started`. */
async function until({ server: { port, ended }, path, body, started, limit }) {
  let last = 'no reply';
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && performance.now() - started < limit) {
    try {
      last = String((await request(port, { path })).body);
      if (last === body) return performance.now() - started;
    } catch (error) {
      last = error.message;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`${path}: expected ${body}, found ${last.slice(0, OUTPUT_MAX)}${isOver ? '; the server has ended' : ''}`);
}

/** Files in turn, each asked before it is saved. */
async function savePart(part) {
  const cwd = writeProject('save', COUNT);
  const port = await freePort();
  const child = spawnPinned({ argv: [node, fulmar, 'dev'], cwd, env: { ...DEVELOPMENT, PORT: String(port) } });
  const dev = Object.assign(child, { port });
  const times = [];
  try {
    for (let save = 0; save < Number(values.saves); save += 1) {
      const route = COUNT - 1 - save;
      const ask = { server: dev, path: pathOf(route) };
      await until({ ...ask, body: `{"route":${route}}`, started: performance.now(), limit: START_MS_MAX });
      await sleep(REST_MS);
      const started = performance.now();
      writeFileSync(fileOf(cwd, route), answering({ route, save }));
      times.push(await until({ ...ask, body: `{"route":${route},"save":${save}}`, started, limit: SAVE_MS_MAX }));
    }
  } catch (cause) {
    throw new Error(`${cause.message}\n${dev.output.slice(-OUTPUT_MAX)}`, { cause });
  } finally {
    await stopServer(dev);
  }
  raw.push({ part, count: COUNT, times });
  return `with ${COUNT} files, from a save to a reply of it ${ms(median(times))}, at most ${ms(Math.max(...times))}`;
}

/** The raw figures, with what they stand on. */
const described = () => ({
  command: 'node bench/micro/dev-and-start.mjs',
  options: { count: COUNT, rounds: values.rounds, saves: values.saves },
  date: new Date().toISOString(),
  commit: describeCommit(),
  machine: describeMachine(),
  node: firstLine(node, ['--version']),
  load: loadavg(),
  parts: raw,
});

const parts = {
  'build-node': (part) => buildPart(part, [], (out) => [node, out]),
  'build-native': (part) => buildPart(part, ['--native'], (out) => [out]),
  dev: devPart,
  save: savePart,
};

endWithHarness(() => rmSync(folder, { recursive: true, force: true }));
try {
  for (const name of values.only) {
    if (!(name in parts)) throw new Error(`--only is one of ${Object.keys(parts).join(', ')}, and this is ${name}.`);
  }
  for (const name of values.only) {
    try {
      console.log(`${name.padEnd(12)} ${await parts[name](name)}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name.padEnd(12)} not measured: ${error.message.trim()}`);
    }
  }
  console.log(
    `others on this machine: load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(described(), null, 1)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
