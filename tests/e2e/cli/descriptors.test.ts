/**
 * Clients that make a server open more files and connections than the system allows: it goes on, loads what
 * it loads late, and serves those who waited once there are descriptors again.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fulmarBin, nodeBinary, type Running, start, writeProject } from './support.ts';

const TEST_MS_MAX = 120_000;
const PATIENCE_MS = 20_000;
/** Reached quickly: 64 less are for connections, the last 24 for the application alone. */
const LIMIT = 256;
const LAST = 24;
/**
 * From here on the flood has what it gets: it stops at the last ones, give or take those that are about to be
 * opened or closed.
 */
const FLOODED = LIMIT - LAST - 8;
const FLOODING = 300;
const PIPELINED = 16;
const WAITING = 60;
/** More than systems buffer for a connection that is not read, and than is kept in memory. */
const LARGE_BYTES = 8 * 1024 * 1024;

const APP = `
const express = require('express');
const fs = require('fs');
const app = express();
const taken = [];
app.set('env', 'test');
// Middleware that listens for 'drain', as compression does, has files read by streams.
app.use('/streamed', (req, res, next) => { res.on('drain', () => undefined); next(); });
for (const path of ['/sent', '/streamed']) app.use(path, express.static('public'));
app.get('/hello', (req, res) => res.send('hello'));
app.get('/open', (req, res) => res.send(String(fs.readdirSync('/proc/self/fd').length)));
app.get('/late', (req, res) => res.send(require('./late.cjs') + req.acceptsLanguages('de')));
app.get('/take', (req, res) => {
  try { for (;;) taken.push(fs.openSync('/dev/null')); } catch (error) { res.send(error.code); }
});
app.get('/fail', (req, res, next) => next(new Error('no way')));
app.get('/give', (req, res) => {
  for (const fd of taken.splice(0)) fs.closeSync(fd);
  res.send('given');
});
const server = app.listen(0, () => console.log('PORT ' + server.address().port));
`;

interface Client {
  readonly socket: net.Socket;
  /** The content of the next reply, which must be a 200. */
  ask(path: string): Promise<string>;
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Language: de\r\n\r\n`;

function connect(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket.off('error', reject).on('error', () => undefined)));
  });
}

async function client(port: number): Promise<Client> {
  const socket = await connect(port);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  const reply = (path: string): string | undefined => {
    const [, head = '', length = ''] = /^(HTTP\/1\.1 [^]*?Content-Length: (\d+)[^]*?\r\n\r\n)/i.exec(text) ?? [];
    if (head === '' || text.length < head.length + Number(length)) return undefined;
    const content = text.slice(head.length, head.length + Number(length));
    assert.match(head, /^HTTP\/1\.1 200 /, `${path}: ${content}`);
    text = text.slice(head.length + Number(length));
    return content;
  };
  const ask = async (path: string): Promise<string> => {
    socket.write(request(path));
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const content = reply(path);
      if (content !== undefined) return content;
      assert.ok(!socket.destroyed && !socket.readableEnded, `${path}: the connection ended`);
      assert.ok(Date.now() < until, `${path}: no reply: ${JSON.stringify(text.slice(0, 200))}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { socket, ask };
}

/**
 * The application under a low limit, which Node cannot raise again, and a client that came before the others.
 */
async function serve(host: readonly string[]): Promise<{ running: Running; port: number; early: Client }> {
  const project = writeProject({ 'package.json': '{}', 'app.cjs': APP, 'late.cjs': `module.exports = 'late ';` });
  mkdirSync(join(project, 'public'));
  writeFileSync(join(project, 'public/large.bin'), Buffer.alloc(LARGE_BYTES));
  const command = [nodeBinary, fulmarBin, 'run', ...host, 'app.cjs'];
  const running = start(project, ['-c', `ulimit -n ${LIMIT}; exec "$0" "$@"`, ...command], { program: 'bash', patienceMs: TEST_MS_MAX });
  const port = await running.port();
  const early = await client(port);
  assert.equal(await early.ask('/hello'), 'hello');
  return { running, port, early };
}

async function stop(running: Running, clients: readonly Client[]): Promise<void> {
  for (const { socket } of clients) socket.destroy();
  running.kill('SIGTERM');
  const { code, stderr } = await running.ended;
  assert.equal(code, 0, stderr.slice(-2000));
}

for (const host of [[], ['--native']]) {
  for (const way of ['sent', 'streamed']) {
    const name = `a flood of requests for a large file, ${way} by ${host[0] ?? 'Node'}, leaves descriptors to the application`;
    const options = { timeout: TEST_MS_MAX, skip: process.platform === 'linux' ? false : 'reads /proc' };
    test(name, options, async () => {
      const { running, port, early } = await serve(host);
      const flood = await Promise.all(Array.from({ length: FLOODING }, () => connect(port)));
      for (const socket of flood) socket.write(request(`/${way}/large.bin`).repeat(PIPELINED));
      let open = 0;
      for (const until = Date.now() + PATIENCE_MS; open < FLOODED && Date.now() < until;) open = Number(await early.ask('/open'));
      assert.ok(open >= FLOODED, `${open} descriptors`);
      const waiting = await Promise.all(Array.from({ length: WAITING }, () => client(port)));
      const served = Promise.all(waiting.map((one) => one.ask('/hello')));
      served.catch(() => undefined); // Awaited below.
      // Some turns, in which the flood tries again and again.
      for (let i = 0; i < 50; i += 1) assert.equal(await early.ask('/hello'), 'hello');
      assert.ok(Number(await early.ask('/open')) <= LIMIT - 1);
      assert.equal(await early.ask('/late'), 'late de');
      for (const socket of flood) socket.destroy();
      assert.deepEqual(new Set(await served), new Set(['hello']));
      await stop(running, [early, ...waiting]);
    });
  }

  test(
    `who waits while an application on ${host[0] ?? 'Node'} has all descriptors is served when it closes its files`,
    { timeout: TEST_MS_MAX },
    async () => {
      const { running, port, early } = await serve(host);
      assert.equal(await early.ask('/take'), 'EMFILE');
      const waiting = await Promise.all(Array.from({ length: WAITING }, () => client(port)));
      const served = Promise.all(waiting.map((one) => one.ask('/hello')));
      served.catch(() => undefined);
      assert.equal(await early.ask('/hello'), 'hello');
      assert.equal(await early.ask('/give'), 'given');
      assert.deepEqual(new Set(await served), new Set(['hello']));
      await stop(running, [early, ...waiting]);
    },
  );
}
