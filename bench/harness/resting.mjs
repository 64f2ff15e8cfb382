/**
 * The measurements without load, or around it: time from spawn to the first correct reply, and memory from
 * outside.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from './client.mjs';
import { executableOf, startOf } from './contestants.mjs';
import { load, problemOf, requestsFile, starter } from './load.mjs';
import { identity } from './measure.mjs';
import { readMemory } from './proc.mjs';
import { startOnly } from './runtimes.mjs';
import { ContestantError, freePort, loadCore, pinned, spawnPinned, startServer, stopServer } from './server.mjs';
import { verify } from './verify.mjs';

const cacheAfterMs = 1000;

/**
 * Times one start from outside (`crates/load/examples/start.rs`): until it listens, and until the last byte
 * of the first correct reply.
 */
export async function measureStart({ cell, context }) {
  const { entrant, scenario } = cell;
  const cacheEnv = await cacheOf({ cell, context });
  const port = await freePort();
  const { argv, cwd, env } = startOf(entrant, port);
  const [wanted] = scenario.requests;
  const probe = spawnPinned({
    argv: [await starter(), String(port), fill(wanted.path), ...pinned({ argv, held: true })],
    core: loadCore,
    cwd,
    env: { ...env, ...scenario.env, ...context.env, ...cacheEnv, SCENARIO: scenario.name, PORT: String(port) },
  });
  await probe.ended;
  if (probe.end !== 0) throw new ContestantError('start', `${entrant.id}: no first reply`, probe.output);
  const { listening_us: listening, first_reply_us: replied, reply } = JSON.parse(probe.output.trim().split('\n').at(-1));
  if (!reply.includes(wanted.expect.body)) {
    throw new ContestantError('verify', `${entrant.id} answered ${JSON.stringify(reply.slice(0, 300))}`, probe.output);
  }
  return [{ ...identity(cell), routes: cell.routes, first_reply_ms: replied / 1000, listening_ms: listening / 1000, problem: null }];
}

/**
 * The environment of runtimes that differ from others in the compile cache; a cache is written by one start
 * of its own, in this run.
 */
async function cacheOf({ cell, context }) {
  const { entrant } = cell;
  if (!(entrant.runtime in startOnly)) return {};
  const folder = join(context.folder, `cache-${entrant.contestant.name}`);
  const env = startOnly[entrant.runtime].env(folder);
  if ('NODE_COMPILE_CACHE' in env && !existsSync(folder)) await writeCache({ cell, context, env });
  return env;
}

/**
 * Node writes its cache when a process ends in order or asks for it: a preloaded script does once the server
 * has answered.
 */
async function writeCache({ cell, context, env }) {
  const script = join(context.folder, 'write-cache.cjs');
  writeFileSync(script, `setTimeout(() => require('node:module').flushCompileCache(), ${cacheAfterMs}).unref();\n`);
  const server = await startServer({
    entrant: cell.entrant,
    scenario: cell.scenario,
    env: { ...context.env, ...env, NODE_OPTIONS: `--require ${script}` },
  });
  await sleep(2 * cacheAfterMs);
  await stopServer(server);
}

/**
 * Memory of a fresh server: idle after its first replies, under load, the peak, and `afterS` later. The last
 * wait happens while the next cell is already measured: a resting server takes no CPU. Gives
 * `{ records: Promise }`.
 */
export async function measureMemory({ cell, context }) {
  const { idleS, loadedS, afterS } = context.plan.memory;
  const server = await startServer({ entrant: cell.entrant, scenario: cell.scenario, env: context.env });
  try {
    const list = await verify({ server, entrant: cell.entrant, scenario: cell.scenario, context });
    await sleep(idleS * 1000);
    const idle = readMemory(server.pid);
    const file = requestsFile(context.folder, list);
    const running = load({ port: server.port, file, connections: context.plan.connections, durationS: loadedS });
    await sleep(loadedS * 900);
    const loaded = readMemory(server.pid);
    const result = await running;
    const later = afterLoad({ cell, server, afterS, figures: { idle, loaded }, problem: problemOf(result) });
    return { later };
  } catch (error) {
    await stopServer(server);
    throw error;
  }
}

async function afterLoad({ cell, server, afterS, figures, problem }) {
  try {
    await sleep(afterS * 1000);
    const after = readMemory(server.pid);
    const ended = server.end === undefined ? null : `ended with ${server.end}`;
    return [{ ...identity(cell), ...figures, peak: { rss: after.peak }, after, problem: problem ?? ended }];
  } finally {
    await stopServer(server);
  }
}

/** Memory after many requests beside that after the first ones: what stays small stays so. */
export async function measureSoak({ cell, context }) {
  const { requests, settleS } = context.plan.soak;
  const server = await startServer({ entrant: cell.entrant, scenario: cell.scenario, env: context.env });
  try {
    const list = await verify({ server, entrant: cell.entrant, scenario: cell.scenario, context });
    await sleep(settleS * 1000);
    const before = readMemory(server.pid);
    const result = await load({
      port: server.port,
      file: requestsFile(context.folder, list),
      connections: context.plan.connections,
      requests,
    });
    await sleep(settleS * 1000);
    const after = readMemory(server.pid);
    return [
      {
        ...identity(cell),
        requests,
        before,
        after,
        verified: result.requests.verified,
        problem: problemOf(result, { checkLittle: false }),
      },
    ];
  } finally {
    await stopServer(server);
  }
}

/** Bytes of the file that is deployed: nothing else is needed to run it. */
export async function measureSize({ cell }) {
  return [{ ...identity(cell), bytes: statSync(executableOf(cell.entrant)).size, problem: null }];
}
