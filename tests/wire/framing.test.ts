/**
 * Framing: where a message ends is decided one way only, whatever the bytes and however they are cut. Items 1
 * to 8.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect, pool, send, until } from './harness/client.ts';
import { echo, startRecorder, type Handler, type Recorder } from './harness/recorder.ts';
import { field } from './harness/reply.ts';
import { defineRows } from './harness/rows.ts';
import { assertAccepted, bytes, LAST, toVerdict, verdictOf } from './harness/verdict.ts';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** `/early` answers without reading; everything else reads the content first. */
const handler: Handler = (req, res, call) => {
  if (req.url?.startsWith('/early')) return void res.end('early');
  return echo(req, res, call);
};

function post(fields: string, content = ''): string {
  return `POST /a HTTP/1.1\r\nHost: a\r\n${fields}\r\n${content}`;
}

function length(value: string, content = 'hello'): string {
  return post(`Content-Length:${value}\r\n`, content);
}

function coding(value: string, content = '5\r\nhello\r\n0\r\n\r\n'): string {
  return post(`Transfer-Encoding:${value}\r\n`, content);
}

function chunked(content: string): string {
  return coding(' chunked', content);
}

let recorder: Recorder;
before(async () => {
  recorder = await startRecorder({ handler });
});
after(() => recorder.close());

const { rejects, accepts } = defineRows(() => recorder);

