/**
 * Every difference of `fulmar run` (and of Express on it) that docs/migration/from-express.md lists under
 * "Running" and "Express": the same files under `node` and under `fulmar run`. A test's name begins with the
 * entry's id.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dist, fetchText, hasSyncHooks, start, writeProject } from '../e2e/cli/support.ts';

const oursHttp = JSON.stringify(join(dist, 'http.cjs'));
const root = join(dist, '..', '..', '..');

async function output(file: string, folder: string, plain: boolean): Promise<string> {
  const args = plain ? [file] : ['run', file];
  const { stdout, stderr, code } = await start(folder, args, { plain }).ended;
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

const server = `
  const server = require('http').createServer((req, res) => res.end('ok'));
  server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port));
`;

test('R1: SIGTERM drains and exits with 0, where the application has no handler of its own', async () => {
  const folder = writeProject({ 'app.cjs': server });
  for (const [plain, expected] of [
    [true, { code: null, signal: 'SIGTERM' }],
    [false, { code: 0, signal: null }],
  ] as const) {
    const child = start(folder, plain ? ['app.cjs'] : ['run', 'app.cjs'], { plain });
    assert.equal(await fetchText(await child.port()), 'ok');
    child.kill('SIGTERM');
    const { code, signal } = await child.ended;
    assert.deepEqual({ code, signal }, expected);
  }
});

test('R2: https, http2 and net stay Node’s own', async () => {
  const folder = writeProject({
    'app.cjs': `
      const builtin = process.getBuiltinModule ?? require;
      console.log(require('http') === require(${oursHttp}), ...['https', 'http2', 'net'].map((name) => require(name) === builtin('node:' + name)));
    `,
  });
  assert.equal(await output('app.cjs', folder, false), 'true true true true');
});

test('R3: modules beneath Express are those that run; its router package and modules beneath Koa are npm’s', async () => {
  const folder = writeProject({
    'app.cjs': `
      const express = require('express');
      const Koa = require('koa');
      const isKoas = Object.getPrototypeOf(new Koa().context) === require('koa/lib/context');
      console.log(require('express/lib/application') === express.application, require('router') === express.Router, isKoas);
    `,
  });
  for (const [plain, expected] of [
    [true, 'true true true'],
    [false, 'true false false'],
  ] as const) {
    const file = join(folder, 'app.cjs');
    const child = start(join(root, 'tests'), plain ? [file] : ['run', file], { plain, env: { NODE_PATH: join(root, 'node_modules') } });
    const { stdout, stderr, code } = await child.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), expected);
  }
});

test('R4: worker threads see Node’s own http', async () => {
  const folder = writeProject({
    'app.cjs': `
      const { Worker } = require('node:worker_threads');
      new Worker(require('path').join(__dirname, 'thread.cjs')).on('message', (ours) => console.log(require('http') === require(${oursHttp}), ours));
    `,
    'thread.cjs': `require('node:worker_threads').parentPort.postMessage(require('http') === require(${oursHttp}));`,
  });
  assert.equal(await output('app.cjs', folder, false), 'true false');
});

test(
  'R5: a Unix socket is not shared by the workers of a cluster',
  { skip: process.platform !== 'linux' && 'needs Unix sockets' },
  async () => {
    const files = {
      'app.cjs': `
      const cluster = require('node:cluster');
      if (cluster.isPrimary) {
        let left = 2;
        const say = (text) => { console.log(text); if (--left === 0) process.exit(0); };
        for (let at = 0; at < 2; at++) cluster.fork().on('message', say);
      } else {
        const server = require('http').createServer((req, res) => res.end('ok'));
        server.on('error', (error) => process.send(error.code)).listen(require('path').join(__dirname, 'socket'), () => process.send('listens'));
      }
    `,
    };
    assert.equal(await output('app.cjs', writeProject(files), true), 'listens\nlistens');
    const lines = (await output('app.cjs', writeProject(files), false)).split('\n');
    assert.deepEqual(lines.toSorted(), ['EADDRINUSE', 'listens']);
  },
);

test('R6: before Node 22.15, an ES module loaded by require() does not find a package that is not installed', async () => {
  const folder = writeProject({
    'app.cjs': `let found; try { found = require('./module.mjs').default.name === 'Application'; } catch (error) { found = error.code; } console.log(found);`,
    'module.mjs': 'import Koa from "koa"; export default Koa;',
    'http.cjs': `console.log(require('./http.mjs').default === require(${oursHttp}));`,
    'http.mjs': 'import http from "http"; export default http;',
  });
  assert.equal(await output('app.cjs', folder, false), hasSyncHooks ? 'true' : 'ERR_MODULE_NOT_FOUND');
  assert.equal(await output('http.cjs', folder, false), 'true');
});

test('R7: gzip of compression is the engine’s, with other bytes and the same content; --no-alias leaves it to Node', async () => {
  const folder = writeProject({
    'app.cjs': `
      const app = require('express')();
      app.use(require('compression')());
      app.get('/', (req, res) => res.json(Array.from({ length: 300 }, (_, id) => ({ id, name: 'Item ' + ((id * 7919) % 1000) }))));
      app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });
    `,
  });
  const file = join(folder, 'app.cjs');
  const replyOf = async (plain: boolean, args: readonly string[]): Promise<{ coded: Buffer; text: string }> => {
    const child = start(join(root, 'tests'), [...args, file], { plain, env: { NODE_PATH: join(root, 'node_modules') } });
    const coded = await fetchCoded(await child.port());
    child.kill('SIGTERM');
    await child.ended;
    return { coded, text: gunzipSync(coded).toString() };
  };
  const stock = await replyOf(true, []);
  const ours = await replyOf(false, ['run']);
  const kept = await replyOf(false, ['run', '--no-alias']);
  assert.equal(ours.text, stock.text);
  assert.ok(!ours.coded.equals(stock.coded));
  assert.ok(kept.coded.equals(stock.coded));
});

test('R7: who has replaced createGzip before the middleware is loaded is called, as on Node', async () => {
  const patch = `const zlib = require('zlib'); const { createGzip } = zlib;
    const value = (options) => { console.log('patched'); return createGzip(options); };
    Object.defineProperty(zlib, 'createGzip', { value, configurable: true });`;
  const app = `const app = require('express')();
    app.use(require('compression')({ threshold: 0 }));
    app.get('/', (req, res) => res.send('content'));
    const server = app.listen(0, '127.0.0.1', () => {
      const options = { port: server.address().port, headers: { 'Accept-Encoding': 'gzip' } };
      require('http').get(options, (res) => (console.log(res.headers['content-encoding']), process.exit()));
    });`;
  const folder = writeProject({ 'first.cjs': patch + app });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  assert.equal(await output('first.cjs', folder, true), 'patched\ngzip');
  assert.equal(await output('first.cjs', folder, false), 'patched\ngzip');
});

/** The content of `/` as it is sent to a client that takes gzip. */
async function fetchCoded(port: number): Promise<Buffer> {
  const [response] = (await once(http.get({ port, headers: { 'Accept-Encoding': 'gzip' } }), 'response')) as [http.IncomingMessage];
  return buffer(response);
}

