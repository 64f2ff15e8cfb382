/**
 * How long fetch waits for a server that says nothing: undici's limits, here made short, on Node and on the
 * QuickJS host.
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, test } from 'node:test';
import { NODE_MAJOR } from '../harness/host.ts';
import { onNative, onNode } from './support.ts';

const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
const skip = isNewest ? false : `compared with Node ${NODE_MAJOR} only`;

/** undici counts in steps of half a second. */
const LIMIT_MS = 300;

/** Node's own limits are those of its dispatcher. */
const SHORT_ON_NODE = `
await fetch('data:,');
const key = Symbol.for('undici.globalDispatcher.2'), limit = ${LIMIT_MS};
globalThis[key] = new globalThis[key].constructor({ headersTimeout: limit, bodyTimeout: limit, connectTimeout: limit });`;

const program = (before: string): string => `(async () => {
${before}
const net = require('node:net');
const show = (error) => [error.constructor.name, error.name, error.message.replace(/:\\d+,/, ':PORT,'), error.code, error.cause && show(error.cause)];
const serving = async (reply, use) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => reply(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const what = await use('127.0.0.1:' + server.address().port).catch(show);
  console.log(JSON.stringify(what));
};
const head = 'HTTP/1.1 200 OK\\r\\ncontent-length: 6\\r\\n\\r\\n';
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = async (url, init) => (await fetch('http://' + url, init)).text();
const slow = async function* () {
  for (let n = 0; n < 8; n++) { await later(300); yield Buffer.from('x'); }
};
await Promise.all([
  serving(() => {}, (url) => text(url)),
  serving(() => {}, (url) => text(url, { method: 'POST', body: 'content' })),
  serving((socket) => socket.write(head.slice(0, 20)), (url) => text(url)),
  serving((socket) => socket.write(head), (url) => text(url)),
  serving((socket) => socket.write(head + 'abc'), (url) => text(url)),
  serving(() => {}, (url) => fetch('https://' + url)),
  // What is slow, and not silent: the server, the client's content, the reader.
  serving(async (socket) => { for (const part of [head, ...'abcdef']) { socket.write(part); await later(200); } }, (url) => text(url)),
  serving(async (socket) => { await later(2200); socket.write(head + 'abcdef'); }, (url) => text(url, { method: 'POST', body: slow(), duplex: 'half' })),
  serving((socket) => socket.write(head + 'abcdef'), async (url) => { const reply = await fetch('http://' + url); await later(2000); return reply.text(); }),
]);
process.exit();
})();`;

describe('fetch and servers that say nothing', () => {
  test('errors are those of Node', { skip }, async () => {
    const env = { FULMAR_NATIVE_FETCH_LIMIT_MS: String(LIMIT_MS) };
    const [node, native] = await Promise.all([onNode(program(SHORT_ON_NODE)), onNative(program(''), { env })]);
    const lines = (text: string): string[] => text.trim().split('\n').sort();
    assert.deepEqual(lines(native.stdout), lines(node.stdout));
    assert.equal(lines(native.stdout).length, 9);
    assert.equal(native.stderr, '');
  });
});
