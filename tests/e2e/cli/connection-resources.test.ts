/**
 * `executionAsyncResource()` and `executionAsyncId()` in handlers: one for each connection, as in Node. The
 * program is the example of Node's documentation; it prints what its own clients got, and has to print the
 * same under `fulmar run`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fulmar, nodeBinary, writeProject } from './support.ts';

const PROGRAM = `
const http = require('http');
const { createHook, executionAsyncId, executionAsyncResource } = require('async_hooks');
const state = Symbol('state');
createHook({ init(id, type, trigger, resource) {
  const current = executionAsyncResource();
  if (current) resource[state] = current[state];
} }).enable();
const ids = new Map();
const server = http.createServer((req, res) => {
  const client = req.headers['x-client'];
  if (req.url === '/login') executionAsyncResource()[state] = { user: client };
  const id = executionAsyncId();
  const isMine = (ids.get(id) ?? client) === client;
  ids.set(id, client);
  setTimeout(() => res.end(JSON.stringify([executionAsyncResource()[state]?.user ?? null, isMine])), 2);
});
const agents = new Map();
const get = (client, path) => new Promise((resolve, reject) => {
  if (!agents.has(client)) agents.set(client, new http.Agent({ keepAlive: true, maxSockets: 1 }));
  const options = { port: server.address().port, host: '127.0.0.1', path, agent: agents.get(client), headers: { 'x-client': client } };
  http.get(options, (res) => res.setEncoding('utf8').on('data', (text) => resolve(path + ' ' + client + ' ' + text))).on('error', reject);
});
server.listen(0, '127.0.0.1', async () => {
  for (const [client, path] of [['ann', '/me'], ['ann', '/login'], ['bob', '/me'], ['eve', '/login'], ['bob', '/me'], ['eve', '/me']])
    console.log(await get(client, path));
  console.log((await Promise.all([get('bob', '/me'), get('eve', '/me'), get('tim', '/me')])).join());
  process.exit();
});
`;

it('what a handler keeps on the resource of its execution is seen by no other client', async () => {
  const folder = writeProject({ 'app.js': PROGRAM });
  const stock = spawnSync(nodeBinary, ['app.js'], { cwd: folder, encoding: 'utf8' });
  assert.match(stock.stdout, /^\/me bob \[null,true\]$/m);
  const ours = await fulmar(folder, ['run', 'app.js']);
  const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('/'));
  // Before contexts were frames each request has a resource of its own: nothing stays over a connection kept
  // alive.
  const isKept = Number.parseInt(spawnSync(nodeBinary, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10) >= 24;
  const expected = isKept
    ? stock.stdout
    : stock.stdout.replaceAll(/^(\/me eve) \["eve"/gm, '$1 [null').replaceAll('/me eve ["eve"', '/me eve [null');
  assert.deepEqual(lines(ours.stdout), lines(expected), ours.stderr);
});

const COUNTING = `
const http = require('http');
const { createHook } = require('async_hooks');
const open = new Set();
createHook({ init: (id, type) => type === 'HTTPINCOMINGMESSAGE' && open.add(id), destroy: (id) => open.delete(id) }).enable();
let made = 0;
const server = http.createServer((req, res) => {
  made = Math.max(made, open.size);
  res.on('finish', () => undefined).end('ok');
});
const get = () => new Promise((resolve, reject) =>
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (res) => res.resume().on('end', resolve)).on('error', reject));
server.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 100; i++) await get();
  let left = open.size;
  for (let i = 0; i < 50 && left > 20; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = open.size;
  }
  console.log(made > 0, left <= 20 ? 'few are left' : left);
  process.exit();
});
`;

it('hooks hear of the end of what requests were run in', async () => {
  const folder = writeProject({ 'app.js': COUNTING });
  const ours = await fulmar(folder, ['run', '--expose-gc', 'app.js']);
  assert.equal(ours.stdout.trim(), 'true few are left', ours.stderr);
});
