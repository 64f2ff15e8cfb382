/**
 * Slow peers, greedy peers, many peers, and handlers that misbehave. Items 15, 16 and 19; each server is a
 * process of its own.
 */
import assert from 'node:assert/strict';
import type net from 'node:net';
import { after, describe, test } from 'node:test';
import { startChild, type Child, type ChildOptions } from './harness/child.ts';
import { connect, pool, Probe, send, until } from './harness/client.ts';
import { isNode } from './harness/target.ts';
import { bytes, LAST } from './harness/verdict.ts';

const MIB = 1024 * 1024;

interface Stats {
  calls: number;
  reqClose: number;
  resClose: number;
  aborted: number;
  contentErrors: number;
  finished: number;
  buffered: number;
  dropped: number;
  connections: number;
}

function stats(child: Child): Promise<Stats> {
  return child.ask<Stats>('stats');
}

const children: Child[] = [];
after(async () => {
  for (const child of children) await child.stop();
});

async function start(options: object = {}, more: ChildOptions = {}): Promise<Child> {
  const child = await startChild('serve.ts', {
    execArgv: ['--expose-gc'],
    ...more,
    env: { WIRE_OPTIONS: JSON.stringify(options), ...more.env },
  });
  children.push(child);
  return child;
}

/**
 * Runs `body` against a fresh server; afterwards it lives, serves, and has let go of connections and
 * descriptors.
 */
async function using(options: object, body: (child: Child, probe: Probe) => Promise<void>, more: ChildOptions = {}): Promise<void> {
  const child = await start(options, more);
  const probe = await Probe.open(child.port, true);
  await probe.check();
  const before = child.descriptors();
  await body(child, probe);
  assert(child.alive, child.output);
  await probe.check();
  await until(async () => (await stats(child)).connections <= 1, 'connections are gone', 8_000);
  await until(() => child.descriptors() <= before + 2, `descriptors are back (${before} before, ${child.descriptors()} now)`);
  probe.close();
  await child.stop();
}

/** A busy machine may be this late, in ms; still well before the default limit of 15 s. */
const LATE_MS = 9_000;
/** Of others while 5,000 sockets dribble, in ms. */
const MEDIAN_MS = 1_000;

async function connectAll(port: number, count: number): Promise<net.Socket[]> {
  return pool(
    Array.from({ length: count }, () => () => connect(port)),
    200,
  );
}

function ended(socket: net.Socket): Promise<{ text: string; at: number }> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const done = (): void => resolve({ text, at: performance.now() });
    socket.once('end', done);
    socket.once('close', done);
  });
}

describe('slow peers', { concurrency: 4 }, () => {
  test('5,000 sockets dribbling a head are each closed with 408 in time; others keep their latency', async () => {
    const count = 5_000;
    const limitMs = 3_000;
    await using({ headersTimeout: limitMs, connectionsCheckingInterval: 100 }, async (child, probe) => {
      const sockets: net.Socket[] = [];
      const began: number[] = [];
      const ends: Promise<{ text: string; at: number }>[] = [];
      await pool(
        Array.from({ length: count }, (_, index) => async () => {
          // Before the server can know of it: a busy client may learn late that it is connected.
          began[index] = performance.now();
          const socket = await connect(child.port);
          sockets.push(socket);
          ends[index] = ended(socket);
          socket.write('G');
        }),
        200,
      );
      let at = 1;
      const head = 'GET / HTTP/1.1\r\nX: ';
      const timer = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(head[at] ?? 'x');
        at += 1;
      }, 700);
      const latencies: number[] = [];
      let over = false;
      const all = Promise.all(ends).finally(() => (over = true));
      while (!over) {
        latencies.push(await probe.check(5_000));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      clearInterval(timer);
      const results = await all;
      for (const [index, { text, at: closedAt }] of results.entries()) {
        assert.match(text, /^HTTP\/1\.1 408 /);
        const took = closedAt - (began[index] ?? 0);
        assert(took > limitMs - 250 && took < limitMs + LATE_MS, `socket ${index} closed after ${took.toFixed(0)} ms`);
      }
      latencies.sort((a, b) => a - b);
      const median = latencies[latencies.length >> 1] ?? 0;
      assert(median < MEDIAN_MS, `the median latency of others was ${median.toFixed(1)} ms`);
      for (const socket of sockets) socket.destroy();
      assert.equal((await stats(child)).calls, 0);
    });
  });
  test(
    'content below the minimum rate gets 408 and the body stream errors',
    { skip: isNode ? 'node:http has no such limit' : false },
    async () => {
      await using({}, async (child) => {
        const socket = await connect(child.port);
        const end = ended(socket);
        socket.write('POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
        const from = performance.now();
        const timer = setInterval(() => socket.writable && socket.write('x'), 100);
        const { text, at } = await end;
        clearInterval(timer);
        socket.destroy();
        assert.match(text, /^HTTP\/1\.1 408 /);
        assert(at - from > 4_900 && at - from < 5_000 + LATE_MS, `closed after ${at - from} ms`);
        const told = await stats(child);
        assert.deepEqual([told.calls, told.contentErrors, told.reqClose], [1, 1, 1]);
      });
    },
  );
  test('content above the minimum rate takes as long as it takes', { skip: isNode ? 'node:http has no such limit' : false }, async () => {
    await using({}, async (child) => {
      const socket = await connect(child.port);
      const end = ended(socket);
      socket.write('POST /read HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 7000\r\n\r\n');
      let left = 7_000;
      const timer = setInterval(() => {
        if (left > 0) socket.write('x'.repeat(100));
        left -= 100;
      }, 100);
      const { text } = await end;
      clearInterval(timer);
      socket.destroy();
      assert.match(text, /^HTTP\/1\.1 200 /);
    });
  });
  test('a client that never reads a 100 MB reply costs no memory and is reset', async () => {
    await using({ writeTimeout: 1_500 }, async (child, probe) => {
      const before = child.rss();
      const sockets = await connectAll(child.port, 10);
      for (const socket of sockets) {
        socket.pause();
        socket.write(`GET /big?${100 * MIB} HTTP/1.1\r\nHost: a\r\n\r\n`);
      }
      await until(async () => (await stats(child)).calls === 10, 'the handlers run');
      for (let i = 0; i < 10; i++) await probe.check();
      const told = await stats(child);
      assert(told.buffered < MIB, `${told.buffered} bytes buffered`);
      const grown = child.rss() - before;
      assert(grown < 40 * MIB, `grown by ${grown} bytes for 1,000 MB of replies`);
      if (isNode) for (const socket of sockets) socket.destroy();
      await until(async () => (await stats(child)).resClose === 10, 'the handlers are told');
      for (const socket of sockets) socket.destroy();
    });
  });
});

