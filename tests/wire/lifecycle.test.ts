/**
 * The life of a process and of its servers: drain on SIGTERM, exit in the middle of work, threads, ports.
 * Items 25 and 26.
 */
import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { Child, runChild, startChild } from './harness/child.ts';
import { connect, pool, Probe, send, until } from './harness/client.ts';
import { listen, openDescriptors, startRecorder } from './harness/recorder.ts';
import { http, isNode } from './harness/target.ts';
import { bytes, LAST } from './harness/verdict.ts';

const children: Child[] = [];
after(async () => {
  for (const child of children) await child.stop();
});

function keep(child: Child): Child {
  children.push(child);
  return child;
}

interface Tally {
  replies: number;
  /**
   * The server closed a connection in the moment the client wrote on it; clients send such a request again.
   */
  raced: number;
  errors: string[];
}

/** One keep-alive client: asks until the server says close, or closes between two requests. */
async function client(port: number, tally: Tally, thinkMs: number): Promise<void> {
  const socket = await connect(port);
  let text = '';
  let ended = false;
  let wake: () => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }
  while (!ended) {
    text = '';
    socket.write('GET /fast HTTP/1.1\r\nHost: a\r\n\r\n');
    while (!text.endsWith('fast') && !ended) await new Promise<void>((resolve) => (wake = resolve));
    if (text === '') tally.raced += 1;
    else if (!/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nfast$/.test(text)) tally.errors.push(text);
    else tally.replies += 1;
    if (/\r\nconnection: close\r\n/i.test(text)) break;
    await new Promise((resolve) => setTimeout(resolve, thinkMs));
  }
  socket.destroy();
}

