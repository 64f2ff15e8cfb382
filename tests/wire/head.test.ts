/**
 * The head: request line and field lines, read strictly, at a cost that grows with its length only. Items 9
 * to 14.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pool, send } from './harness/client.ts';
import { startRecorder, type Recorder } from './harness/recorder.ts';
import { defineRows } from './harness/rows.ts';
import { assertAccepted, assertRejected, bytes, LAST, toVerdict, verdictOf } from './harness/verdict.ts';

function get(fields: string, target = '/a'): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
}

function line(requestLine: string): string {
  return `${requestLine}\r\nHost: a\r\n\r\n`;
}

function hosted(fields: string, target = '/a'): string {
  return `GET ${target} HTTP/1.1\r\n${fields}\r\n`;
}

let recorder: Recorder;
before(async () => {
  recorder = await startRecorder();
});
after(() => recorder.close());

const { rejects, accepts } = defineRows(() => recorder);

describe('field lines', () => {
  rejects([
    ['LF alone after the request line', 'GET /a HTTP/1.1\nHost: a\r\n\r\n'],
    ['LF alone after a field', 'GET /a HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n'],
    ['LF alone as the end of the head', 'GET /a HTTP/1.1\r\nHost: a\r\n\n'],
    ['LF alone everywhere', 'GET /a HTTP/1.1\nHost: a\n\n'],
    ['CR alone after the request line', 'GET /a HTTP/1.1\rHost: a\r\n\r\n'],
    ['CR alone after a field', 'GET /a HTTP/1.1\r\nHost: a\rX-A: b\r\n\r\n'],
    ['CR alone inside a value', get('X-A: b\rc\r\n')],
    ['CR alone inside a name', get('X\rA: b\r\n')],
    ['CR CR LF after a field', get('X-A: b\r\r\n')],
    ['CR and something else instead of the end', 'GET /a HTTP/1.1\r\nHost: a\r\n\rX\r\n\r\n'],
    ['a fold with a space', get('X-A: b\r\n c\r\n')],
    ['a fold with a tab', get('X-A: b\r\n\tc\r\n')],
    ['a fold of nothing', get('X-A: b\r\n \r\n')],
    ['a space before the first field', 'GET /a HTTP/1.1\r\n Host: a\r\n\r\n'],
    ['a tab before the first field', 'GET /a HTTP/1.1\r\n\tHost: a\r\n\r\n'],
    ['a space before the colon', get('X-A : b\r\n')],
    ['a tab before the colon', get('X-A\t: b\r\n')],
    ['a space inside a name', get('X A: b\r\n')],
    ['an empty name', get(': b\r\n')],
    ['an empty name as the first field', 'GET /a HTTP/1.1\r\n: b\r\nHost: a\r\n\r\n'],
    ['a line without a colon', get('X-A\r\n')],
    ['a line without a colon at the end', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A\r\n\r\n'],
    ['a request line twice', 'GET /a HTTP/1.1\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a name with latin1', get('X-\xe9: b\r\n')],
  ]);
  accepts([
    ['an empty value', get('X-A:\r\n'), 'GET /a "" end'],
    ['a value of white space', get('X-A: \t \r\n'), 'GET /a "" end'],
    ['no space after the colon', get('X-A:b\r\n'), 'GET /a "" end'],
    ['every token character in a name', get("!#$%&'*+-.^_`|~09azAZ: b\r\n"), 'GET /a "" end'],
    ['a colon in a value', get('X-A: b:c\r\n'), 'GET /a "" end'],
  ]);
  for (const code of [...'\0\x01\x08\x0b\x0c\x1b\x7f "(),/;<=>?@[\\]{}\x80\xff'].map((c) => c.charCodeAt(0))) {
    test(`rejects a name with 0x${code.toString(16)}`, () =>
      assertRejected(recorder, get(`X${String.fromCharCode(code)}A: b\r\n`), 400, { cuts: 'some' }));
  }
  const controls = Array.from({ length: 0x20 }, (_, code) => code).filter((code) => ![0x09, 0x0a, 0x0d].includes(code));
  for (const code of [...controls, 0x7f]) {
    const char = String.fromCharCode(code);
    test(`rejects a value with 0x${code.toString(16)}`, async () => {
      await assertRejected(recorder, get(`X-A: b${char}c\r\n`), 400, { cuts: 'some' });
      await assertRejected(recorder, get(`X-A: ${char}\r\n`), 400, { cuts: 'some' });
    });
  }
  test('keeps 0x80 to 0xff in a value as latin1 and does not trim them', async () => {
    const high = Array.from({ length: 0x80 }, (_, at) => String.fromCharCode(0x80 + at)).join('');
    const text = get(`X-A: \x85\xa0${high}\x85\xa0 \t\r\n`);
    await assertAccepted(recorder, text, ['GET /a "" end'], { cuts: 'some' });
    const got = await send(recorder.port, [bytes(text), bytes(LAST)]);
    assert.deepEqual(recorder.calls(got.port)[0]?.rawHeaders, ['Host', 'a', 'X-A', `\x85\xa0${high}\x85\xa0`]);
  });
  test('an answered request is not undone by a broken one behind it', async () => {
    const verdict = await verdictOf(recorder, `${get('')}GET /b HTTP/1.1\r\nHost : b\r\n\r\n`);
    assert.deepEqual(verdict.statuses, [200, 400]);
    assert.deepEqual(verdict.calls, ['GET /a "" end']);
  });
});

describe('Host', () => {
  rejects([
    ['no Host on HTTP/1.1', 'GET /a HTTP/1.1\r\nX-A: b\r\n\r\n'],
    ['no field at all on HTTP/1.1', 'GET /a HTTP/1.1\r\n\r\n'],
    ['two equal Host fields', hosted('Host: a\r\nHost: a\r\n')],
    ['two different Host fields', hosted('Host: a\r\nX-A: b\r\nhost: b\r\n')],
    ['two Host fields on HTTP/1.0', 'GET /a HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a list', hosted('Host: a, b\r\n')],
    ['a list without a space', hosted('Host: a,b\r\n')],
    ['an empty Host', hosted('Host:\r\n')],
    ['a blank Host', hosted('Host:  \t\r\n')],
    ['user information', hosted('Host: user@a\r\n')],
    ['user information with a password', hosted('Host: user:pass@a\r\n')],
    ['a path', hosted('Host: a/b\r\n')],
    ['a query', hosted('Host: a?b\r\n')],
    ['a fragment', hosted('Host: a#b\r\n')],
    ['a backslash', hosted('Host: a\\b\r\n')],
    ['a scheme', hosted('Host: http://a\r\n')],
    ['a space inside', hosted('Host: a b\r\n')],
    ['a port that is no number', hosted('Host: a:b\r\n')],
    ['a port beyond 65535', hosted('Host: a:65536\r\n')],
    ['a negative port', hosted('Host: a:-1\r\n')],
    ['two ports', hosted('Host: a:1:2\r\n')],
    ['a port without a host', hosted('Host: :80\r\n')],
    ['an IPv6 address without brackets', hosted('Host: ::1\r\n')],
    ['an open bracket', hosted('Host: [::1\r\n')],
    ['text after the bracket', hosted('Host: [::1]x\r\n')],
    ['a bad Host with an absolute-form target', hosted('Host: a, b\r\n', 'http://b/a')],
    ['user information in an absolute-form target', get('', 'http://user@b/a')],
    ['an absolute-form target without a host', get('', 'http:///a')],
    ['a bad port in an absolute-form target', get('', 'http://b:x/a')],
  ]);
  accepts([
    ['a name with a port', hosted('Host: a.example:8080\r\n'), 'GET /a "" end'],
    ['an IPv4 address', hosted('Host: 127.0.0.1:80\r\n'), 'GET /a "" end'],
    ['an IPv6 address', hosted('Host: [::1]:80\r\n'), 'GET /a "" end'],
    ['a name with an underscore', hosted('Host: a_b\r\n'), 'GET /a "" end'],
    ['an absolute-form target', get('', 'http://b.example/a?c=d'), 'GET http://b.example/a?c=d "" end'],
  ]);
  test('no Host on HTTP/1.1 is answered like Node, and a clientError listener is not asked', async () => {
    const errors: string[] = [];
    const listening = await startRecorder({
      prepare: (server) => {
        server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
          errors.push(error.code ?? error.message);
          socket.end('HTTP/1.1 400 Own Words\r\nConnection: close\r\n\r\n');
        });
      },
    });
    for (const method of ['GET', 'HEAD', 'POST']) {
      const text = `${method} /a HTTP/1.1\r\nX-A: b\r\n\r\n`;
      await assertRejected(listening, text, 400);
      const got = await send(listening.port, [bytes(text)]);
      const names = got.replies[0]?.fields.map(([name]) => name);
      assert.deepEqual(names, ['Connection', 'Date', ...(method === 'HEAD' ? [] : ['Transfer-Encoding'])]);
      assert.equal(got.replies[0]?.body.length, 0);
    }
    assert.deepEqual(errors, []);
    await listening.close();
  });
  test('HTTP/1.0 needs no Host', async () => {
    const verdict = await verdictOf(recorder, 'GET /a HTTP/1.0\r\nX-A: b\r\n\r\n');
    assert.deepEqual(verdict.statuses, [200]);
    assert.deepEqual(verdict.calls, ['GET /a "" end']);
  });
  test('the authority of an absolute-form target wins over Host', async () => {
    const got = await send(recorder.port, [bytes(get('X-A: b\r\n', 'http://b.example:81/a')), bytes(LAST)]);
    assert.equal(recorder.calls(got.port)[0]?.headers.host, 'b.example:81');
  });
});

describe('the request line', () => {
  rejects([
    ['two spaces after the method', line('GET  /a HTTP/1.1')],
    ['two spaces before the version', line('GET /a  HTTP/1.1')],
    ['a tab after the method', line('GET\t/a HTTP/1.1')],
    ['a tab before the version', line('GET /a\tHTTP/1.1')],
    ['a space before the method', line(' GET /a HTTP/1.1')],
    ['a space after the version', line('GET /a HTTP/1.1 ')],
    ['a space in the target', line('GET /a b HTTP/1.1')],
    ['a tab in the target', line('GET /a\tb HTTP/1.1')],
    ['a NUL in the target', line('GET /a\0b HTTP/1.1')],
    ['a control byte in the target', line('GET /a\x01b HTTP/1.1')],
    ['a DEL in the target', line('GET /a\x7fb HTTP/1.1')],
    ['a vertical tab in the target', line('GET /a\x0bb HTTP/1.1')],
    ['0x80 in the target', line('GET /a\x80 HTTP/1.1')],
    ['latin1 in the target', line('GET /\xe9 HTTP/1.1')],
    ['UTF-8 in the target', line('GET /\xc3\xa9 HTTP/1.1')],
    ['a fragment', line('GET /a#b HTTP/1.1')],
    ['a fragment in an absolute-form target', line('GET http://a/b#c HTTP/1.1')],
    ['an empty target', line('GET  HTTP/1.1')],
    ['a target that is no path', line('GET a HTTP/1.1')],
    ['no target', line('GET HTTP/1.1')],
    ['HTTP/1.2', line('GET /a HTTP/1.2'), 505],
    ['HTTP/1.9', line('GET /a HTTP/1.9'), 505],
    ['HTTP/2.0', line('GET /a HTTP/2.0'), [400, 505]],
    ['HTTP/3.0', line('GET /a HTTP/3.0'), [400, 505]],
    ['HTTP/0.9', line('GET /a HTTP/0.9'), [400, 505]],
    ['http/1.1', line('GET /a http/1.1'), [400, 505]],
    ['HTTP/1.10', line('GET /a HTTP/1.10'), [400, 505]],
    ['HTTP/01.1', line('GET /a HTTP/01.1'), [400, 505]],
    ['HTTP/1', line('GET /a HTTP/1'), [400, 505]],
    ['HTTP/1,1', line('GET /a HTTP/1,1'), [400, 505]],
    ['HTTPS/1.1', line('GET /a HTTPS/1.1'), [400, 505]],
    ['another protocol', line('GET /a ICY/1.1'), [400, 505]],
    ['no slash in the version', line('GET /a HTTP1.1'), [400, 505]],
    ['an unknown method', line('FOO /a HTTP/1.1'), [400, 501]],
    ['a lower case method', line('get /a HTTP/1.1'), [400, 501]],
    ['a method with a bad character', line('G(T /a HTTP/1.1'), [400, 501]],
    ['an empty method', line(' /a HTTP/1.1'), [400, 501]],
    ['a long unknown method', line(`${'A'.repeat(300)} /a HTTP/1.1`), [400, 501]],
  ]);
  accepts([
    ['OPTIONS *', line('OPTIONS * HTTP/1.1'), 'OPTIONS * "" end'],
    ['a query', line('GET /a?b=c&d HTTP/1.1'), 'GET /a?b=c&d "" end'],
    ['an escaped NUL: it is a name for the router', line('GET /a%00b HTTP/1.1'), 'GET /a%00b "" end'],
    ['a target of two slashes', line('GET //a HTTP/1.1'), 'GET //a "" end'],
    ['characters RFC 3986 excludes but browsers send', line('GET /a|b"{}^`<>[] HTTP/1.1'), 'GET /a|b"{}^`<>[] "" end'],
  ]);
  test('CONNECT without a listener is refused with 405, reaches no handler and the connection closes', async () => {
    const verdict = await verdictOf(recorder, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    assert.deepEqual(verdict.calls, []);
    assert.equal(verdict.closed, 'fin');
    assert.equal(verdict.statuses.join(), '405');
  });
  test('an HTTP/0.9 request is rejected at once', async () => {
    for (const text of ['GET /a\r\n', 'GET /\r\n']) {
      const verdict = await verdictOf(recorder, text, { bare: true });
      assert.deepEqual(verdict, { statuses: [400], bodies: [], closed: 'fin', calls: [] });
    }
  });
  test('every method Node knows is accepted', async () => {
    const known = [
      'DELETE',
      'PATCH',
      'PUT',
      'OPTIONS',
      'PROPFIND',
      'PURGE',
      'REPORT',
      'SEARCH',
      'M-SEARCH',
      'TRACE',
      'LINK',
      'BIND',
      'SOURCE',
      'QUERY',
    ];
    for (const method of known.filter((name) => name !== 'QUERY')) {
      await assertAccepted(recorder, line(`${method} /a HTTP/1.1`), [`${method} /a "" end`], { cuts: 'some' });
    }
  });
  test('an empty line before the request line has one verdict', async () => {
    const verdict = await verdictOf(recorder, `\r\n${get('')}`);
    assert(['400', '200,200'].includes(verdict.statuses.join()), verdict.statuses.join());
  });
});

describe('bytes that are no HTTP/1', () => {
  test('rejects the HTTP/2 preface', () => assertRejected(recorder, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505], { bare: true }));
  test('rejects a TLS hello', async () => {
    const hello = Buffer.from('160301020001000 1fc0303'.replace(' ', ''), 'hex');
    const rest = Buffer.alloc(508, 0x5a);
    const verdict = await verdictOf(recorder, Buffer.concat([hello, rest]), { bare: true, cuts: 'some' });
    assert.deepEqual(verdict, { statuses: [400], bodies: [], closed: 'fin', calls: [] });
  });
  test('random bytes never reach a handler', async () => {
    let state = 0x2545f491;
    const next = (): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
    const samples = Array.from({ length: 300 }, () => Buffer.from(Array.from({ length: 1 + (next() % 400) }, () => next() & 0xff)));
    const results = await pool(samples.map((sample) => () => send(recorder.port, [sample], { halfClose: true })));
    for (const got of results) {
      assert.notEqual(got.closed, 'open');
      assert.deepEqual(toVerdict(recorder, got).calls, []);
    }
    await recorder.probe.check();
  });
  test('a valid head with one byte changed is never read in two ways', async () => {
    const head = bytes('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nX-A: b\r\n\r\nabc');
    const values = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x2c, 0x3a, 0x7f, 0xff];
    const jobs = Array.from(head).flatMap((_, at) =>
      values.map((value) => async () => {
        const changed = Buffer.from(head);
        changed[at] = value;
        const run = async (pieces: Buffer[]): Promise<unknown> => {
          const verdict = toVerdict(recorder, await send(recorder.port, pieces, { halfClose: true }));
          return { ...verdict, calls: verdict.calls.filter((call) => call.endsWith(' end')) };
        };
        const whole = await run([changed, bytes(LAST)]);
        const cut = await run(
          [changed.subarray(0, at), changed.subarray(at, at + 1), changed.subarray(at + 1), bytes(LAST)].filter((p) => p.length > 0),
        );
        assert.deepEqual(cut, whole, `byte ${at} set to 0x${value.toString(16)}`);
      }),
    );
    await pool(jobs);
    await recorder.probe.check();
  });
});

describe('names that mean something to JavaScript', () => {
  test('are plain data in headers', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__', 'prototype'];
    const text = get(names.map((name) => `${name}: evil\r\n`).join(''));
    await assertAccepted(recorder, text, ['GET /a "" end'], { cuts: 'some' });
    const got = await send(recorder.port, [bytes(text), bytes(LAST)]);
    const call = recorder.calls(got.port)[0] ?? assert.fail('no call');
    for (const name of names) {
      const key = name.toLowerCase();
      assert.equal(Object.getOwnPropertyDescriptor(call.headers, key)?.value, 'evil', key);
    }
    assert.equal(Object.getOwnPropertyDescriptor(Object.prototype, 'evil'), undefined);
    assert.equal(({} as Record<string, unknown>)['constructor'], Object);
  });
});

test('a head of one byte per packet costs the same per byte, however long it is', async () => {
  const wide = await startRecorder({ maxHeaderSize: 1 << 20 });
  const cost = async (length: number): Promise<number> => {
    const head = bytes(get(`X-A: ${'a'.repeat(length)}\r\nConnection: close\r\n`));
    const pieces = Array.from(head, (_, at) => head.subarray(at, at + 1));
    const from = process.cpuUsage();
    const got = await send(wide.port, pieces, { deadlineMs: 60_000 });
    const { user, system } = process.cpuUsage(from);
    assert.equal(got.replies[0]?.status, 200);
    return (user + system) / head.length;
  };
  await cost(2_000);
  const [short, long] = [await cost(4_000), await cost(48_000)];
  await wide.close();
  assert(long < 2 * short + 2, `${short.toFixed(1)} µs per byte at 4,000 bytes, ${long.toFixed(1)} at 48,000`);
});
