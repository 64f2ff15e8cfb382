/**
 * A counted server: one program under `fulmar run` with the probe preloaded, or any command that writes its
 * port; and a client that asks it one request at a time. One connection and no pipelining, so that every
 * batch holds one request and the counts are the same on each run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { Failure, root } from '../../../scripts/lib/run.mjs';

export const programs = join(root, 'bench', 'budget', 'programs');
export const bin = join(root, 'packages', 'fulmar', 'bin', 'fulmar.cjs');
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const content = '{"message":"Hello, World!"}';
/** A server that is not done after so long is given up, in ms. */
const silenceMax = 60_000;

/** Starts `program` on `node` with `flags`, gives it to `work`, ends it. */
export function withServer({ node, program, probe, flags = [] }, work) {
  const args = [...flags, '--require', join(programs, 'probe.cjs'), bin, 'run', join(programs, program)];
  const env = { ...cleanEnvironment(), PROBE: probe };
  return withProcess({ command: node, args, env, end: 'SIGKILL' }, work);
}

/** This process's variables without those that change what is counted. */
export function cleanEnvironment() {
  const env = { ...process.env, NODE_ENV: 'production', NODE_DISABLE_COMPILE_CACHE: '1' };
  for (const name of ['NODE_OPTIONS', 'NODE_TEST_CONTEXT', 'NODE_V8_COVERAGE']) delete env[name];
  return env;
}

/** Starts `command`, gives it to `work`, ends it by the signal `end`. */
export async function withProcess({ command, args, env, end }, work) {
  const child = spawn(command, args, { cwd: programs, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const errors = [];
  child.stderr.on('data', (data) => errors.push(data));
  const ended = once(child, 'close').catch(() => undefined);
  const lost = ended.then(() => Promise.reject(new Failure(`${[command, ...args].join(' ')} ended early:\n${Buffer.concat(errors)}`)));
  const timer = setTimeout(() => child.kill('SIGKILL'), silenceMax);
  try {
    return await Promise.race([use(child, work), lost]);
  } finally {
    lost.catch(() => undefined);
    child.kill(end);
    await ended;
    clearTimeout(timer);
  }
}

async function use(child, work) {
  const port = Number(await line(child.stdout));
  const socket = connect(port, '127.0.0.1').setNoDelay();
  try {
    await once(socket, 'connect');
    return await work({
      ask: (count) => ask(socket, count),
      async signal() {
        const answer = line(child.stdio[3]);
        child.kill('SIGUSR2');
        return JSON.parse(await answer);
      },
    });
  } finally {
    socket.destroy();
  }
}

/** Sends `count` requests, each after the reply to the one before it, and checks each reply. */
function ask(socket, count) {
  return new Promise((resolve, reject) => {
    let left = count;
    let text = '';
    const finish = (settle, value) => {
      socket.off('data', receive).off('error', reject);
      settle(value);
    };
    const receive = (data) => {
      text += data.toString('latin1');
      if (!text.startsWith('HTTP/1.1 200 OK\r\n')) return finish(reject, new Failure(`an unexpected reply:\n${text}`));
      if (!text.endsWith(content)) return;
      text = '';
      left -= 1;
      if (left === 0) finish(resolve);
      else socket.write(request);
    };
    socket.on('data', receive).on('error', reject);
    socket.write(request);
  });
}

/** The next line that `stream` gives; nothing else is under way on it. */
async function line(stream) {
  let text = '';
  while (!text.endsWith('\n')) text += (await once(stream, 'data'))[0];
  return text.trim();
}