test('E1: stack traces name files of Fulmar, and the message stays', async () => {
  const folder = writeProject({
    'app.cjs': `
      const app = require('express')();
      app.get('/', () => { throw new Error('no such thing'); });
      app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });
    `,
  });
  for (const [plain, pattern] of [
    [true, /no such thing[^]*node_modules\/router\//],
    [false, /no such thing[^]*(dist\/|fulmar\/)/],
  ] as const) {
    const app = join(folder, 'app.cjs');
    const child = start(join(root, 'tests'), plain ? [app] : ['run', app], { plain, env: { NODE_PATH: join(root, 'node_modules') } });
    assert.match(await fetchText(await child.port()), pattern);
    child.kill('SIGTERM');
    await child.ended;
  }
});

test('E8: members of express/lib/utils can be called; replacing one changes nothing', async () => {
  const folder = writeProject({
    'app.cjs': `
      require('express/lib/utils').wetag = () => 'W/"replaced"';
      const app = require('express')();
      app.get('/', (req, res) => res.send('x'));
      app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });
    `,
  });
  cpSync(join(root, 'node_modules', 'express4'), join(folder, 'node_modules', 'express'), { recursive: true });
  const tags: (string | null)[] = [];
  for (const plain of [true, false]) {
    const child = start(folder, plain ? ['app.cjs'] : ['run', 'app.cjs'], { plain, env: { NODE_PATH: join(root, 'node_modules') } });
    const reply = await fetch(`http://127.0.0.1:${await child.port()}/`, { headers: { Connection: 'close' } });
    tags.push(reply.headers.get('etag'));
    child.kill('SIGTERM');
    await child.ended;
  }
  assert.deepEqual(tags, ['W/"replaced"', 'W/"1-EfatjsUqKYSrqv18O1FlA3hcIHI"']);
});
