// Time from just before `spawn` to the last byte of the first correct reply, polled from outside, the two ways interleaved.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import process from 'node:process';
import { parseReply } from './request.mjs';
import { serverCore, stopServer } from './process.mjs';

const pollMs = 0.2;
const timeoutMs = 15_000;
const request = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
const expectedBody = '{"hello":"world"}';

/** Starts each of `commands` (name → argument vector) `count` times in turn; returns name → milliseconds. */
export async function measureStarts(commands, count) {
  const names = Object.keys(commands);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < count; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const time = await oneStart(commands[name]);
      // The first of each fills the page cache and is not counted.
      if (round >= 0) times[name].push(time);
    }
  }
  return times;
}

async function oneStart(command) {
  const port = await freePort();
  const started = process.hrtime.bigint();
  const child = spawn('taskset', ['-c', String(serverCore), ...command], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  try {
    const body = await firstReply(port, started, child);
    const time = Number(process.hrtime.bigint() - started) / 1e6;
    if (body !== expectedBody) throw new Error(`answered ${JSON.stringify(body)}`);
    return time;
  } catch (error) {
    throw new Error(`${command.at(-1)}: ${error.message}\n${errors}`.trim(), { cause: error });
  } finally {
    await stopServer({ child });
  }
}

async function firstReply(port, started, child) {
  for (;;) {
    const attempt = process.hrtime.bigint();
    const body = await tryOnce(port);
    if (body !== undefined) return body;
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it answered`);
    if (Number(attempt - started) / 1e6 > timeoutMs) throw new Error('gave no answer in time');
    await untilMs(attempt, pollMs);
  }
}

/** Timers have a resolution of 1 ms: the rest of an interval is spent turning the event loop. */
function untilMs(since, ms) {
  return new Promise((resolve) => {
    const look = () => (Number(process.hrtime.bigint() - since) / 1e6 >= ms ? resolve() : setImmediate(look));
    look();
  });
}

function tryOnce(port) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const reply = parseReply(received);
      if (reply === undefined) return;
      resolve(reply.body);
      socket.destroy();
    });
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
