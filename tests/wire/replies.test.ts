/**
 * Replies: what an application gives cannot break the framing of what a peer reads. Items 20 and 21.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { send, type Exchanged } from './harness/client.ts';
import { startRecorder } from './harness/recorder.ts';
import { isNode, loadExpress, type ExpressResponse } from './harness/target.ts';
import { bytes, LAST } from './harness/verdict.ts';

type Reply = (res: ServerResponse, req: IncomingMessage) => void;

interface Answered {
  readonly got: Exchanged;
  /** Codes of what was thrown or emitted, in order. */
  readonly codes: readonly string[];
  readonly statuses: readonly number[];
}

/** What an application does that catches its own errors. */
function fail(res: ServerResponse): void {
  if (res.headersSent && res.writableEnded) return;
  try {
    if (res.headersSent) return void res.end();
    res.writeHead(500, 'Failed');
    res.end();
  } catch {
    res.destroy();
  }
}

/** One request (and `LAST` behind it) answered by `reply`; whatever it does, others are served. */
async function answer(reply: Reply, request = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'): Promise<Answered> {
  const codes: string[] = [];
  const recorder = await startRecorder({
    handler: (req, res) => {
      if (req.url === '/last') return void res.end('last');
      res.on('error', (error: NodeJS.ErrnoException) => codes.push(`event ${error.code}`));
      try {
        reply(res, req);
      } catch (error) {
        codes.push((error as NodeJS.ErrnoException).code ?? String(error));
        fail(res);
      }
    },
  });
  try {
    const heads = request.startsWith('HEAD') ? [0] : [];
    const got = await send(recorder.port, [bytes(request + LAST)], { heads, deadlineMs: 3_000 });
    await recorder.probe.check();
    return { got, codes, statuses: got.replies.map((one) => one.status) };
  } finally {
    await recorder.close();
  }
}

const BAD = { CR: '\r', LF: '\n', CRLF: '\r\nX-Evil: 1\r\n\r\n', NUL: '\0', DEL: '\x7f' };

describe('bytes that would end a line', () => {
  const ways: Record<string, (res: ServerResponse, bad: string) => void> = {
    'setHeader value': (res, bad) => res.setHeader('X-A', `b${bad}c`),
    'setHeader value in an array': (res, bad) => res.setHeader('X-A', ['fine', `b${bad}c`]),
    'appendHeader value': (res, bad) => void res.appendHeader('X-A', `b${bad}c`),
    'setHeaders value': (res, bad) => void res.setHeaders(new Map([['X-A', `b${bad}c`]])),
    'writeHead value': (res, bad) => void res.writeHead(200, { 'X-A': `b${bad}c` }),
    'writeHead value in a raw array': (res, bad) => void res.writeHead(200, ['X-A', `b${bad}c`]),
    'a cookie': (res, bad) => res.setHeader('Set-Cookie', [`a=b${bad}c`]),
    'a redirect target': (res, bad) => void res.writeHead(302, { Location: `/b${bad}c` }),
    'statusMessage in writeHead': (res, bad) => void res.writeHead(200, `O${bad}K`),
    'a trailer value': (res, bad) => {
      res.setHeader('Trailer', 'X-T');
      res.addTrailers({ 'X-T': `b${bad}c` });
    },
  };
  for (const [way, use] of Object.entries(ways)) {
    test(`in ${way} throw ERR_INVALID_CHAR`, async () => {
      for (const bad of Object.values(BAD)) {
        const { got, codes, statuses } = await answer((res) => use(res, bad));
        assert.deepEqual(codes, ['ERR_INVALID_CHAR']);
        assert.deepEqual(statuses, [500, 200]);
        assert(!got.raw.includes('Evil'), got.raw.toString('latin1'));
      }
    });
  }
  const names: Record<string, (res: ServerResponse, bad: string) => void> = {
    setHeader: (res, bad) => res.setHeader(`X${bad}A`, 'b'),
    appendHeader: (res, bad) => void res.appendHeader(`X${bad}A`, 'b'),
    writeHead: (res, bad) => void res.writeHead(200, { [`X${bad}A`]: 'b' }),
    addTrailers: (res, bad) => res.addTrailers({ [`X${bad}A`]: 'b' }),
  };
  for (const [way, use] of Object.entries(names)) {
    test(`in a name given to ${way} throw ERR_INVALID_HTTP_TOKEN`, async () => {
      for (const bad of [...Object.values(BAD), ' ', ':', '\xe9', '(']) {
        const { codes, statuses } = await answer((res) => use(res, bad));
        assert.deepEqual(codes, ['ERR_INVALID_HTTP_TOKEN']);
        assert.deepEqual(statuses, [500, 200]);
      }
    });
  }
  test('in statusMessage throw ERR_INVALID_CHAR', async () => {
    for (const bad of Object.values(BAD)) {
      const { got, codes } = await answer((res) => {
        res.statusMessage = `O${bad}K`;
        res.end('x');
      });
      assert.equal(codes[0], 'ERR_INVALID_CHAR');
      assert(!got.raw.includes('Evil'), got.raw.toString('latin1'));
    }
  });
  test('in 103 hints throw', async () => {
    const { got, codes } = await answer((res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload', 'X-A': 'b\r\nX-Evil: 1' });
      res.end('x');
    });
    assert(codes.length === 1 || !got.raw.includes('\r\nX-Evil'), got.raw.toString('latin1'));
  });
  test('characters beyond latin1 in a value throw', async () => {
    for (const bad of ['\u0100', '\u{1f600}', '\u560d\u560a']) {
      const { codes } = await answer((res) => res.setHeader('X-A', bad));
      assert.deepEqual(codes, ['ERR_INVALID_CHAR']);
    }
  });
  test('invalid status codes throw ERR_HTTP_INVALID_STATUS_CODE', async () => {
    for (const status of [0, 99, 1000, -1, Number.NaN, '200\r\nX-Evil: 1', {}]) {
      const { got, codes } = await answer((res) => void res.writeHead(status as number));
      assert(codes.length === 0 || codes[0] === 'ERR_HTTP_INVALID_STATUS_CODE', codes.join());
      assert(!got.raw.includes('\r\nX-Evil'));
    }
  });
});

