/**
 * How an app ends at a SIGTERM: its hooks, its WebSockets and what `health()` says meanwhile; the same for
 * `fulmar run`, built files and executables.
 */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { fetchText, type Running, writeProject } from '../cli/support.ts';

const timeout = 60_000;
const modules = resolve(fileURLToPath(import.meta.url), '../../../../node_modules');

/** A folder with an application of this text, which finds `fulmar`. */
export function appProject(text: string): string {
  const head = `import { createApp } from 'fulmar';\nimport { health } from 'fulmar/middleware';\n`;
  const folder = writeProject({ 'package.json': '{}', 'main.mjs': head + text });
  symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

const DELAY = `const delay = (ms) => new Promise((done) => setTimeout(done, ms));`;
const LISTEN = `const { url } = await app.listen({ port: 0, host: '127.0.0.1' }); console.log('PORT ' + new URL(url).port + ' ');`;

/** Two hooks, the one of a plugin that takes its time, and requests that do. */
export const HOOKED = `${DELAY}
const app = createApp();
app.onStop(() => console.log('STOP app'));
app.register(async function database(inner) {
  inner.onStop(async () => { await delay(30); console.log('STOP database'); });
});
app.get('/', () => 'fine');
app.get('/slow', async () => { console.log('SLOW'); await delay(300); console.log('ANSWERED'); return 'slow'; });
app.get('/never', () => { console.log('NEVER'); return new Promise(() => {}); });
`;

export const WITH_SOCKETS = `${DELAY}
const app = createApp();
app.register(health({ drainDelayMs: 800 }));
app.onDrain(() => console.log('DRAIN'));
app.onStop(() => console.log('STOP ' + app.socketCount));
app.get('/', () => String(process.pid));
app.websocket('/ws', { message: (socket, data) => socket.send(data) });
`;

/** The words behind which lines of the applications above begin, in order. */
export const told = (stdout: string): string[] => stdout.match(/^(?:ANSWERED|DRAIN|STOP.*)$/gm) ?? [];

/** A WebSocket that is open; resolves `closed` to its code. */
export async function openSocket(port: number): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const closed = new Promise<number>((done) => void socket.once('close', (code: number) => done(code)));
  await new Promise((done, failed) => void socket.once('open', done).once('error', failed));
  return { closed };
}

export async function statusOf(port: number, path: string): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
  await reply.text();
  return reply.status;
}

export function defineAppEnds(begin: (text: string) => Promise<Running>): void {
  it('runs the hooks of the end behind the last reply, the last one first', { timeout }, async () => {
    const app = await begin(HOOKED + LISTEN);
    const slow = fetchText(await app.port(), '/slow');
    await app.seen(/SLOW/);
    app.kill('SIGTERM');
    assert.equal(await slow, 'slow');
    const { code, signal, stdout, stderr } = await app.ended;
    assert.deepEqual([code, signal, stderr], [0, null, '']);
    assert.deepEqual(told(stdout), ['ANSWERED', 'STOP database', 'STOP app']);
  });

  it('runs them when all servers of the process have ended', { timeout }, async () => {
    const app = await begin(`import { createServer } from 'node:http';
${HOOKED}
const other = createApp().onStop(() => console.log('STOP other'));
await other.listen({ port: 0, host: '127.0.0.1' });
await app.listen({ port: 0, host: '127.0.0.1' });
const server = createServer((req, res) => { console.log('SLOW'); setTimeout(() => { console.log('ANSWERED'); res.end('slow'); }, 300); });
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));`);
    const slow = fetchText(await app.port());
    await app.seen(/SLOW/);
    app.kill('SIGTERM');
    assert.equal(await slow, 'slow');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.deepEqual(told(stdout), ['ANSWERED', 'STOP database', 'STOP app', 'STOP other']);
  });

  it('runs all of them where one throws, and exits with 1', { timeout }, async () => {
    const app = await begin(`${HOOKED} app.onStop(() => { throw new Error('of the cache'); });\n${LISTEN}`);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout, stderr } = await app.ended;
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: could not end cleanly: of the cache\n$/);
    assert.deepEqual(told(stdout), ['STOP database', 'STOP app']);
  });

  it('runs them once where the application closes the app itself, and does not interfere', { timeout }, async () => {
    const own = `app.onDrain(() => delay(1500)); process.on('SIGTERM', () => { void app.close(); });`;
    const app = await begin(`${HOOKED}${own}\n${LISTEN}`);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(told(stdout), ['STOP database', 'STOP app']);
  });

  it('is not ready first, then closes its WebSockets with 1001, then ends', { timeout }, async () => {
    const app = await begin(WITH_SOCKETS + LISTEN);
    const port = await app.port();
    const sockets = [await openSocket(port), await openSocket(port)];
    assert.equal(await statusOf(port, '/ready'), 200);
    app.kill('SIGTERM');
    await app.seen(/DRAIN/);
    assert.deepEqual(await Promise.all(['/ready', '/live', '/'].map((path) => statusOf(port, path))), [503, 200, 200]);
    assert.deepEqual(await Promise.all(sockets.map(({ closed }) => closed)), [1001, 1001]);
    const { code, stdout, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(told(stdout), ['DRAIN', 'STOP 0']);
  });
}