describe('Content-Length and Transfer-Encoding together, or a length twice', () => {
  const body = '5\r\nhello\r\n0\r\n\r\n';
  rejects([
    ['Content-Length, then Transfer-Encoding', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', body)],
    ['Transfer-Encoding, then Content-Length', post('Transfer-Encoding: chunked\r\nContent-Length: 15\r\n', body)],
    ['Content-Length 0 with Transfer-Encoding', post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', body)],
    ['the two in odd letter case', post('cOnTeNt-LeNgTh: 5\r\ntRANSFER-eNCODING: chunked\r\n', body)],
    ['the two on a GET', `GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${body}`],
    ['Content-Length with an unknown coding', post('Content-Length: 5\r\nTransfer-Encoding: gzip\r\n', 'hello'), [400, 501]],
    ['two equal Content-Length fields', post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
    ['two different Content-Length fields', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!')],
    ['two Content-Length fields of 0', post('Content-Length: 0\r\nContent-Length: 0\r\n')],
    ['two lengths far apart in the head', post('Content-Length: 5\r\nX-A: b\r\nX-B: c\r\ncontent-length: 5\r\n', 'hello')],
    ['a list of equal lengths', length(' 5, 5')],
    ['a list without a space', length(' 5,5')],
    ['a list of different lengths', length(' 5, 6')],
    ['a list with an empty member', length(' 5,')],
  ]);
});

describe('the value of Content-Length', () => {
  rejects([
    ['an empty length', length('')],
    ['a blank length', length('   ')],
    ['a plus sign', length(' +5')],
    ['a minus sign', length(' -5')],
    ['minus zero', length(' -0')],
    ['hexadecimal', length(' 0x5')],
    ['hexadecimal letters', length(' f')],
    ['a space between digits', length(' 1 0')],
    ['a tab between digits', length(' 1\t0')],
    ['an underscore', length(' 1_0')],
    ['a decimal point', length(' 5.0')],
    ['an exponent', length(' 1e1')],
    ['a parameter', length(' 5;a=b')],
    ['quotes', length(' "5"')],
    ['latin1 digits', length(' \xb2')],
    ['a no-break space after it', length(' 5\xa0')],
    ['a vertical tab before it', length(' \x0b5')],
    ['a form feed after it', length(' 5\x0c')],
    ['2^64', length(' 18446744073709551616')],
    ['2^64 + 5, which wraps to 5', length(' 18446744073709551621')],
    ['a hundred digits', length(` ${'9'.repeat(100)}`)],
  ]);
  accepts([
    ['leading zeros', length(' 005'), 'POST /a "hello" end'],
    ['more leading zeros than u64 has digits', length(' 00000000000000000000000005'), 'POST /a "hello" end'],
    ['white space around it', length('\t 5 \t'), 'POST /a "hello" end'],
    ['no space before it', length('5'), 'POST /a "hello" end'],
    ['a length of 0', length(' 0', ''), 'POST /a "" end'],
    ['no length on a POST', post(''), 'POST /a "" end'],
  ]);
  test('a length of 2^64 - 1 is no danger', async () => {
    for (const value of ['18446744073709551615', '9223372036854775808', '9007199254740993']) {
      const got = await send(recorder.port, [bytes(length(` ${value}`))], { halfClose: true });
      assert(got.replies.every((reply) => reply.status >= 400));
      assert(recorder.calls(got.port).every((call) => !call.events.includes('end')));
      await recorder.probe.check();
    }
  });
});

describe('the value of Transfer-Encoding', () => {
  rejects([
    ['gzip', coding(' gzip', 'hello'), 501],
    ['gzip, chunked', coding(' gzip, chunked'), 501],
    ['gzip and chunked in two fields', post('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 501],
    ['chunked, gzip', coding(' chunked, gzip'), [400, 501]],
    ['identity', coding(' identity', 'hello'), [400, 501]],
    ['identity, chunked', coding(' identity, chunked'), [400, 501]],
    ['chunked, identity', coding(' chunked, identity'), [400, 501]],
    ['xchunked', coding(' xchunked'), [400, 501]],
    ['chunkedx', coding(' chunkedx'), [400, 501]],
    ['chunked with a parameter', coding(' chunked;q=1'), [400, 501]],
    ['chunked in quotes', coding(' "chunked"'), [400, 501]],
    ['chun ked', coding(' chun ked'), [400, 501]],
    ['an empty value', coding('')],
    ['a blank value', coding('   ')],
    ['a comma alone', coding(' ,')],
    ['chunked twice in one field', coding(' chunked, chunked')],
    ['chunked in two fields', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    ['chunked and an empty field', post('Transfer-Encoding: chunked\r\nTransfer-Encoding:\r\n', '0\r\n\r\n')],
    ['an empty member before', coding(' ,chunked')],
    ['an empty member after', coding(' chunked,')],
    ['a vertical tab before', coding(' \x0bchunked')],
    ['a vertical tab after', coding(' chunked\x0b')],
    ['a form feed before', coding(' \x0cchunked')],
    ['a NUL after', coding(' chunked\x00')],
    ['a DEL after', coding(' chunked\x7f')],
    ['a bare CR before', coding(' \rchunked')],
    ['a bare LF before', coding(' \nchunked')],
    ['an obs-fold before', coding('\r\n chunked')],
    ['a no-break space after', coding(' chunked\xa0'), [400, 501]],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n')],
    ['chunked on HTTP/1.0', 'POST /a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ]);
  accepts([
    ['chunked', coding(' chunked'), 'POST /a "hello" end'],
    ['chunked in any letter case', coding(' ChUnKeD'), 'POST /a "hello" end'],
    ['white space around it', coding('\t chunked \t'), 'POST /a "hello" end'],
    [
      'chunked content on a GET',
      `GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      'GET /a "abc" end',
    ],
  ]);
});

/**
 * An error inside the content: 400 and the end, unless the handler has answered; no content beyond the error,
 * never complete.
 */
function breaks(rows: readonly (readonly [name: string, content: string, seen: string])[]): void {
  for (const [name, content, seen] of rows) {
    test(`breaks off at ${name}`, async () => {
      const verdict = await verdictOf(recorder, chunked(content), { inContent: true });
      assert.deepEqual(verdict.statuses, [400]);
      assert.deepEqual(verdict.calls, [], 'no handler sees a complete message, /last is not parsed');
      assert.equal(verdict.closed, 'fin');
      const once = await send(recorder.port, [bytes(chunked(content)), bytes(LAST)]);
      assert.equal(field(once.replies[0] ?? assert.fail('no reply'), 'connection')?.toLowerCase(), 'close');
      for (const call of recorder.calls(once.port)) {
        assert(seen.startsWith(Buffer.concat(call.chunks).toString('latin1')), 'nothing beyond the error is seen');
        await until(() => call.events.includes('close'), 'the request closes');
        assert(
          call.events.some((event) => event.startsWith('error')),
          `the body stream errors: ${call.events.join(', ')}`,
        );
      }
    });
  }
}

describe('chunks', () => {
  breaks([
    ['a plus sign before the size', '+5\r\nhello\r\n0\r\n\r\n', ''],
    ['a minus sign before the size', '-5\r\nhello\r\n0\r\n\r\n', ''],
    ['a space before the size', ' 5\r\nhello\r\n0\r\n\r\n', ''],
    ['a tab before the size', '\t5\r\nhello\r\n0\r\n\r\n', ''],
    ['a space after the size', '5 \r\nhello\r\n0\r\n\r\n', ''],
    ['a tab after the size', '5\t\r\nhello\r\n0\r\n\r\n', ''],
    ['0x before the size', '0x5\r\nhello\r\n0\r\n\r\n', ''],
    ['an underscore in the size', '0_5\r\nhello\r\n0\r\n\r\n', ''],
    ['an empty size', '\r\nhello\r\n0\r\n\r\n', ''],
    ['a size of only an extension', ';a=b\r\nhello\r\n0\r\n\r\n', ''],
    ['a size that is no number', 'xyz\r\nhello\r\n0\r\n\r\n', ''],
    ['a size of 17 digits', '00000000000000005\r\nhello\r\n0\r\n\r\n', ''],
    ['a size beyond u64', '10000000000000005\r\nhello\r\n0\r\n\r\n', ''],
    ['LF alone after the size', '5\nhello\r\n0\r\n\r\n', ''],
    ['CR alone after the size', '5\rhello\r\n0\r\n\r\n', ''],
    ['CR CR LF after the size', '5\r\r\nhello\r\n0\r\n\r\n', ''],
    ['NUL after the size', '5\x00\r\nhello\r\n0\r\n\r\n', ''],
    ['a LF inside an extension', '5;a=b\nc\r\nhello\r\n0\r\n\r\n', ''],
    ['a CR inside an extension', '5;a=b\rc\r\nhello\r\n0\r\n\r\n', ''],
    ['a LF inside a quoted extension', '5;a="b\nc"\r\nhello\r\n0\r\n\r\n', ''],
    ['a NUL inside an extension', '5;a=\x00\r\nhello\r\n0\r\n\r\n', ''],
    ['LF alone after the data', '5\r\nhello\n0\r\n\r\n', 'hello'],
    ['CR alone after the data', '5\r\nhello\r0\r\n\r\n', 'hello'],
    ['data longer than the size', '5\r\nhello!\r\n0\r\n\r\n', 'hello'],
    ['data shorter than the size', '5\r\nhell\r\n0\r\n\r\n', 'hell\r'],
    ['the next size right after the data', '5\r\nhello0\r\n\r\n', 'hello'],
    ['LF alone after the last size', '5\r\nhello\r\n0\n\r\n', 'hello'],
    ['CR alone after the last size', '5\r\nhello\r\n0\r\r\n', 'hello'],
    ['a bare LF as the end', '5\r\nhello\r\n0\r\n\n', 'hello'],
    ['a bare CR before the end', '5\r\nhello\r\n0\r\n\rX\r\n\r\n', 'hello'],
    ['a trailer that ends in LF', '5\r\nhello\r\n0\r\nX-A: b\n\r\n', 'hello'],
    ['a trailer with a bare CR', '5\r\nhello\r\n0\r\nX-A: b\rc\r\n\r\n', 'hello'],
    ['a folded trailer', '5\r\nhello\r\n0\r\nX-A: b\r\n c\r\n\r\n', 'hello'],
    ['a space before the colon of a trailer', '5\r\nhello\r\n0\r\nX-A : b\r\n\r\n', 'hello'],
    ['a trailer without a colon', '5\r\nhello\r\n0\r\nX-A\r\n\r\n', 'hello'],
    ['a trailer without a name', '5\r\nhello\r\n0\r\n: b\r\n\r\n', 'hello'],
    ['a NUL in a trailer', '5\r\nhello\r\n0\r\nX-A: \x00\r\n\r\n', 'hello'],
    ['a name that is no token in a trailer', '5\r\nhello\r\n0\r\nX(A): b\r\n\r\n', 'hello'],
  ]);
  accepts([
    ['sizes in any letter case', chunked('A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n'), 'POST /a "01234567890123456789" end'],
    ['leading zeros up to 16 digits', chunked('0000000000000005\r\nhello\r\n0\r\n\r\n'), 'POST /a "hello" end'],
    ['several zeros as the last size', chunked('5\r\nhello\r\n000\r\n\r\n'), 'POST /a "hello" end'],
    ['extensions', chunked('5;a\r\nhello\r\n1;a=b;c="d e"\r\n!\r\n0;end\r\n\r\n'), 'POST /a "hello!" end'],
    ['no content', chunked('0\r\n\r\n'), 'POST /a "" end'],
    ['content that looks like the end', chunked('7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n'), 'POST /a "\\r\\n0\\r\\n\\r\\n" end'],
    [
      'content that looks like a request',
      chunked(`${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`),
      `POST /a ${JSON.stringify(SMUGGLED)} end`,
    ],
  ]);
  for (const trailer of ['Content-Length: 3', 'Host: evil', 'Transfer-Encoding: gzip', 'Authorization: Basic eA==', 'X-Sum: 9']) {
    test(`a trailer ${trailer} is refused or kept apart, never merged into headers`, async () => {
      const text = chunked(`5\r\nhello\r\n0\r\n${trailer}\r\n\r\n`);
      const verdict = await verdictOf(recorder, text, { inContent: true });
      assert(['200,200', '400'].includes(verdict.statuses.join()), verdict.statuses.join());
      const got = await send(recorder.port, [bytes(text), bytes(LAST)]);
      const call = recorder.calls(got.port)[0] ?? assert.fail('no call');
      assert.deepEqual({ ...call.headers }, { host: 'a', 'transfer-encoding': 'chunked' });
      assert.deepEqual(call.rawHeaders, ['Host', 'a', 'Transfer-Encoding', 'chunked']);
      if (trailer.startsWith('X-')) assert.equal(call.trailers['x-sum'], '9');
    });
  }
  test('a size of 16 hex digits is no danger', async () => {
    for (const size of ['ffffffffffffffff', '7fffffffffffffff', 'fffffffffffffffe']) {
      const got = await send(recorder.port, [bytes(chunked(`${size}\r\nhello`))], { halfClose: true });
      assert(got.replies.every((reply) => reply.status >= 400));
      assert(recorder.calls(got.port).every((call) => !call.events.includes('end')));
    }
    await recorder.probe.check();
  });
});

describe('an end before the end of the message', () => {
  const messages: Record<string, string> = {
    'Content-Length': length(' 5'),
    chunked: chunked('3\r\nabc\r\n2;x\r\nde\r\n0\r\nX-A: b\r\n\r\n'),
    'a GET': 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n',
  };
  for (const [name, text] of Object.entries(messages)) {
    test(`FIN after every byte of ${name}: no reply of the handler, the body stream errors`, async () => {
      const whole = bytes(text);
      await pool(
        Array.from(whole, (_, at) => async () => {
          const got = await send(recorder.port, [whole.subarray(0, at)], { halfClose: true });
          assert.notEqual(got.closed, 'open', `closed when ended at ${at}`);
          assert(
            got.replies.every((reply) => reply.status === 400),
            `no 200 from us when ended at ${at}`,
          );
          const [call, ...more] = recorder.calls(got.port);
          assert.equal(more.length, 0);
          if (!call) return;
          await until(() => call.events.includes('close'), `the request closes when ended at ${at}`);
          assert(!call.events.includes('end'), `not complete when ended at ${at}`);
          assert(call.events.includes('aborted'), `aborted when ended at ${at}: ${call.events.join(', ')}`);
          assert(call.events.includes('error ECONNRESET'), `the stream errors when ended at ${at}: ${call.events.join(', ')}`);
        }),
      );
      await recorder.probe.check();
    });
  }
  test('FIN right after a complete message: it is answered', async () => {
    for (const text of Object.values(messages)) {
      const got = await send(recorder.port, [bytes(text)], { halfClose: true });
      assert.deepEqual(
        got.replies.map((reply) => reply.status),
        [200],
      );
      assert.equal(got.closed, 'fin');
    }
  });
});

describe('content and the next request', () => {
  const get = (path: string, fields: string, content: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n${content}`;
  const sized = `Content-Length: ${SMUGGLED.length}\r\n`;
  accepts([
    ['a GET with content', get('/a', sized, SMUGGLED), `GET /a ${JSON.stringify(SMUGGLED)} end`],
    ['a HEAD without content after a POST', `${length(' 5')}${get('/b', '', '')}`, 'POST /a "hello" end', 'GET /b "" end'],
  ]);
  test('content nobody read is never parsed as a request', async () => {
    const text = get('/early', sized, SMUGGLED);
    const verdict = await verdictOf(recorder, text, {});
    assert.deepEqual(verdict.statuses, [200, 200]);
    assert.deepEqual(
      verdict.calls.map((call) => call.split(' ')[1]),
      ['/early', '/last'],
    );
  });
  test('chunked content nobody read is never parsed as a request', async () => {
    const text = get('/early', 'Transfer-Encoding: chunked\r\n', `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`);
    const verdict = await verdictOf(recorder, text, {});
    assert.deepEqual(verdict.statuses, [200, 200]);
    assert.deepEqual(
      verdict.calls.map((call) => call.split(' ')[1]),
      ['/early', '/last'],
    );
  });
  test('much content nobody read: the reply arrives, no byte of it is a request', async () => {
    const content = SMUGGLED.repeat(40_000);
    const fields = `Content-Length: ${content.length}\r\n`;
    const pieces = [bytes(`POST /early HTTP/1.1\r\nHost: a\r\n${fields}\r\n`), bytes(content), bytes(LAST)];
    const got = await send(recorder.port, pieces);
    assert.equal(got.replies[0]?.status, 200, 'the reply is not lost to a reset');
    assert(!recorder.calls(got.port).some((call) => call.url === '/smuggled'));
    await recorder.probe.check();
  });
  test('bytes after a request with Connection: close are discarded', async () => {
    for (const first of [
      'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'GET /a HTTP/1.0\r\n\r\n',
      'POST /a HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n',
    ]) {
      const verdict = await verdictOf(recorder, first + SMUGGLED, { cuts: 'every' });
      assert.deepEqual(verdict.statuses, [200]);
      assert.equal(verdict.calls.length, 1);
      assert.equal(verdict.closed, 'fin');
    }
  });
  test('a chain of pipelined requests is answered in order, however it is cut', async () => {
    const text = `${length(' 5')}${get('/b', '', '')}${chunked('5\r\nhello\r\n0\r\n\r\n')}${get('/c', 'Connection: keep-alive\r\n', '')}`;
    await assertAccepted(recorder, text, ['POST /a "hello" end', 'GET /b "" end', 'POST /a "hello" end', 'GET /c "" end']);
  });
});

describe('Expect', () => {
  const head = (value: string, path = '/a', version = '1.1'): string =>
    `POST ${path} HTTP/${version}\r\nHost: a\r\nExpect: ${value}\r\nContent-Length: 5\r\n\r\n`;
  for (const value of ['100-continue', '100-Continue', '100-CONTINUE']) {
    test(`${value}: one 100, when the content is read, then the reply`, async () => {
      const socket = await connect(recorder.port);
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      });
      socket.write(head(value));
      await until(() => text.includes('\r\n\r\n'), 'a 100');
      assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('hello');
      await until(() => text.includes('POST /a hello'), 'the reply');
      assert.equal(text.split('HTTP/1.1 100').length, 2, 'one 100');
      socket.destroy();
      await recorder.probe.check();
    });
  }
  test('no 100 when the reply comes without reading the content; the content is no request', async () => {
    const socket = await connect(recorder.port);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.write(head('100-continue', '/early').replace('Length: 5', `Length: ${SMUGGLED.length}`));
    await until(() => text.includes('early'), 'the reply');
    assert(text.startsWith('HTTP/1.1 200 '), text);
    const port = socket.localPort ?? 0;
    socket.write(SMUGGLED);
    socket.end();
    await until(() => socket.destroyed || socket.readableEnded, 'the end');
    socket.destroy();
    assert.deepEqual(
      recorder.calls(port).map((call) => call.url),
      ['/early'],
    );
  });
  test('another expectation: 417, and the content is no request', async () => {
    const verdict = await verdictOf(recorder, head('200-ok').replace('Length: 5', `Length: ${SMUGGLED.length}`) + SMUGGLED, {});
    assert.equal(verdict.statuses[0], 417);
    assert(!verdict.calls.some((call) => call.includes('/a') || call.includes('/smuggled')), verdict.calls.join('; '));
  });
  test('HTTP/1.0 gets no 100', async () => {
    const got = await send(recorder.port, [bytes(`${head('100-continue', '/a', '1.0')}hello`)]);
    assert.deepEqual(toVerdict(recorder, got).statuses, [200]);
  });
});
