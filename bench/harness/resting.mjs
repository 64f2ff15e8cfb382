// The measurements without load, or around it: time from spawn to the first correct reply, and memory from outside.
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from './client.mjs';
import { startOf } from './contestants.mjs';
import { load, problemOf, requestsFile } from './load.mjs';
import { identity } from './measure.mjs';
import { readMemory } from './proc.mjs';
import { startOnly } from './runtimes.mjs';
import { ContestantError, freePort, spawnPinned, startServer, stopServer } from './server.mjs';
import { verify } from './verify.mjs';

const pollMs = 0.2;
const startTimeoutMs = 60_000;
const cacheAfterMs = 1000;

/** Spawns the cell's entrant and polls from outside: time until it listens, and until the last byte of the first correct reply. */
export async function measureStart({ cell, context }) {
  const { entrant, scenario } = cell;
  const cacheEnv = await cacheOf({ cell, context });
  const port = await freePort();
  const { argv, cwd, env } = startOf(entrant, port);
  const [wanted] = scenario.requests;
  const text = `GET ${fill(wanted.path)} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  const started = process.hrtime.bigint();
  const server = spawnPinned({
    argv,
    cwd,
    env: { ...env, ...scenario.env, ...context.env, ...cacheEnv, SCENARIO: scenario.name, PORT: String(port) },
  });
  try {
    const { reply, listeningMs } = await firstReply({ server, port, text, started });
    const time = sinceMs(started);
    if (!reply.endsWith(`${wanted.expect.body}`) && !reply.includes(wanted.expect.body)) {
      throw new ContestantError('verify', `${entrant.id} answered ${JSON.stringify(reply.slice(0, 300))}`, server.output);
    }
    return [{ ...identity(cell), routes: cell.routes, first_reply_ms: round(time), listening_ms: round(listeningMs), problem: null }];
  } finally {
    await stopServer(server);
  }
}

/** The environment of runtimes that differ from others in the compile cache; a cache is written by one start of its own, in this run. */
async function cacheOf({ cell, context }) {
  const { entrant } = cell;
  if (!(entrant.runtime in startOnly)) return {};
  const folder = join(context.folder, `cache-${entrant.contestant.name}`);
  const env = startOnly[entrant.runtime].env(folder);
  if ('NODE_COMPILE_CACHE' in env && !existsSync(folder)) await writeCache({ cell, context, env });
  return env;
}

/** Node writes its cache when a process ends in order or asks for it: a preloaded script does once the server has answered. */
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

const sinceMs = (started) => Number(process.hrtime.bigint() - started) / 1e6;
const round = (value) => Number(value.toFixed(3));

async function firstReply({ server, port, text, started }) {
  let listeningMs;
  const onConnect = () => {
    listeningMs ??= sinceMs(started);
  };
  for (;;) {
    const attempt = process.hrtime.bigint();
    const reply = await tryOnce({ port, text, onConnect });
    if (reply !== undefined) return { reply, listeningMs };
    if (server.end !== undefined) throw new ContestantError('start', `ended with ${server.end} before it answered`, server.output);
    if (sinceMs(started) > startTimeoutMs) throw new ContestantError('start', 'gave no answer in time', server.output);
    await untilMs(attempt, pollMs);
  }
}

/** Timers have a resolution of 1 ms: the rest of an interval is spent turning the event loop. */
function untilMs(since, ms) {
  return new Promise((resolve) => {
    const look = () => (sinceMs(since) >= ms ? resolve() : setImmediate(look));
    look();
  });
}

function tryOnce({ port, text, onConnect }) {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      onConnect();
      socket.write(text);
    });
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(received === '' ? undefined : received));
  });
}

/**
 * Memory of a fresh server: idle after its first replies, under load, the peak, and `afterS` later. The last wait happens while the next
 * cell is already measured: a resting server takes no CPU. Gives `{ records: Promise }`.
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
