/**
 * The table of limits: what happens at the limit, and beyond it. Timeouts are set short; nothing sleeps
 * without an end to wait for.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { connect, pool, send, until, type Exchanged } from './harness/client.ts';
import { startRecorder, type Recorder, type RecorderOptions } from './harness/recorder.ts';
import { field } from './harness/reply.ts';
import { http, isNode } from './harness/target.ts';
import { assertAccepted, assertRejected, bytes, LAST, toVerdict, verdictOf } from './harness/verdict.ts';

const KIB = 1024;
/** A timer may fire this much late on a busy machine, in ms. */
const LATE_MS = 4_000;

function statuses(got: Exchanged): number[] {
  return got.replies.map((reply) => reply.status);
}

async function using(options: RecorderOptions, body: (recorder: Recorder) => Promise<void>): Promise<void> {
  const recorder = await startRecorder(options);
  try {
    await body(recorder);
    await recorder.probe.check();
  } finally {
    await recorder.close();
  }
}

function padded(total: number, fields = ''): string {
  const head = `GET /a HTTP/1.1\r\nHost: a\r\n${fields}`;
  const line = 'X-Pad: \r\n';
  return `${head}X-Pad: ${'p'.repeat(total - head.length - line.length - 2)}\r\n\r\n`;
}

