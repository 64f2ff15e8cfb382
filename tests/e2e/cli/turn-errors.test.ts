/**
 * Errors of ticks, promises and handlers where many clients' requests arrive together and are served in one
 * call into JavaScript: each error is told of once, everybody else is answered, and asynchronous contexts
 * stay apart.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type Running, start, writeProject } from './support.ts';

const CLIENTS = 14;
const ROUNDS = 20;

const SERVER = `
const http = require('http');
const { AsyncLocalStorage, createHook } = require('async_hooks');
if (process.env.HOOKS) createHook({ init() {}, before() {}, after() {} }).enable();
const storage = new AsyncLocalStorage();
const errors = {};
const leaks = [];
const outside = [];
const failure = (message, id) => Object.assign(new Error(message), { id });
const tell = ({ message, id }) => {
  errors[message] = (errors[message] ?? 0) + 1;
  if (storage.getStore() !== id) outside.push(message);
};
if (process.env.HANDLED) process.on('uncaughtException', tell);
let count = 0;
const kinds = {
  '/tick': (res, id) => { process.nextTick(() => { throw failure('tick', id); }); process.nextTick(() => res.end('' + (storage.getStore() === id))); },
  '/later-tick': (res, id) => Promise.resolve().then(() => process.nextTick(() => { res.end('' + (storage.getStore() === id)); throw failure('later tick', id); })),
  '/microtask': (res, id) => { queueMicrotask(() => { throw failure('microtask', id); }); Promise.resolve().then(() => res.end('' + (storage.getStore() === id))); },
  '/rejection': (res, id) => { Promise.reject(failure('rejection', id)); setImmediate(() => res.end('' + (storage.getStore() === id))); },
  '/finish': (res, id) => { res.on('finish', () => { throw failure('finish', id); }); Promise.resolve().then(() => res.end('' + (storage.getStore() === id))); },
  '/end': (res, id) => { Promise.resolve().then(() => res.end('' + (storage.getStore() === id), () => { throw failure('end', id); })); },
  '/fine': (res, id) => Promise.resolve().then(() => res.end('' + (storage.getStore() === id))),
  '/errors': (res) => res.end(JSON.stringify({ errors, leaks, outside })),
};
const server = http.createServer((req, res) => {
  if (storage.getStore() !== undefined) leaks.push(req.url);
  const id = ++count;
  storage.run(id, () => kinds[req.url](res, id));
}).on('connection', () => { if (storage.getStore() !== undefined) leaks.push('connection'); });
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));
`;

const PATHS = ['/tick', '/fine', '/later-tick', '/microtask', '/rejection', '/finish', '/end'];

/** The content of the next reply. */
function reply(socket: Socket): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    const onClose = (): void => failed(new Error(`closed behind ${JSON.stringify(text)}`));
    const onData = (data: Buffer): void => {
      text += data.toString('latin1');
      const [head, content] = text.split('\r\n\r\n');
      if (content === undefined || content.length < Number(/content-length: (\d+)/i.exec(head ?? '')?.[1])) return;
      socket.off('data', onData).off('close', onClose);
      done(content);
    };
    socket.on('data', onData).once('close', onClose);
  });
}

async function clients(port: number): Promise<Socket[]> {
  const opened = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(opened.map((socket) => new Promise((done) => socket.once('connect', done))));
  return opened;
}

const get = (socket: Socket, path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);

async function serve(app: Running): Promise<unknown> {
  const port = await app.port();
  const sockets = await clients(port);
  for (let round = 0; round < ROUNDS; round++) {
    const replies = sockets.map(reply);
    for (const [i, socket] of sockets.entries()) get(socket, PATHS[(i + round) % PATHS.length] ?? '');
    assert.deepEqual(
      await Promise.all(replies),
      sockets.map(() => 'true'),
    );
  }
  const late = await clients(port);
  const last = reply(late[0]!);
  get(late[0]!, '/errors');
  const told: unknown = JSON.parse(await last);
  for (const socket of [...sockets, ...late]) socket.destroy();
  return told;
}

const hasFrames = Number.parseInt(process.versions.node, 10) >= 24;
const each = (ROUNDS * CLIENTS) / PATHS.length;
const ERRORS = { tick: each, 'later tick': each, microtask: each, rejection: each, finish: each, end: each };

describe('errors behind handlers of clients that come together', () => {
  for (const [name, env, args] of [
    ['with a listener', {}, []],
    ['with a listener and async_hooks', { HOOKS: '1' }, []],
    ['where ticks cannot be run within a call', {}, ['--pending-deprecation']],
  ] as const) {
    it(`are told of once each, and all are answered, ${name}`, { timeout: 30_000 }, async () => {
      const app = start(writeProject({ 'server.cjs': SERVER }), ['run', ...args, 'server.cjs'], { env: { HANDLED: '1', ...env } });
      const told = (await serve(app)) as { outside: string[] };
      // Older Nodes tell of what a microtask throws outside of its context.
      if (!hasFrames) told.outside = told.outside.filter((message) => message !== 'microtask');
      assert.deepEqual(told, { errors: ERRORS, leaks: [], outside: [] });
      app.kill('SIGTERM');
      const { stderr } = await app.ended;
      assert.equal(stderr.replaceAll(/^.*(SIGTERM|drain).*\n/gm, ''), '');
    });
  }

  for (const path of ['/tick', '/later-tick', '/microtask', '/rejection', '/finish', '/end']) {
    it(`end the process with the error that was thrown: ${path.slice(1)}`, { timeout: 30_000 }, async () => {
      const app = start(writeProject({ 'server.cjs': SERVER }), ['run', 'server.cjs']);
      for (const socket of await clients(await app.port())) get(socket, path);
      const { code, stderr } = await app.ended;
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`Error: ${path.slice(1).replace('-', ' ')}\\n`));
      assert.doesNotMatch(stderr, /async hook stack/);
    });
  }
});