describe('many peers', () => {
  test('10,000 idle keep-alive connections take at most 8 KiB each', async () => {
    const count = 9_000;
    await using({}, async (child, probe) => {
      const warm = await pool(Array.from({ length: 200 }, () => () => send(child.port, [bytes(LAST)])));
      assert.equal(warm.length, 200);
      await stats(child);
      const before = child.rss();
      const sockets = await connectAll(child.port, count);
      await pool(
        sockets.map((socket) => async () => {
          const got = new Promise((resolve) => socket.once('data', resolve));
          socket.write('GET /plain HTTP/1.1\r\nHost: a\r\n\r\n');
          await got;
        }),
        200,
      );
      await stats(child);
      await stats(child);
      const each = (child.rss() - before) / count;
      await probe.check();
      for (const socket of sockets) socket.destroy();
      assert(each <= 8 * 1024, `${each.toFixed(0)} bytes for each`);
    });
  });
  test('more connections than descriptors: accepting pauses without a busy loop, and goes on', async () => {
    await using(
      {},
      async (child, probe) => {
        const sockets = await connectAll(child.port, 400);
        const answers = sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              for (const event of ['data', 'end', 'close']) socket.once(event, () => resolve());
            }),
        );
        for (const socket of sockets) socket.write('GET /plain HTTP/1.1\r\nHost: a\r\n\r\n');
        await Promise.race(answers);
        await probe.check();
        const cpu = child.cpu();
        const from = performance.now();
        while (performance.now() - from < 600) {
          await probe.check();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const used = child.cpu() - cpu;
        assert(used < 300, `${used} ms of CPU in 600 ms of waiting`);
        assert(child.alive, child.output);
        for (const socket of sockets.slice(0, 300)) socket.destroy();
        await Promise.all(answers.slice(300));
        for (const socket of sockets) socket.destroy();
        const got = await send(child.port, [bytes(LAST)]);
        assert.equal(got.replies[0]?.status, 200);
      },
      { descriptors: 256 },
    );
  });
  test('100,000 pipelined requests in one write are fair to others', async () => {
    await using({}, async (child, probe) => {
      const count = 100_000;
      const socket = await connect(child.port);
      let newlines = 0;
      socket.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf('HTTP/1.1 200'); at >= 0; at = chunk.indexOf('HTTP/1.1 200', at + 1)) newlines += 1;
      });
      const end = new Promise<void>((resolve) => socket.once('end', () => resolve()));
      socket.write(
        'GET /plain HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count - 1) + 'GET /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      );
      const latencies: number[] = [];
      let over = false;
      const done = end.then(() => (over = true));
      while (!over) latencies.push(await probe.check(10_000));
      await done;
      socket.destroy();
      assert(newlines > count * 0.98, `${newlines} replies seen`);
      latencies.sort((a, b) => a - b);
      const worst = latencies.at(-1) ?? 0;
      assert(worst < 1_000, `the slowest of ${latencies.length} other requests took ${worst.toFixed(0)} ms`);
    });
  });
  test('storms of connect, send, reset: handlers are told once each', async () => {
    await using({}, async (child, probe) => {
      const storm = async (request: string): Promise<void> => {
        const socket = await connect(child.port);
        await new Promise<void>((resolve) => socket.write(request, () => resolve()));
        await new Promise<void>((resolve) => setImmediate(resolve));
        socket.resetAndDestroy();
      };
      const requests = [
        'GET /hang HTTP/1.1\r\nHost: a\r\n\r\n',
        'POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc',
        'POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe',
        `GET /big?${MIB} HTTP/1.1\r\nHost: a\r\n\r\n`,
        'GET /slow?30 HTTP/1.1\r\nHost: a\r\n\r\nGET /slow?30 HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET /a HTT',
      ];
      const count = 3_000;
      await pool(
        Array.from({ length: count }, (_, index) => () => storm(requests[index % requests.length] ?? '')),
        100,
      );
      await until(async () => {
        const told = await stats(child);
        return told.reqClose >= told.calls;
      }, 'every handler is told');
      const told = await stats(child);
      assert(told.calls > 0 && told.calls <= count, `${told.calls} calls`);
      assert.equal(told.reqClose, told.calls, 'once');
      // As in Node, the reply to a request that still waits behind another is not told.
      assert(told.resClose <= told.calls && told.contentErrors <= told.calls && told.aborted <= told.calls);
      await probe.check();
    });
  });
});