describe('sizes of the head', () => {
  let recorder: Recorder;
  before(async () => {
    recorder = await startRecorder({});
  });
  after(() => recorder.close());

  test('a head just below 16 KiB is accepted, one beyond gets 431', async () => {
    await assertAccepted(recorder, padded(16 * KIB - 64), ['GET /a "" end'], { cuts: 'some' });
    await assertRejected(recorder, padded(16 * KIB + 64), 431, { cuts: 'some' });
  });
  test('a head of many short fields beyond 16 KiB gets 431', async () => {
    const lines = `X-A: ${'b'.repeat(20)}\r\n`.repeat(700);
    await assertRejected(recorder, `GET /a HTTP/1.1\r\nHost: a\r\n${lines}\r\n`, 431, { cuts: 'some' });
  });
  test('a head that never ends gets 431 and is not kept', async () => {
    const endless = Buffer.concat([bytes('GET /a HTTP/1.1\r\nHost: a\r\nX-A: '), Buffer.alloc(256 * KIB, 'a')]);
    const got = await send(recorder.port, [endless]);
    assert.deepEqual(statuses(got), [431]);
    assert.equal(got.closed, 'fin');
  });
  test('a request line beyond 8 KiB gets 414', async () => {
    const line = (length: number): string => `GET /${'a'.repeat(length)} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const verdict = await verdictOf(recorder, line(8 * KIB - 64), { cuts: 'some' });
    assert.deepEqual(verdict.statuses, [200, 200]);
    await assertRejected(recorder, line(8 * KIB + 16), 414, { cuts: 'some' });
    const got = await send(recorder.port, [bytes(`GET /${'a'.repeat(64 * KIB)}`)]);
    assert.deepEqual(statuses(got), [414]);
  });
  test('maxHeaderSize moves the limit', async () => {
    await using({ maxHeaderSize: 2 * KIB }, async (small) => {
      await assertAccepted(small, padded(2 * KIB - 64), ['GET /a "" end'], { cuts: 'some' });
      await assertRejected(small, padded(2 * KIB + 64), 431, { cuts: 'some' });
    });
    await using({ maxHeaderSize: 64 * KIB }, async (large) => {
      await assertAccepted(large, padded(60 * KIB), ['GET /a "" end'], { cuts: 'some' });
    });
  });
  test('2,000 fields are accepted, 2,001 get 431, none is dropped silently', async () => {
    const fields = (count: number): string => `GET /a HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(count - 1)}\r\n`;
    await assertAccepted(recorder, fields(2_000), ['GET /a "" end'], { cuts: 'some' });
    const got = await send(recorder.port, [bytes(fields(2_000)), bytes(LAST)]);
    assert.equal(recorder.calls(got.port)[0]?.rawHeaders.length, 4_000);
    await assertRejected(recorder, fields(2_001), 431, { cuts: 'some' });
  });
  test('maxHeadersCount moves the limit', async () => {
    const prepare = (server: Server): void => void (server.maxHeadersCount = 10);
    const fields = (count: number): string => `GET /a HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(count - 1)}\r\n`;
    await using({ prepare }, async (small) => {
      await assertAccepted(small, fields(10), ['GET /a "" end'], { cuts: 'some' });
      await assertRejected(small, fields(11), 431, { cuts: 'some' });
    });
  });
});

describe('maxHeadersCount as Node reads it', () => {
  const fields = (count: number): string => `GET /a HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(count - 1)}\r\n`;
  const countFor = async (value: unknown, lines: number): Promise<number | undefined> => {
    const prepare = (server: Server): void => void Object.assign(server, { maxHeadersCount: value });
    let count: number | undefined;
    await using({ prepare }, async (recorder) => {
      const got = await send(recorder.port, [bytes(fields(lines)), bytes(LAST)]);
      const [first] = recorder.calls(got.port);
      count = first === undefined || first.url !== '/a' ? undefined : first.rawHeaders.length / 2;
    });
    return count;
  };
  // 3,900 lines: what a head of 16 KiB holds at the most is 4,096 of them.
  for (const value of [0, -1, 0.5, Number.NaN, Infinity, -Infinity, 1e9, 2 ** 31]) {
    test(`${value} lets in what fits into a head`, async () => {
      assert.equal(await countFor(value, 3_900), 3_900);
    });
  }
  for (const value of [null, undefined, '10', true]) {
    test(`${JSON.stringify(value)} leaves the default`, async () => {
      assert.equal(await countFor(value, 900), 900);
      const count = await countFor(value, 3_900);
      // Node drops the rest silently, by the piece.
      assert(isNode ? (count ?? 0) < 1_200 : count === undefined, `${count} lines`);
    });
  }
  test('a limit too high for any head sets no memory aside, a head that is too large is refused all the same', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const prepare = (server: Server): void => void (server.maxHeadersCount = 1e9);
    await using({ prepare }, async (recorder) => {
      assert(process.memoryUsage().arrayBuffers - before < 16 * 1024 * KIB);
      await assertRejected(recorder, fields(5_000), 431, { cuts: 'some' });
    });
  });
  test('a limit that is raised while the server listens is the limit of the next head', async () => {
    await using({}, async (recorder) => {
      recorder.server.maxHeadersCount = 0;
      const got = await send(recorder.port, [bytes(fields(3_900)), bytes(LAST)]);
      assert.equal(recorder.calls(got.port)[0]?.rawHeaders.length, 7_800);
    });
  });
});

describe('sizes inside chunked content', () => {
  const head = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  let recorder: Recorder;
  before(async () => {
    recorder = await startRecorder({});
  });
  after(() => recorder.close());

  const refused = async (content: string, status: number): Promise<void> => {
    const verdict = await verdictOf(recorder, head + content, { inContent: true, cuts: 'some' });
    assert.deepEqual(verdict.statuses, [status]);
    assert.deepEqual(verdict.calls, []);
    assert.equal(verdict.closed, 'fin');
  };
  test('chunk extensions beyond 16 KiB in one body get 413, in one chunk or in many', async () => {
    await refused(`5;a=${'b'.repeat(17 * KIB)}\r\nhello\r\n0\r\n\r\n`, 413);
    await refused(`${`1;a=${'b'.repeat(96)}\r\nh\r\n`.repeat(200)}0\r\n\r\n`, 413);
    const fine = `${`1;a=${'b'.repeat(60)}\r\nh\r\n`.repeat(200)}0\r\n\r\n`;
    await assertAccepted(recorder, head + fine, [`POST /a ${JSON.stringify('h'.repeat(200))} end`], { cuts: 'some' });
  });
  test('a trailer section beyond the budget of the head gets 431', async () => {
    await refused(`0\r\nX-A: ${'b'.repeat(17 * KIB)}\r\n\r\n`, 431);
    await refused(`0\r\n${'a:\r\n'.repeat(5_000)}\r\n`, 431);
  });
});

describe('times', () => {
  const within = (got: Exchanged, limitMs: number): void => {
    assert(got.tookMs >= limitMs - 20 && got.tookMs <= limitMs + LATE_MS, `closed after ${got.tookMs.toFixed(0)} ms, limit ${limitMs}`);
  };
  const part = 'GET /a HTTP/1.1\r\nHost: a\r\nX-A:';
  test('a head that does not end in time gets 408', async () => {
    await using({ headersTimeout: 300, connectionsCheckingInterval: 50 }, async (recorder) => {
      const got = await send(recorder.port, [bytes(part)]);
      assert.deepEqual(statuses(got), [408]);
      assert.equal(field(got.replies[0] ?? assert.fail(), 'connection')?.toLowerCase(), 'close');
      assert.equal(got.closed, 'fin');
      within(got, 300);
      assert.deepEqual(toVerdict(recorder, got).calls, []);
    });
  });
  test('the time of a head is absolute: progress does not renew it', async () => {
    await using({ headersTimeout: 400, connectionsCheckingInterval: 50 }, async (recorder) => {
      const from = performance.now();
      const pieces = Array.from({ length: 60 }, () => Buffer.from('a'));
      const got = await send(recorder.port, [bytes(part), ...pieces], { gapMs: 40 });
      assert.deepEqual(statuses(got), [408]);
      assert(performance.now() - from < 60 * 40 + LATE_MS);
      assert.deepEqual(toVerdict(recorder, got).calls, []);
    });
  });
  test('the time of a head runs from its first byte, also on a connection used before', async () => {
    await using({ headersTimeout: 400, connectionsCheckingInterval: 50 }, async (recorder) => {
      const got = await send(recorder.port, [bytes('GET /a HTTP/1.1\r\nHost: a\r\n\r\n'), bytes(part)], { gapMs: 600 });
      assert.deepEqual(statuses(got), [200, 408]);
      within(got, 400);
    });
  });
  test('a connection that sends nothing is closed', async () => {
    await using(
      { headersTimeout: 300, keepAliveTimeout: 300, probeReconnects: true, connectionsCheckingInterval: 50 },
      async (recorder) => {
        const got = await send(recorder.port, []);
        assert.notEqual(got.closed, 'open');
        assert(statuses(got).every((status) => status === 408));
      },
    );
  });
  test('content that does not end in time gets 408, the body stream errors', async () => {
    await using({ headersTimeout: 300, requestTimeout: 500, connectionsCheckingInterval: 50 }, async (recorder) => {
      const got = await send(recorder.port, [bytes('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhel')]);
      assert.deepEqual(statuses(got), [408]);
      assert.equal(got.closed, 'fin');
      within(got, 500);
      const call = recorder.calls(got.port)[0] ?? assert.fail('no call');
      await until(() => call.events.includes('close'), 'the request closes');
      assert(!call.events.includes('end'));
      assert(
        call.events.some((event) => event.startsWith('error')),
        call.events.join(', '),
      );
    });
  });
  test('an idle connection is closed after keepAliveTimeout, without a word', async () => {
    await using({ keepAliveTimeout: 300, probeReconnects: true }, async (recorder) => {
      const got = await send(recorder.port, [bytes('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')]);
      assert.deepEqual(statuses(got), [200]);
      assert.equal(got.closed, 'fin');
      within(got, 300);
    });
  });
  test('an idle connection in use is not closed', async () => {
    await using({ keepAliveTimeout: 400, probeReconnects: true }, async (recorder) => {
      const request = bytes('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
      const got = await send(
        recorder.port,
        Array.from({ length: 6 }, () => request),
        { gapMs: 150 },
      );
      assert.deepEqual(statuses(got), [200, 200, 200, 200, 200, 200]);
    });
  });
  test('a slow handler is not the peer’s fault', async () => {
    const handler: RecorderOptions['handler'] = (_req, res) => void setTimeout(() => res.end('late'), 900);
    await using({ headersTimeout: 200, requestTimeout: 300, keepAliveTimeout: 200, probeReconnects: true, handler }, async (recorder) => {
      const got = await send(recorder.port, [bytes('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')]);
      assert.deepEqual(statuses(got), [200]);
    });
  });
  test('defaults are those of the table', () => {
    const server = http.createServer();
    assert.equal(server.headersTimeout, isNode ? 60_000 : 15_000);
    assert.equal(server.requestTimeout, 300_000);
    assert.equal(server.keepAliveTimeout, isNode ? 5_000 : 72_000);
    assert.equal(server.timeout, 0);
    assert.equal(server.maxHeadersCount, isNode ? null : server.maxHeadersCount);
    assert.equal(server.maxRequestsPerSocket, 0);
  });
});

describe('connections and requests on them', () => {
  test('maxRequestsPerSocket: the last reply says close, requests beyond get 503', async () => {
    const prepare = (server: Server): void => void (server.maxRequestsPerSocket = 2);
    await using({ prepare, probeReconnects: true }, async (recorder) => {
      const request = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';
      const got = await send(recorder.port, [bytes(request), bytes(request), bytes(LAST)]);
      assert.deepEqual(statuses(got).slice(0, 2), [200, 200]);
      assert(
        statuses(got)
          .slice(2)
          .every((status) => status === 503),
      );
      assert.equal(field(got.replies[1] ?? assert.fail(), 'connection'), 'close');
      assert.equal(recorder.calls(got.port).length, 2);
      assert.notEqual(got.closed, 'open');
    });
  });
  test('connections beyond maxConnections are closed at once and reported; places are free again', async () => {
    const drops: unknown[] = [];
    const prepare = (server: Server): void => {
      server.maxConnections = 4;
      server.on('drop', (data) => drops.push(data));
    };
    await using({ prepare }, async (recorder) => {
      const held = await Promise.all(Array.from({ length: 3 }, () => connect(recorder.port)));
      const beyond = await pool(Array.from({ length: 5 }, () => () => send(recorder.port, [])));
      assert(beyond.every((got) => got.closed !== 'open' && got.raw.length === 0 && got.tookMs < 2_000));
      await until(() => drops.length === 5, `5 drops, ${drops.length} reported`);
      for (const socket of held) socket.destroy();
      const count = (): Promise<number> => new Promise((resolve) => recorder.server.getConnections((_e, n) => resolve(n)));
      await until(async () => (await count()) === 1, 'only the probe is left');
      const got = await send(recorder.port, [bytes(LAST)]);
      assert.deepEqual(statuses(got), [200]);
    });
  });
  test('16 pipelined requests are parsed ahead, not more', async () => {
    let waiting = 0;
    const release: (() => void)[] = [];
    const handler: RecorderOptions['handler'] = (_req, res) => {
      waiting += 1;
      release.push(() => res.end('ok'));
    };
    await using({ handler }, async (recorder) => {
      const sent = send(recorder.port, [bytes('GET /a HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(99) + LAST)]);
      await until(() => waiting > 0, 'a first request');
      await recorder.probe.check();
      await recorder.probe.check();
      const ahead = waiting;
      const timer = setInterval(() => release.splice(0).forEach((go) => go()), 1);
      const got = await sent;
      clearInterval(timer);
      assert.equal(got.replies.length, 100);
      assert(isNode || ahead <= 17, `${ahead} requests were given out ahead`);
    });
  });
});

describe('content and replies nobody reads', () => {
  test('content nobody reads stops the sender, not the memory', async () => {
    let stop: () => void = () => {};
    const handler: RecorderOptions['handler'] = (req, res) => {
      req.pause();
      stop = () => {
        req.resume();
        req.on('end', () => res.end('read'));
      };
    };
    await using({ handler, collect: false, requestTimeout: 0 }, async (recorder) => {
      const socket = await connect(recorder.port);
      const total = 24 * KIB * KIB;
      socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`);
      const before = process.memoryUsage().rss;
      socket.write(Buffer.alloc(total));
      let drained = false;
      socket.once('drain', () => (drained = true));
      for (let i = 0; i < 20; i++) await recorder.probe.check();
      assert.equal(drained, false, 'the sender waits');
      const grown = process.memoryUsage().rss - before;
      assert(grown < total + 24 * KIB * KIB, `grown by ${grown} bytes`);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stop();
      await once(socket, 'end');
      assert.match(text, /read$/);
      socket.destroy();
    });
  });
  test(
    'a reply without progress is reset after writeTimeout; the handler is told',
    { skip: isNode ? 'node:http has no such limit' : false },
    async () => {
      let closed = 0;
      const handler: RecorderOptions['handler'] = (_req, res) => {
        res.on('close', () => (closed += 1));
        res.write(Buffer.alloc(8 * KIB * KIB));
      };
      await using({ handler, writeTimeout: 400 }, async (recorder) => {
        const socket = await connect(recorder.port);
        socket.pause();
        socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
        const from = performance.now();
        await until(() => closed === 1, 'the reply closes', 400 + LATE_MS + 2_000);
        const took = performance.now() - from;
        assert(took >= 380, `reset after ${took} ms`);
        socket.destroy();
      });
    },
  );
  test('write() returns false at 64 KiB and drain follows', async () => {
    const answers: boolean[] = [];
    let drains = 0;
    const handler: RecorderOptions['handler'] = (_req, res) => {
      res.on('drain', () => {
        drains += 1;
        res.end();
      });
      for (let i = 0; i < 400; i++) answers.push(res.write(Buffer.alloc(64 * KIB)));
    };
    if (isNode) return;
    await using({ handler }, async (recorder) => {
      const socket = await connect(recorder.port);
      socket.pause();
      socket.write('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await until(() => answers.length > 0, 'the handler runs');
      assert.equal(answers.includes(false), true);
      socket.resume();
      await until(() => socket.readableEnded || socket.destroyed, 'the end');
      socket.destroy();
      assert(drains <= 1);
    });
  });
  test(
    'a handler that ignores back-pressure is cut off at the hard cap',
    { skip: isNode ? 'node:http has no such limit' : false },
    async () => {
      let closed = 0;
      const handler: RecorderOptions['handler'] = (_req, res) => {
        res.on('error', () => {});
        res.on('close', () => (closed += 1));
        let left = 60;
        // One write, or the writes of one tick, may be as large as they like; going on after "wait" may not.
        const timer = setInterval(() => {
          left -= 1;
          if (left === 0 || res.destroyed) clearInterval(timer);
          else res.write(Buffer.alloc(KIB * KIB));
        }, 1);
      };
      await using({ handler }, async (recorder) => {
        const socket = await connect(recorder.port);
        socket.pause();
        socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
        await until(() => closed === 1, 'the reply closes');
        socket.destroy();
      });
    },
  );
});