describe('Express: redirect targets, cookies and headers', () => {
  const express = loadExpress();
  const cases: Record<string, (res: ExpressResponse) => void> = {
    redirect: (res) => res.redirect('/b\r\nX-Evil: 1'),
    location: (res) => void res.location('/b\r\nX-Evil: 1').send('x'),
    'cookie value': (res) => void res.cookie('a', 'b\r\nX-Evil: 1').send('x'),
    'cookie name': (res) => void res.cookie('a\r\nX-Evil: 1', 'b').send('x'),
    'cookie path': (res) => void res.cookie('a', 'b', { path: '/\r\nX-Evil: 1' }).send('x'),
    'cookie domain': (res) => void res.cookie('a', 'b', { domain: 'a\r\nX-Evil: 1' }).send('x'),
    set: (res) => void res.set('X-A', 'b\r\nX-Evil: 1').send('x'),
    type: (res) => void res.set('Content-Type', 'a/b\r\nX-Evil: 1').send('x'),
  };
  for (const [name, use] of Object.entries(cases)) {
    test(`${name} cannot add a line`, async () => {
      const app = express();
      app.set('env', 'test');
      app.get('/a', (_req, res) => use(res));
      const recorder = await startRecorder({ handler: (req, res) => app(req, res), collect: false });
      try {
        const got = await send(recorder.port, [bytes(`GET /a HTTP/1.1\r\nHost: a\r\n\r\n${LAST}`)]);
        assert.equal(got.replies.length, 2);
        for (const one of got.replies) assert(!one.fields.some(([field]) => field === 'X-Evil'));
      } finally {
        await recorder.close();
      }
    });
  }
});

describe('replies in the wrong order', () => {
  type Row = readonly [name: string, reply: Reply, codes: readonly string[], statuses: readonly number[]];
  const rows: readonly Row[] = [
    [
      'write after end',
      (res) => {
        res.end('a');
        res.write('b');
      },
      ['event ERR_STREAM_WRITE_AFTER_END'],
      [200, 200],
    ],
    [
      'end twice',
      (res) => {
        res.end('a');
        res.end('b');
      },
      ['event ERR_STREAM_WRITE_AFTER_END'],
      [200, 200],
    ],
    [
      'end twice without content',
      (res) => {
        res.end('a');
        res.end();
      },
      [],
      [200, 200],
    ],
    [
      'setHeader after end',
      (res) => {
        res.end('a');
        res.setHeader('X-A', 'b');
      },
      ['ERR_HTTP_HEADERS_SENT'],
      [200, 200],
    ],
    [
      'writeHead twice',
      (res) => {
        res.writeHead(200, { 'Content-Length': 1 });
        res.writeHead(200);
      },
      ['ERR_HTTP_HEADERS_SENT'],
      [200],
    ],
    [
      'removeHeader after the head',
      (res) => {
        res.end('a');
        res.removeHeader('X-A');
      },
      ['ERR_HTTP_HEADERS_SENT'],
      [200, 200],
    ],
    ['write of null', (res) => void res.write(null), ['ERR_STREAM_NULL_VALUES'], [500, 200]],
    ['write of a number', (res) => void res.write(1 as never), ['ERR_INVALID_ARG_TYPE'], [500, 200]],
    ['end of an object', (res) => void res.end({} as never), ['ERR_INVALID_ARG_TYPE'], [500, 200]],
    [
      'trailers after end',
      (res) => {
        res.end('a');
        res.addTrailers({ 'X-A': 'b' });
      },
      [],
      [200, 200],
    ],
  ];
  for (const [name, reply, codes, statuses] of rows) {
    test(name, async () => {
      const answered = await answer(reply);
      assert.deepEqual(answered.codes, codes);
      assert.deepEqual(answered.statuses.slice(0, statuses.length), statuses);
      for (const one of answered.got.replies) assert(one.body.length <= 4, one.body.toString());
    });
  }
});