describe('SIGTERM', { skip: isNode ? 'node:http has no drain' : false }, () => {
  test('under load: requests in flight finish, no client sees an error, exit 0', async () => {
    const child = keep(await runChild('drain-app.mjs', []));
    const tally: Tally = { replies: 0, raced: 0, errors: [] };
    const clients = Array.from({ length: 40 }, (_, index) => client(child.port, tally, index % 2 ? 25 : 1));
    const slow = send(child.port, [bytes('GET /slow?900 HTTP/1.1\r\nHost: a\r\n\r\n')]);
    const stream = send(child.port, [bytes('GET /stream?40 HTTP/1.1\r\nHost: a\r\n\r\n')]);
    const upload = connect(child.port).then(async (socket) => {
      socket.write('POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const end = new Promise<void>((resolve) => socket.once('end', () => resolve()));
      for (let i = 0; i < 20; i++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        socket.write('x');
      }
      await end;
      socket.destroy();
      return text;
    });
    const idle = await Promise.all(Array.from({ length: 20 }, () => connect(child.port)));
    const idleEnds = idle.map((socket) => new Promise<void>((resolve) => socket.resume().once('end', () => resolve())));
    await until(() => tally.replies > 300, 'load');
    const at = performance.now();
    child.process.kill('SIGTERM');
    await Promise.all(idleEnds);
    for (const socket of idle) socket.destroy();
    await Promise.all(clients);
    assert.deepEqual(tally.errors, []);
    assert(tally.raced <= 2, `${tally.raced} requests met a connection that was just closed`);
    assert.equal((await slow).replies[0]?.body.toString(), 'slow');
    assert.match((await stream).replies[0]?.body.toString() ?? '', /^(piece){40}done$/);
    assert.match(await upload, /got 20$/);
    assert.deepEqual(await child.exit(), { code: 0, signal: null });
    assert(performance.now() - at < 8_000, 'long before the deadline');
  });
  test('no new connections while it drains', async () => {
    const child = keep(await runChild('drain-app.mjs', []));
    const slow = send(child.port, [bytes('GET /slow?700 HTTP/1.1\r\nHost: a\r\n\r\n')]);
    await send(child.port, [bytes('GET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')]);
    child.process.kill('SIGTERM');
    await until(
      () =>
        connect(child.port).then(
          (socket) => {
            socket.destroy();
            return false;
          },
          (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
        ),
      'connections are refused',
    );
    assert.equal((await slow).replies[0]?.status, 200);
    assert.match(String((await slow).raw), /connection: close/i);
    assert.deepEqual(await child.exit(), { code: 0, signal: null });
  });
  test('a request that never ends is given up after the drain timeout', async () => {
    const child = keep(await runChild('drain-app.mjs', ['--drain-timeout', '1']));
    const socket = await connect(child.port);
    socket.resume().write('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => child.output.includes('HANGING'), 'the request hangs');
    const at = performance.now();
    child.process.kill('SIGTERM');
    assert.deepEqual(await child.exit(), { code: 0, signal: null });
    const took = performance.now() - at;
    assert(took > 900 && took < 15_000, `after ${took.toFixed(0)} ms`);
    socket.destroy();
  });
  test('a second signal ends it at once', async () => {
    const child = keep(await runChild('drain-app.mjs', []));
    const socket = await connect(child.port);
    socket.resume().write('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => child.output.includes('HANGING'), 'the request hangs');
    const idle = await connect(child.port);
    child.process.kill('SIGTERM');
    await new Promise<void>((resolve) => idle.resume().once('end', () => resolve()));
    assert(child.alive);
    const at = performance.now();
    child.process.kill('SIGTERM');
    assert.deepEqual(await child.exit(), { code: null, signal: 'SIGTERM' });
    assert(performance.now() - at < 10_000);
    for (const one of [socket, idle]) one.destroy();
  });
  test('with two workers: the same', async () => {
    const child = keep(await runChild('drain-app.mjs', ['--workers', '2']));
    const tally: Tally = { replies: 0, raced: 0, errors: [] };
    const clients = Array.from({ length: 20 }, () => client(child.port, tally, 5));
    await until(() => tally.replies > 200, 'load');
    child.process.kill('SIGTERM');
    await Promise.all(clients);
    assert.deepEqual(tally.errors, []);
    assert(tally.raced <= 2, `${tally.raced} requests met a connection that was just closed`);
    assert.deepEqual(await child.exit(), { code: 0, signal: null });
  });
});

describe('the end of a process in the middle of work', () => {
  for (const way of ['in-handler', 'after-end', 'in-finish', 'in-data', 'in-write', 'in-microtask', 'in-close']) {
    test(`process.exit() ${way}: its code, no crash, no hang`, async () => {
      const child = keep(await startChild('exit.ts'));
      const request = bytes(`POST /${way} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome`);
      const sockets = await pool(Array.from({ length: 60 }, () => () => connect(child.port)));
      for (const socket of sockets) {
        socket.resume();
        socket.write(request);
      }
      assert.deepEqual(await child.exit(10_000), { code: 7, signal: null }, child.output);
      assert.equal(child.output, '');
      for (const socket of sockets) socket.destroy();
    });
  }
  for (const way of ['close', 'unref']) {
    test(`after server.${way}() the process ends by itself`, async () => {
      const child = keep(new Child('quiet-end.ts', { env: { WIRE_WAY: way } }));
      assert.deepEqual(await child.exit(10_000), { code: 0, signal: null }, child.output);
    });
  }
});

test('servers in worker threads end in every way; the main thread serves on and ends by itself', async () => {
  const child = keep(await startChild('threads.ts'));
  const probe = await Probe.open(child.port);
  let over = false;
  const done = child.message('done', 25_000).finally(() => (over = true));
  while (!over) {
    await probe.check(10_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await done;
  await probe.check();
  probe.close();
  child.process.send('end');
  assert.deepEqual(await child.exit(10_000), { code: 0, signal: null }, child.output);
});

describe('several servers', () => {
  test('in one process have their own limits, connections and end', async () => {
    const small = await startRecorder({ maxHeaderSize: 1_024 });
    const large = await startRecorder({ maxHeaderSize: 32 * 1_024 });
    const request = bytes(`GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ${'a'.repeat(4_000)}\r\n\r\n`);
    assert.equal((await send(small.port, [request])).replies[0]?.status, 431);
    assert.equal((await send(large.port, [request])).replies[0]?.status, 200);
    await small.close();
    assert.equal((await send(large.port, [request])).replies[0]?.status, 200);
    await large.close();
  });
  test('200 of them opened and closed leave no descriptor', async () => {
    const warm = http.createServer();
    await listen(warm);
    await new Promise((resolve) => warm.close(resolve));
    const before = openDescriptors();
    for (let round = 0; round < 10; round++) {
      const servers = Array.from({ length: 20 }, () => http.createServer((_req, res) => res.end('x')));
      const ports = await Promise.all(servers.map(listen));
      const got = await pool(ports.map((port) => () => send(port, [bytes(LAST)])));
      assert(got.every((one) => one.replies[0]?.status === 200));
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    }
    await until(() => openDescriptors() <= before + 1, `descriptors are back (${before} before, ${openDescriptors()} now)`);
  });
  test('a port can be used again at once after close', async () => {
    const first = http.createServer((_req, res) => res.end('first'));
    const port = await listen(first);
    await send(port, [bytes(LAST)]);
    await new Promise((resolve) => first.close(resolve));
    const second = http.createServer((_req, res) => res.end('second'));
    await new Promise<void>((resolve, reject) => second.once('error', reject).listen(port, '127.0.0.1', resolve));
    assert.equal((await send(port, [bytes(LAST)])).replies[0]?.body.toString(), 'second');
    await new Promise((resolve) => second.close(resolve));
  });
});

describe('a port somebody has', () => {
  let blocker: net.Server | null = null;
  const block = async (): Promise<number> => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    blocker = server;
    return (server.address() as AddressInfo).port;
  };
  const free = (): void => void blocker?.close();

  test('is an error event with Node’s code and message; the server can listen elsewhere', async () => {
    const port = await block();
    const server = http.createServer();
    const error = await new Promise<NodeJS.ErrnoException & { port?: number; address?: string }>((resolve) =>
      server.once('error', resolve).listen(port, '127.0.0.1'),
    );
    assert.equal(error.code, 'EADDRINUSE');
    assert.equal(error.syscall, 'listen');
    assert.equal(error.port, port);
    assert.equal(error.message, `listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
    assert.equal(server.listening, false);
    await listen(server);
    await new Promise((resolve) => server.close(resolve));
    free();
  });
  test('ends a process that does not listen for it, with a clear message', async () => {
    const port = await block();
    const child = keep(new Child('port-in-use.ts', { env: { WIRE_PORT: String(port) } }));
    assert.deepEqual(await child.exit(10_000), { code: 1, signal: null });
    assert.match(child.output, /EADDRINUSE: address already in use 127\.0\.0\.1/);
    free();
  });
  test('ends `fulmar run` with a clear message', { skip: isNode ? 'runs on ours only' : false }, async () => {
    const port = await block();
    const child = keep(new Child('drain-app.mjs', { run: [], env: { WIRE_PORT: String(port) } }));
    const exit = await child.exit(10_000);
    assert.equal(exit.code, 1);
    assert.match(child.output, new RegExp(`${port}`));
    free();
  });
});
