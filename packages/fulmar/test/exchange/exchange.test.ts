import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import { ReplyFlag } from '../../src/exchange/format.ts';
import { createListener, defaultServerConfig, engineStats } from '../../src/exchange/index.ts';
import type { Exchange } from '../../src/exchange/types.ts';
import { received, serve, until } from './support.ts';

const CLOSE = ReplyFlag.closeField | ReplyFlag.contentLength;
const KEEP = ReplyFlag.keepAlive | ReplyFlag.contentLength;
const GET = 'GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nx-two:  \t2 \r\n\r\n';

test('describes the head and answers in one go', async (t) => {
  const server = await serve(t, (exchange) => {
    const seen = [exchange.method, exchange.target, exchange.httpVersionMinor, exchange.headerCount, exchange.rawHeaders()];
    exchange.reply(201, 'Made', 'X-A: b\r\n', CLOSE, JSON.stringify(seen));
  });
  const text = await server.send(GET);
  assert.match(text, /^HTTP\/1\.1 201 Made\r\nX-A: b\r\nConnection: close\r\nContent-Length: \d+\r\n\r\n/);
  const seen = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown;
  assert.deepEqual(seen, ['GET', '/a?b=c', 1, 3, ['Host', 'x', 'X-One', '1', 'x-two', '2']]);
});

test('can read the head long after the reply and after many slabs', async (t) => {
  const kept: Exchange[] = [];
  const server = await serve(t, (exchange) => {
    kept.push(exchange);
    exchange.reply(200, null, '', ReplyFlag.keepAlive | ReplyFlag.contentLength, 'ok');
  });
  const socket = await server.open();
  const filler = `GET /f HTTP/1.1\r\nHost: x\r\nX-Fill: ${'y'.repeat(4000)}\r\n\r\n`;
  for (let i = 0; i < 60; i++) {
    socket.write(i === 0 ? GET : filler);
    await until(socket, 'ok');
  }
  socket.destroy();
  assert.equal(kept[0]!.target, '/a?b=c');
  assert.deepEqual(kept[0]!.rawHeaders().slice(2), ['X-One', '1', 'x-two', '2']);
  assert.equal(kept[59]!.rawHeaders()[3]!.length, 4000);
});

test('keeps the head of an exchange that is answered after its slab is gone', async (t) => {
  let slow: Exchange | undefined;
  const server = await serve(t, (exchange) => {
    if (exchange.target === '/a?b=c') slow = exchange;
    else exchange.reply(200, null, '', ReplyFlag.keepAlive | ReplyFlag.contentLength, 'ok');
  });
  const waiting = await server.open();
  waiting.write(GET.replace('GET', 'POST').replace('Host: x', 'Host: x\r\nContent-Length: 5') + 'hello');
  const busy = await server.open();
  const filler = `GET /f HTTP/1.1\r\nHost: x\r\nX-Fill: ${'y'.repeat(8000)}\r\n\r\n`;
  for (let i = 0; i < 60; i++) {
    busy.write(filler);
    await until(busy, 'ok');
  }
  busy.destroy();
  assert.deepEqual(slow!.rawHeaders().slice(4), ['X-One', '1', 'x-two', '2']);
  slow!.reply(200, null, '', CLOSE, slow!.inlineContent());
  assert.match(await received(waiting), /\r\n\r\nhello$/);
});