describe('handlers that misbehave', () => {
  test('a handler that loops blocks others only as long as it loops', async () => {
    await using({}, async (child, probe) => {
      const looping = send(child.port, [bytes('GET /spin?1500 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')]);
      await until(() => true, 'a turn');
      const others = await pool(Array.from({ length: 50 }, () => () => send(child.port, [bytes(LAST)])));
      assert(others.every((got) => got.replies[0]?.status === 200));
      assert.equal((await looping).replies[0]?.status, 200);
      await probe.check();
    });
  });
  for (const [where, expected] of Object.entries({
    throw: [],
    'throw-later': [],
    'reject-later': [],
    'throw-after-head': [],
    'throw-in-stream': [],
  })) {
    test(`${where}: an application that survives it serves on, the rest of the batch is served`, async () => {
      const child = await startChild('misbehave.ts', { env: { WIRE_SURVIVE: '1' } });
      children.push(child);
      const probe = await Probe.open(child.port);
      const bad = bytes(`POST /${where} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`);
      const jobs = Array.from({ length: 60 }, (_, index) => async () => {
        if (index % 3 > 0) return (await send(child.port, [bytes(LAST)])).replies[0]?.status;
        const got = await send(child.port, [bad], { deadlineMs: 800 });
        assert(got.replies.length <= 1 && got.replies.every((reply) => reply.cut || reply.status === 500), `${expected}`);
        return 0;
      });
      const results = await pool(jobs, 60);
      assert(
        results.every((status) => status === 200 || status === 0),
        results.join(' '),
      );
      await probe.check();
      probe.close();
      await child.stop();
    });
  }
  test('without a listener for uncaughtException the process ends as with node:http', async () => {
    const child = await startChild('misbehave.ts');
    children.push(child);
    await send(child.port, [bytes('GET /throw HTTP/1.1\r\nHost: a\r\n\r\n')]);
    const exit = await child.exit(10_000);
    assert.deepEqual(exit, { code: 1, signal: null });
    assert.match(child.output, /Error: thrown on purpose/);
  });
  for (const where of ['throw', 'reject', 'next', 'throw-object', 'async-throw']) {
    test(`Express: a handler that fails by ${where} is answered with 500 once`, async () => {
      const child = await startChild('misbehave-express.ts');
      children.push(child);
      const probe = await Probe.open(child.port);
      const results = await pool(
        Array.from({ length: 30 }, () => () => send(child.port, [bytes(`GET /${where} HTTP/1.1\r\nHost: a\r\n\r\n${LAST}`)])),
        10,
      );
      for (const got of results) {
        assert.deepEqual(
          got.replies.map((reply) => reply.status),
          [500, 404],
        );
      }
      const late = await send(child.port, [bytes('GET /after-head HTTP/1.1\r\nHost: a\r\n\r\n')]);
      assert.equal(late.replies.length, 1);
      assert.equal(late.replies[0]?.cut, true, 'a reply that has begun is cut off, not completed');
      await probe.check();
      probe.close();
      await child.stop();
    });
  }
});