describe('content that does not fit the head', () => {
  test('more than Content-Length with strictContentLength throws and sends no more', async () => {
    const { got, codes } = await answer((res) => {
      res.strictContentLength = true;
      res.setHeader('Content-Length', 2);
      res.end('hello');
    });
    assert.deepEqual(codes, ['ERR_HTTP_CONTENT_LENGTH_MISMATCH']);
    assert(!got.raw.includes('hello'));
  });
  test('more than Content-Length is never taken for the next reply', async () => {
    const { got } = await answer((res) => {
      res.setHeader('Content-Length', 2);
      res.end('hiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
    });
    assert(!got.replies.some((one) => one.body.toString() === 'evil'), got.raw.toString('latin1'));
  });
  test('more than Content-Length, streamed, is never taken for the next reply', async () => {
    const { got } = await answer((res) => {
      res.writeHead(200, { 'Content-Length': 2 });
      res.write('hi');
      res.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
      res.end();
    });
    assert(!got.replies.some((one) => one.body.toString() === 'evil'), got.raw.toString('latin1'));
  });
  test('less than Content-Length: the next reply is never taken for content', async () => {
    for (const streamed of [false, true]) {
      const { got } = await answer((res) => {
        res.writeHead(200, { 'Content-Length': 10 });
        if (streamed) res.write('he');
        res.end('llo');
      });
      assert.equal(got.replies[0]?.cut, true, `the reply is cut: ${got.raw.toString('latin1')}`);
      assert(!got.raw.includes('last'), 'the next reply is not sent behind it');
      assert.notEqual(got.closed, 'open');
    }
  });
  for (const [status, framing] of [
    [204, 'Content-Length: 5'],
    [304, 'Content-Length: 5'],
    [204, 'Transfer-Encoding: chunked'],
    [304, 'Transfer-Encoding: chunked'],
    [204, ''],
    [304, ''],
  ] as const) {
    test(`${status} with content${framing && ` and ${framing}`}: none is sent, the next reply is readable`, async () => {
      const { got, statuses } = await answer((res) => {
        const [name, value] = framing.split(': ');
        if (name && value) res.setHeader(name, value);
        res.statusCode = status;
        res.write('he');
        res.end('llo');
      });
      assert.equal(statuses[0], status);
      assert(statuses.length === 2 ? statuses[1] === 200 : got.closed === 'fin', 'goes on or closes');
      assert(!got.raw.includes('llo'));
    });
  }
  test('HEAD with content: none is sent, the next reply is readable', async () => {
    for (const streamed of [false, true]) {
      const { got, statuses } = await answer((res) => {
        if (streamed) res.write('hello');
        res.end('hello');
      }, 'HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n');
      assert.deepEqual(statuses, [200, 200]);
      assert(!got.raw.includes('hello'));
    }
  });
  test('HTTP/1.0 gets no chunks', async () => {
    const { got } = await answer((res) => {
      res.write('he');
      res.end('llo');
    }, 'GET /a HTTP/1.0\r\n\r\n');
    const reply = got.replies[0] ?? assert.fail();
    assert(!reply.fields.some(([name]) => name.toLowerCase() === 'transfer-encoding'));
    assert.equal(reply.body.toString(), 'hello');
    assert.equal(got.closed, 'fin');
  });
  const GIVEN_AWAY: Readonly<Record<string, (res: ServerResponse, bytes: Uint8Array<ArrayBuffer>) => void>> = {
    'of one write': (res, given) => void res.write(given),
    'of several writes': (res, given) => {
      res.write('before');
      res.write(given);
    },
    'while corked': (res, given) => {
      res.cork();
      res.write(given);
      res.write('behind');
      process.nextTick(() => res.uncork());
    },
  };
  for (const [label, write] of Object.entries(GIVEN_AWAY)) {
    test(
      `bytes ${label} that are transferred in the same tick: the reply is cut`,
      { skip: isNode ? 'Node sends chunks without data' : false },
      async () => {
        const { got, codes } = await answer((res) => {
          const given = new Uint8Array(2000).fill(65);
          write(res, given);
          structuredClone(given, { transfer: [given.buffer] });
          setImmediate(() => res.end('end'));
        });
        assert.deepEqual([got.replies, codes], [[], []]);
      },
    );
  }
  test('bytes that were transferred before they are written are none', async () => {
    const { got } = await answer((res) => {
      const given = Buffer.alloc(2000);
      structuredClone(given, { transfer: [given.buffer as ArrayBuffer] });
      res.write('before');
      res.write(given);
      res.end('end');
    });
    assert.equal(got.replies[0]?.body.toString(), 'beforeend');
  });
  test('a reply given up in the middle is cut, not completed', async () => {
    for (const fields of [{ 'Content-Length': '10' }, { 'Transfer-Encoding': 'chunked' }]) {
      const { got } = await answer((res) => {
        res.writeHead(200, fields);
        res.write('half');
        setImmediate(() => res.destroy());
      });
      assert(
        got.replies.every((one) => one.cut),
        'no reader can take it for complete',
      );
      assert.notEqual(got.closed, 'open');
    }
  });
});
