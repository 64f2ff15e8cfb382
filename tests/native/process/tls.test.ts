/**
 * What of TLS concerns the whole process: the environment's word on certificates, and exceptions in an
 * application's own check.
 */
import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import process from 'node:process';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { NODE_MAJOR } from '../harness/host.ts';
import { certified, trusting } from '../modules/tls-peers.ts';
import { alike, onNative, onNode } from './support.ts';

const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
const skip = isNewest ? false : `compared with Node ${NODE_MAJOR} only`;

/**
 * `ask(options)` tells what becomes of a request to a server whose certificate an authority of our own
 * signed.
 */
const SERVER = `
const https = require('node:https'), tls = require('node:tls');
const ca = ${JSON.stringify(trusting('root').ca)};
const server = https.createServer(${JSON.stringify(certified('leaf'))}, (req, res) => res.end('content'));
server.on('tlsClientError', () => {});
let port;
const ask = (options) => new Promise((resolve) => {
  const tell = (...words) => { console.log(...words); resolve(); };
  const request = https.get({ host: '127.0.0.1', servername: 'localhost', port, agent: false, ...options }, (response) => {
    tell(response.socket.authorized, response.socket.authorizationError);
    response.resume();
  });
  request.on('error', (error) => tell('error', error.code ?? error.message));
  request.on('close', () => tell('closed'));
});
const begin = (program) => server.listen(0, '127.0.0.1', async () => {
  port = server.address().port;
  await program();
  process.exit();
});`;

const TRUST = `${SERVER}
begin(async () => {
  await ask({});
  await ask({});
  for (const rejectUnauthorized of [undefined, true, false]) await ask({ rejectUnauthorized });
  await ask({ agent: new https.Agent() });
  await fetch(\`https://127.0.0.1:\${port}/\`).then(async (reply) => console.log(await reply.text()), (error) => console.log(error.cause.code));
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
  await ask({});
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  await ask({});
});`;

const THROWS = `${SERVER}
begin(() => ask({ ca, checkServerIdentity() {
throw new Error('mine')
} }));`;

const WAITS = `
require('node:tls').createServer({ ...${JSON.stringify(certified('leaf'))}, SNICallback() {} })
  .on('tlsClientError', () => {})
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const FLOOD_BYTES = 64e6;
/** Sockets of both sides hold this much at most. */
const TAKEN_MAX = 24e6;
const STILL_MS = 500;

/**
 * Sends a first message and, when that must have come, whatever is taken; how many bytes were, when no more
 * are.
 */
async function flood(port: number): Promise<number> {
  const raw = connectSocket(port, '127.0.0.1');
  raw.on('error', () => undefined);
  await new Promise((resolve) => raw.once('connect', resolve));
  const socket = new Duplex({ read: () => undefined, write: (chunk: Buffer, _encoding, done) => raw.write(chunk, done) });
  connect({ socket, servername: 'localhost', rejectUnauthorized: false }).on('error', () => undefined);
  await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  const record = Buffer.concat([Buffer.from('1603034000', 'hex'), Buffer.alloc(16_384)]);
  for (let sent = 0; sent < FLOOD_BYTES; sent += record.length) raw.write(record);
  const taken = (): number => raw.bytesWritten - raw.writableLength;
  let before = -1;
  while (taken() !== before) {
    before = taken();
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  }
  raw.destroy();
  return before;
}

describe('TLS and the process', { concurrency: 2 }, () => {
  for (const value of ['0', '1', '']) {
    test(`NODE_TLS_REJECT_UNAUTHORIZED=${value} is heeded and warned of as in Node`, { skip }, async () => {
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: value };
      const [node, native] = await Promise.all([onNode(TRUST, { env }), onNative(TRUST, { env })]);
      assert.equal(native.stdout, node.stdout);
      assert.equal(alike(native.stderr), alike(node.stderr));
      assert.equal(native.code, node.code);
    });
  }

  test('what a client sends before SNICallback has answered is not all kept', async () => {
    let flooded: Promise<number> | undefined;
    const { signal, stderr } = await onNative(WAITS, {
      onOutput: (child, stdout) => {
        flooded ??= flood(Number(stdout)).finally(() => child.kill('SIGTERM'));
        flooded.catch(() => undefined);
      },
    });
    const taken = (await flooded) as number;
    assert.ok(taken < TAKEN_MAX, `${taken} bytes were taken`);
    assert.deepEqual([signal, stderr], ['SIGTERM', '']);
  });

  test('what checkServerIdentity throws is an uncaught exception', { skip }, async () => {
    const [node, native] = await Promise.all([onNode(THROWS), onNative(THROWS)]);
    assert.deepEqual([native.stdout, native.code], [node.stdout, node.code]);
    assert.equal(native.code, 1);
    assert.match(native.stderr, /Error: mine/);
  });

  test('a process that goes on after it sends nothing to a peer that nobody has approved', async () => {
    const goesOn = THROWS.replace('begin(', "process.on('uncaughtException', (error) => console.log('uncaught', error.message));\nbegin(");
    const { stdout, code } = await onNative(goesOn);
    assert.deepEqual([stdout, code], ['uncaught mine\nerror ECONNRESET\nclosed\n', 0]);
  });
});
