/**
 * docs/guide/deploy.md: nginx with the page's configuration, as an unprivileged process, in front of a real
 * `fulmar run`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { nodeBinary } from '../e2e/cli/support.ts';
import { freePort } from '../../packages/cli/src/free-port.ts';
import { deployment, drains, guide, type Service, start, underLoad, until, watch, workersOf } from './deployment.ts';

/** What nginx leaves to an upstream connection on which nothing is asked, unless told otherwise. */
const NGINX_KEEPALIVE_MS = 60_000;
/** "nobody": as whom nginx runs when the tests are root. */
const NOBODY = 65_534;
const REQUESTS = 20;

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
const project = deployment();

/** Tells what it sees of whom it serves. */
const application = `
import express from 'express';
import { WebSocketServer } from 'ws';

const app = express();
app.set('trust proxy', 1);
app.get('/ready', (req, res) => res.send('ready'));
app.get('/seen', (req, res) => {
  const { keepAliveTimeout } = server;
  res.json({ ip: req.ip, protocol: req.protocol, host: req.host, peer: req.socket.remotePort, keepAliveTimeout });
});
const server = app.listen(process.env.PORT);
new WebSocketServer({ server }).on('connection', (socket, req) => {
  socket.send(req.headers['x-forwarded-for']);
  socket.on('message', (data) => socket.send(\`\${data} \${data}\`));
});
`;

interface Seen {
  readonly ip: string;
  readonly protocol: string;
  readonly host: string;
  /** The port of nginx's end: one for each connection. */
  readonly peer: number;
  readonly keepAliveTimeout: number;
}

describe('docs/guide/deploy.md: nginx', { skip: !hasNginx && 'nginx is not installed (apt-get install nginx-light)' }, () => {
  before(() => {
    writeFileSync(join(project.context, 'proxied.js'), application);
    symlinkSync(fileURLToPath(new URL('../../node_modules/ws', import.meta.url)), join(project.context, 'node_modules', 'ws'));
  });

  it('keeps its connection to the server, for less long than the server does', async () => {
    const server = await fulmar('proxied.js');
    const nginx = await startNginx(server.port, guide.file('hello.conf'));
    const seen = await askedInTurn(nginx.url);
    assert.equal(new Set(seen.map(({ peer }) => peer)).size, 1);
    assert.ok((seen[0]?.keepAliveTimeout ?? 0) > NGINX_KEEPALIVE_MS);
    await end(nginx, server);
  });

  it('costs a connection for each request without the line for it', async () => {
    const server = await fulmar('proxied.js');
    const nginx = await startNginx(server.port, guide.file('hello.conf').replace(' keepalive 32;', ''));
    const seen = await askedInTurn(nginx.url);
    assert.equal(new Set(seen.map(({ peer }) => peer)).size, REQUESTS);
    await end(nginx, server);
  });

  it('passes on who asks, over what and whom, and nobody can pretend to be another', async () => {
    const server = await fulmar('proxied.js');
    const nginx = await startNginx(server.port, guide.file('hello.conf'));
    for (const headers of [{}, { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' }]) {
      const { ip, protocol, host } = await seenBy(nginx.url, { localAddress: '127.0.0.2', headers: { Host: 'hello.test', ...headers } });
      assert.deepEqual({ ip, protocol, host }, { ip: '127.0.0.2', protocol: 'http', host: 'hello.test' });
    }
    await end(nginx, server);
  });

  it('passes WebSockets', async () => {
    const server = await fulmar('proxied.js');
    const nginx = await startNginx(server.port, guide.file('hello.conf'));
    const socket = new WebSocket(nginx.url.replace('http', 'ws'), { localAddress: '127.0.0.2' });
    assert.equal(String((await once(socket, 'message'))[0]), '127.0.0.2');
    socket.send('sea');
    assert.equal(String((await once(socket, 'message'))[0]), 'sea sea');
    socket.close();
    await once(socket, 'close');
    await end(nginx, server);
  });

  it('fails no request while workers are renewed, and completes replies while they drain', { timeout: 60_000 }, async () => {
    const server = await fulmar('--workers', '2', 'server.js');
    const nginx = await startNginx(server.port, guide.file('hello.conf'));
    const workers = workersOf(server.child);
    assert.equal(workers.length, 2);
    await underLoad(nginx.url, async () => {
      server.child.kill('SIGHUP');
      await until('workers are renewed', () => !workersOf(server.child).some((pid) => workers.includes(pid)));
    });
    await drains(server, nginx.url);
    assert.equal((await fetch(nginx.url)).status, 502);
    await end(nginx);
  });
});

function fulmar(...args: readonly string[]): Promise<Service> {
  const command = [nodeBinary, 'node_modules/fulmar/bin/fulmar.cjs', 'run', ...args];
  return start(project, { command, cwd: project.context, env: { NODE_ENV: 'production' } });
}

/** The page's `configuration` in the least that nginx needs around it, for a server on `upstream`. */
async function startNginx(upstream: number, configuration: string): Promise<Service> {
  const port = await freePort();
  const folder = mkdtempSync(join(project.home, 'nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  const site = configuration.replace('127.0.0.1:3000', `127.0.0.1:${upstream}`).replace('listen 80;', `listen 127.0.0.1:${port};`);
  const http = ['access_log off;', ...temporary, site].join('\n');
  const main = ['daemon off;', `pid ${folder}/pid;`, 'events {}', `http {\n${http}\n}`].join('\n');
  writeFileSync(join(folder, 'nginx.conf'), main);
  return watch(asNobody(folder, ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]), port);
}

function asNobody(folder: string, [program = '', ...args]: readonly string[]): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  if (process.getuid?.() !== 0) return spawn(program, args, { stdio: [...stdio] });
  chmodSync(project.home, 0o755);
  chownSync(folder, NOBODY, NOBODY);
  return spawn(program, args, { stdio: [...stdio], uid: NOBODY, gid: NOBODY });
}

async function end(...services: readonly Service[]): Promise<void> {
  for (const { child, ended } of services) {
    child.kill('SIGTERM');
    await ended;
  }
}

/** What the server sees of clients that come one after the other. */
async function askedInTurn(url: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  while (seen.length < REQUESTS) seen.push(await seenBy(url, {}));
  return seen;
}

async function seenBy(url: string, options: http.RequestOptions): Promise<Seen> {
  const request = http.get(`${url}/seen`, { agent: false, ...options });
  const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
  return JSON.parse(await text(reply)) as Seen;
}