test('streams content with pause and resume, then the trailers', async (t) => {
  const seen: string[] = [];
  const server = await serve(t, (exchange) => {
    assert.equal(exchange.contentState, 'streamed');
    seen.push(exchange.inlineContent().toString());
    exchange.readContent({
      onContent(chunk) {
        seen.push(chunk.toString());
        exchange.pauseContent();
        setImmediate(() => exchange.readContent(this));
      },
      onContentEnd(trailers) {
        seen.push(trailers.join('='));
        exchange.reply(200, null, '', CLOSE, null);
      },
    });
  });
  const socket = await server.open();
  const end = received(socket);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
  await turn();
  socket.write('2\r\nde\r\n');
  await turn();
  socket.write('0\r\nX-T: end\r\n\r\n');
  assert.match(await end, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(seen.slice(0, -1).join(''), 'abcde');
  assert.equal(seen.at(-1), 'X-T=end');
});

test('delivers what came while paused, in order, before it goes on', async (t) => {
  const content = Buffer.alloc(3_000_000, 'abcdefghij');
  let got = 0;
  const server = await serve(t, (exchange) => {
    got += exchange.inlineContent().length;
    const sink = {
      onContent(chunk: Buffer): void {
        assert.equal(chunk[0], content[got], 'no byte is lost or doubled');
        got += chunk.length;
        exchange.pauseContent();
        setTimeout(() => exchange.readContent(sink), 0);
      },
      onContentEnd: (): void => void exchange.reply(200, null, '', CLOSE, String(got)),
    };
    exchange.readContent(sink);
  });
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${content.length}\r\n\r\n`;
  assert.match(await server.send(Buffer.concat([Buffer.from(head), content])), /\r\n\r\n3000000$/);
});

test('streams a reply with back-pressure and tells when it is out', async (t) => {
  const events: string[] = [];
  const chunk = Buffer.alloc(100_000, 'x');
  // More than the system's buffers of both sides hold together, where they grow to 32 MB.
  let left = 400;
  let out: () => void;
  const sent = new Promise<void>((resolve) => (out = resolve));
  const server = await serve(t, (exchange) => {
    const pour = (): void => {
      while (left > 0) {
        left -= 1;
        if (!exchange.write(chunk)) return void events.push('full');
      }
      exchange.end('X-Trailer: t\r\n');
    };
    exchange.observer = { onDrain: pour, onSent: () => (events.push('sent'), out()), onAbort: () => events.push('abort') };
    exchange.notifySent();
    exchange.start(200, null, '', ReplyFlag.chunkedField | ReplyFlag.closeField, -1);
    pour();
  });
  const text = await server.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.ok(text.endsWith('\r\n0\r\nX-Trailer: t\r\n\r\n'));
  assert.equal(text.replaceAll(/[^x]+/g, '').length, 40_000_000);
  await sent;
  assert.equal(events.at(-1), 'sent');
  assert.ok(events.includes('full'));
});

test('reports a late wish to know that the reply is out', async (t) => {
  const events: string[] = [];
  let done: () => void;
  const finished = new Promise<void>((resolve) => (done = resolve));
  const server = await serve(t, (exchange) => {
    exchange.observer = { onDrain() {}, onSent: () => (events.push(exchange.target), events.length === 2 && done()), onAbort() {} };
    exchange.reply(200, null, '', CLOSE, 'x');
    assert.ok(exchange.bufferedBytes > 0);
    if (exchange.target === '/now') exchange.notifySent();
    else setTimeout(() => exchange.notifySent(), 5);
  });
  await server.send('GET /now HTTP/1.1\r\nHost: x\r\n\r\n');
  await server.send('GET /later HTTP/1.1\r\nHost: x\r\n\r\n');
  await finished;
  assert.deepEqual(events, ['/now', '/later']);
});

test('reports a large reply as sent only when the peer has taken it, however late somebody asks', async (t) => {
  let isSent = false;
  let out: () => void;
  const sent = new Promise<void>((resolve) => (out = resolve));
  const server = await serve(t, (exchange) => {
    exchange.observer = { onDrain() {}, onSent: () => ((isSent = true), out()), onAbort() {} };
    exchange.reply(200, null, '', CLOSE, Buffer.alloc(30_000_000, 'x'));
    setTimeout(() => exchange.notifySent(), 5);
  });
  const socket = await server.open();
  socket.pause();
  socket.write(GET);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(isSent, false);
  socket.resume();
  await sent;
});

test('tells an open exchange that its peer is gone, once', async (t) => {
  const errors: NodeJS.ErrnoException[] = [];
  let gone: () => void;
  const aborted = new Promise<void>((resolve) => (gone = resolve));
  const server = await serve(t, (exchange) => {
    exchange.observer = { onDrain() {}, onSent() {}, onAbort: (error) => (errors.push(error), gone()) };
  });
  const socket = await server.open();
  socket.write(GET);
  await turn();
  socket.destroy();
  await aborted;
  await turn();
  assert.equal(errors.length, 1);
  assert.equal(errors[0]!.code, 'ECONNRESET');
});

test('sends a file and closes its descriptor', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-'));
  const file = join(folder, 'data');
  writeFileSync(file, Buffer.alloc(5_000_000, '0123456789'));
  const server = await serve(t, (exchange) => {
    exchange.start(200, null, '', ReplyFlag.contentLength | ReplyFlag.closeField, 4_000_000);
    exchange.sendFile(openSync(file, 'r'), 10, 4_000_000);
  });
  const text = await server.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  rmSync(folder, { recursive: true });
  assert.equal(text.length - text.indexOf('\r\n\r\n') - 4, 4_000_000);
  assert.ok(text.includes('\r\n\r\n0123456789'));
});

test('replies larger than the arena and text beyond ASCII arrive whole', async (t) => {
  const bodies = ['ä€😀'.repeat(5_000), 'x'.repeat(1_000_000), 'é'.repeat(200), ''];
  const server = await serve(t, (exchange) => {
    exchange.reply(200, null, '', CLOSE, bodies[Number(exchange.target.slice(1))]!);
  });
  for (const [index, body] of bodies.entries()) {
    const text = await server.send(`GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal(Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1').toString(), body);
  }
});

test('answers a pipeline in order even when the replies are given in reverse', async (t) => {
  const open: Exchange[] = [];
  const server = await serve(t, (exchange) => {
    open.push(exchange);
    if (open.length < 4) return;
    for (const one of open.toReversed()) one.reply(200, null, '', one.target === '/3' ? CLOSE : KEEP, one.target);
  });
  const text = await server.send([0, 1, 2, 3].map((n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  assert.deepEqual(
    [...text.matchAll(/\r\n\r\n(\/\d)/g)].map((m) => m[1]),
    ['/0', '/1', '/2', '/3'],
  );
});

test('a port in use is reported as node:net reports it', async (t) => {
  const server = await serve(t, () => {});
  const again = (): unknown => createListener({ port: server.port, host: '127.0.0.1' }, defaultServerConfig, {} as never);
  assert.throws(again, {
    code: 'EADDRINUSE',
    syscall: 'listen',
    address: '127.0.0.1',
    port: server.port,
    message: `listen EADDRINUSE: address already in use 127.0.0.1:${server.port}`,
  });
});

test('a closed listener learns of its end even when another takes its place at once', async (t) => {
  const ended: number[] = [];
  const closing = [0, 1, 2].map((n) => {
    const listener = createListener({ port: 0, host: '127.0.0.1' }, defaultServerConfig, { onClosed: () => ended.push(n) } as never);
    listener.close();
    return listener;
  });
  const server = await serve(t, (exchange) => exchange.reply(200, null, '', CLOSE, 'next'));
  assert.match(await server.send(GET), /next$/);
  assert.equal(closing.length, 3);
  assert.deepEqual(ended.toSorted(), [0, 1, 2]);
});

test('counts what it does', async (t) => {
  const before = engineStats();
  const server = await serve(t, (exchange) => exchange.reply(200, null, '', CLOSE, null));
  await server.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await server.send('BAD\r\n\r\n');
  const after = engineStats();
  assert.equal(after['requests']! - before['requests']!, 1);
  assert.equal(after['rejected']! - before['rejected']!, 1);
});
