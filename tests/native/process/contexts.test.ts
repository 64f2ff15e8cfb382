/**
 * The context of `AsyncLocalStorage` in which errors that nobody caught are told of, and in which callbacks
 * of the system run.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onNative, onNode } from './support.ts';

/** Since this version contexts are frames on Node, as on the QuickJS host. */
const FRAMES_SINCE = 24;

/** Each throws or rejects; what the listener finds in the storage. */
const cases: Readonly<Record<string, readonly [program: string, store: unknown]>> = {
  'a timer': ['als.run(1, () => setTimeout(boom, 1))', 1],
  'an interval': ['als.run(1, () => { const i = setInterval(() => { clearInterval(i); boom(); }, 1) })', 1],
  'a run that is left': ['als.run(1, () => setTimeout(() => als.run(2, boom), 1))', 1],
  'enterWith in a timer': ['setTimeout(() => { als.enterWith(3); boom(); }, 1)', 3],
  'an immediate': ['als.run(1, () => setImmediate(boom))', 1],
  'a tick': ['als.run(1, () => process.nextTick(boom))', 1],
  'enterWith in a tick': ['process.nextTick(() => { als.enterWith(4); boom(); })', 4],
  'a microtask': ['als.run(1, () => queueMicrotask(boom))', 1],
  'a rejection': ['als.run(1, () => { Promise.reject(new Error()) })', 1],
  'a rejection in another context': ['als.run(1, () => { new Promise((_, no) => setTimeout(() => als.run(2, no), 1)) })', 2],
  'an async function': ['als.run(1, async () => { await null; boom(); })', 1],
  'enterWith in an async function': ['als.run(1, async () => { await null; als.enterWith(5); await null; boom(); })', 5],
  'then outside': ['als.run(1, () => Promise.resolve()).then(boom)', 'none'],
  'an emitter': ["als.run(1, () => setTimeout(() => new (require('node:events'))().emit('error', new Error()), 1))", 1],
  'fs.readFile': ["als.run(1, () => require('node:fs').readFile(__filename, boom))", 1],
  'fs.stat': ["als.run(1, () => require('node:fs').stat('/none', boom))", 1],
  randomBytes: ["als.run(1, () => require('node:crypto').randomBytes(4, boom))", 1],
  'dns.lookup': ["als.run(1, () => require('node:dns').lookup('127.0.0.1', boom))", 1],
  gzip: ["als.run(1, () => require('node:zlib').gzip('x', boom))", 1],
  'the exit of a child': ["als.run(1, () => require('node:child_process').spawn('true').on('exit', boom))", 1],
};

const programs = Object.entries(cases).map(([name, [program]]) => `[${JSON.stringify(name)}, () => { ${program} }],`);

const TEXT = `const { AsyncLocalStorage } = require('node:async_hooks');
const als = new AsyncLocalStorage();
const outside = AsyncLocalStorage.snapshot();
const boom = () => { throw new Error(); };
let name = '';
const tell = () => { console.log(JSON.stringify([name, als.getStore() ?? 'none'])); outside(setTimeout, next, 1); };
process.on('uncaughtException', tell);
process.on('unhandledRejection', tell);
const programs = [${programs.join('\n')}];
function next() {
  const [first] = programs.splice(0, 1);
  if (first === undefined) return;
  name = first[0];
  first[1]();
}
outside(setTimeout, next, 1);`;

const HTTP = `const { AsyncLocalStorage } = require('node:async_hooks');
const http = require('fulmar/http');
const { get } = require('node:http');
const als = new AsyncLocalStorage();
const told = [];
process.on('uncaughtException', ({ message }) => told.push([message, als.getStore() ?? 'none']));
const kinds = {
  '/listener': () => { als.enterWith('entered'); throw new Error('listener'); },
  '/finish': (res) => { res.on('finish', () => { throw new Error('finish'); }); res.end(); },
  '/callback': (res) => res.end('x', () => { throw new Error('callback'); }),
  '/tick': (res) => { process.nextTick(() => { throw new Error('tick'); }); res.end(); },
};
const server = http.createServer((req, res) => {
  if (als.getStore() !== undefined) told.push(['leak', als.getStore()]);
  als.run(req.url, () => kinds[req.url](res));
  res.end();
});
const ask = (path) => new Promise((done) => get({ port: server.address().port, path, agent: false }, (res) => res.resume().on('end', done)).on('error', done).setTimeout(200, done));
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/finish', '/tick', '/callback', '/listener', '/finish']) await ask(path);
  console.log(JSON.stringify(told));
  process.exit();
});`;

describe('contexts of what nobody caught', () => {
  test('errors and rejections are told of in the context they come from', async () => {
    const { stdout, stderr } = await onNative(TEXT);
    const expected = Object.entries(cases).map(([name, [, store]]) => `${JSON.stringify([name, store])}\n`);
    assert.equal(stdout, expected.join(''), stderr);
    if (Number.parseInt(process.versions.node, 10) >= FRAMES_SINCE) assert.equal((await onNode(TEXT)).stdout, stdout);
  });

  test('what a callback enters holds until its end, not for the next one', async () => {
    const { stdout } = await onNative(`const als = new (require('node:async_hooks').AsyncLocalStorage)(), fs = require('node:fs');
      fs.stat('/', () => { als.enterWith(1); setTimeout(() => console.log(als.getStore()), 1); setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 2); });
      process.once('SIGUSR2', () => { console.log(als.getStore()); clearInterval(alive); }); const alive = setInterval(() => {}, 1000);`);
    assert.equal(stdout, '1\nundefined\n');
  });

  test("a server's listeners throw in the context of their request", async () => {
    const { stdout, stderr } = await onNative(HTTP);
    const told = [
      ['finish', '/finish'],
      ['tick', '/tick'],
      ['callback', '/callback'],
      ['listener', 'none'],
      ['finish', '/finish'],
    ];
    assert.deepEqual(JSON.parse(stdout), told, stderr);
  });
});
