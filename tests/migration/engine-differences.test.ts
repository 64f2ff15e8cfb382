/**
 * Every difference of `fulmar/http` that docs/migration/from-express.md lists under "The server": the program
 * shows it on both sides, so an entry that is no longer true fails here. A test's name begins with the
 * entry's id.
 */
import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';
import type { ServerOptions } from 'node:http';
import { connect, Socket } from 'node:net';
import { test } from 'node:test';
import { close, listen, observe, sides } from './support.ts';
import type { Program } from './support.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const KIB = 1024;
const nodeMajor = Number(process.versions.node.split('.')[0]);

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly program: Program;
  readonly stock: RegExp;
  readonly ours: RegExp;
}

const post = (fields: string, content = ''): string => `POST / HTTP/1.1\r\nHost: a\r\n${fields}\r\n${content}`;

const entries: readonly Entry[] = [
  {
    id: 'S1',
    title: 'an idle connection is kept for 72 s',
    program: { prepare: (server, note) => note(`timeout ${server.keepAliveTimeout}.`), send: [GET], until: /ok$/ },
    stock: /timeout 5000\./,
    ours: /Keep-Alive: timeout=72\r\n[^]*timeout 72000\./,
  },
  {
    id: 'S2',
    title: 'a head has to arrive within 15 s',
    program: { prepare: (server, note) => note(`timeout ${server.headersTimeout}.`), send: [GET], until: /ok$/ },
    stock: /timeout 60000\./,
    ours: /timeout 15000\./,
  },
  {
    id: 'S3',
    title: 'content that comes slower than 240 bytes/s ends with 408 after 5 s',
    program: {
      handler: (req, res) => void req.on('error', () => {}).on('data', () => res.write('data')),
      send: [post('Content-Length: 9\r\n', 'a')],
      // Stock waits for `requestTimeout`, five minutes: that data came through is all that is waited for.
      until: /data\r\n$/,
    },
    stock: /data\r\n\[open\]/,
    ours: /data\r\n\[open\]/,
  },
  {
    id: 'S4',
    title: 'a request target may have 8 KiB',
    program: { send: [`GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`], until: /ok$|\r\n\r\n$/ },
    stock: / 200 OK/,
    ours: / 414 URI Too Long/,
  },
  {
    id: 'S5',
    title: 'more than 2,000 field lines are refused, never dropped',
    program: {
      options: { maxHeaderSize: 64 * KIB },
      handler: (req, res) => void res.end(`${req.rawHeaders.length / 2} fields.`),
      send: [`GET / HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 2_100 }, (_, at) => `a${at}: 1\r\n`).join('')}\r\n`],
      until: /fields\.|\r\n\r\n$/,
    },
    stock: nodeMajor >= 26 ? / 431 / : /10\d\d fields\./,
    ours: / 431 /,
  },
  {
    id: 'S6',
    title: 'transfer codings other than exactly one chunked are refused',
    program: { send: [post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n')], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 501 Not Implemented[^]*\[closed\]/,
  },
  {
    id: 'S6',
    title: 'chunked content on HTTP/1.0 is refused',
    program: { send: ['POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S7',
    title: 'two Host fields are refused',
    program: { send: ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S7',
    title: 'a Host that is none is refused',
    program: { send: ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n'], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S7',
    title: 'an empty Host is refused',
    program: { send: ['GET / HTTP/1.1\r\nHost:\r\n\r\n'], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S7',
    title: 'an upgrade without Host is refused',
    program: {
      prepare: (server) => void server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')),
      send: ['GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    },
    stock: / 101 /,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S8',
    title: 'the authority of an absolute target is the host',
    program: {
      handler: (req, res) => void res.end(`host ${req.headers.host}.`),
      send: ['GET http://b/x HTTP/1.1\r\nHost: a\r\n\r\n'],
      until: /host \w+\./,
    },
    stock: /host a\./,
    ours: /host b\./,
  },
  {
    id: 'S9',
    title: 'a fragment in the target is refused',
    program: { send: ['GET /#a HTTP/1.1\r\nHost: a\r\n\r\n'], until: /ok$/ },
    stock: / 200 OK/,
    ours: / 400 Bad Request[^]*\[closed\]/,
  },
  {
    id: 'S10',
    title: 'another version of HTTP/1 gets 505',
    program: { send: ['GET / HTTP/1.2\r\nHost: a\r\n\r\n'], until: /ok$/ },
    stock: / 400 Bad Request/,
    ours: / 505 HTTP Version Not Supported[^]*\[closed\]/,
  },
  {
    id: 'S11',
    title: 'CONNECT without a listener gets 405',
    program: { send: ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'] },
    stock: /^\[closed\]/,
    ours: /^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*\[closed\]/,
  },
  {
    id: 'S12',
    title: '100 Continue is sent when the content is read',
    program: {
      handler: (_req, res) => void res.end('done'),
      send: [post('Content-Length: 2\r\nExpect: 100-continue\r\n')],
      until: /done/,
    },
    stock: /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
    ours: /^HTTP\/1\.1 200 OK/,
  },
  {
    id: 'S13',
    title: 'content that nobody reads is thrown away up to 64 KiB, then the connection closes',
    program: { send: [post(`Content-Length: ${300 * KIB}\r\n`), 'x'.repeat(300 * KIB) + GET], until: /ok[^]*ok/ },
    stock: /ok[^]*ok\[open\]/,
    ours: /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*ok\[closed\]/,
  },
  {
    id: 'S14',
    title: 'content beyond the declared length is not sent',
    program: {
      handler: (_req, res) => {
        res.setHeader('Content-Length', 2);
        res.write('okay');
        res.end();
      },
      send: [GET],
      until: /ok/,
    },
    stock: /okay/,
    ours: /ok\[open\]/,
  },
  {
    id: 'S14',
    title: 'a reply that stays below its declared length ends the connection',
    program: {
      handler: (_req, res) => {
        res.setHeader('Content-Length', 10);
        res.end('ok');
      },
      send: [GET, GET],
      until: /ok[^]*ok/,
    },
    stock: /ok[^]*ok\[open\]/,
    ours: /ok\[closed\]/,
  },
  {
    id: 'S15',
    title: 'the last reply of maxRequestsPerSocket closes the connection',
    program: { prepare: (server) => void (server.maxRequestsPerSocket = 1), send: [GET, GET], until: /503/ },
    stock: /Connection: close[^]*ok[^]*503/,
    ours: /Connection: close[^]*ok\[closed\]/,
  },
  {
    id: 'S16',
    title: '__proto__ is a field like others',
    program: {
      handler: (req, res) => void res.end(`own ${Object.hasOwn(req.headers, '__proto__')}.`),
      send: ['GET / HTTP/1.1\r\nHost: a\r\n__proto__: x\r\n\r\n'],
      until: /own \w+\./,
    },
    stock: /own false\./,
    ours: /own true\./,
  },
  {
    id: 'S19',
    title: 'what follows an upgrade request is its head, not content',
    program: {
      prepare: (server) =>
        void server.on('upgrade', (_req, socket, head) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\nhead of ${head.length}.`)),
      send: ['GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\nab'],
    },
    stock: nodeMajor >= 26 ? /head of 0\./ : /head of 2\./,
    ours: /head of 2\./,
  },
  {
    id: 'S21',
    title: 'a peer that ends its side before its content is complete gets no 400',
    program: { handler: (req) => void req.on('error', () => {}).resume(), send: [post('Content-Length: 9\r\n', 'a')], halfClose: true },
    stock: /^HTTP\/1\.1 400 Bad Request\r\n[^]*\[closed\]/,
    ours: /^\[closed\]/,
  },
  {
    id: 'S22',
    title: 'a request is answered before the bytes behind it are refused',
    program: { handler: (_req, res) => void setImmediate(() => res.end('ok')), send: [`${GET}NOT HTTP\r\n\r\n`] },
    stock: /^HTTP\/1\.1 400 Bad Request\r\n[^]*\[closed\]/,
    ours: /^HTTP\/1\.1 200 OK\r\n[^]*ok(?=HTTP)HTTP\/1\.1 400 Bad Request\r\n[^]*\[closed\]/,
  },
  {
    id: 'S25',
    title: 'a request with Connection: close is the last, whatever its reply says',
    program: {
      handler: (_req, res) => void res.setHeader('Connection', 'keep-alive').end('ok'),
      send: ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', GET],
      until: / 400 /,
    },
    stock: /Connection: keep-alive[^]*ok[^]* 400 /,
    ours: /Connection: keep-alive[^]*ok\[closed\]/,
  },
];

for (const { id, title, program, stock, ours } of entries) {
  test(`${id}: ${title}`, async () => {
    assert.match(await observe(sides.stock, program), stock, 'stock');
    assert.match(await observe(sides.ours, program), ours, 'ours');
  });
}

test('S3: content that comes too slowly errors the request, and the connection closes', async () => {
  const text = await observe(sides.ours, {
    prepare: (server, note) =>
      void server.on('request', (req) => req.on('error', (error: NodeJS.ErrnoException) => note(`error ${error.code}.`)).resume()),
    handler: () => {},
    send: [post('Content-Length: 9\r\n', 'a')],
  });
  assert.match(text, / 408 Request Timeout[^]*\[closed\]\nerror ECONNRESET\./);
});

test('S17: lenient parsing is refused', () => {
  const options: ServerOptions = { insecureHTTPParser: true };
  sides.stock.createServer(options);
  assert.throws(() => sides.ours.createServer(options), { code: 'ERR_FULMAR_UNSUPPORTED_OPTION' });
});

test('S18: perf_hooks has no entries of served requests', async () => {
  for (const [side, expected] of [
    ['stock', true],
    ['ours', false],
  ] as const) {
    const seen: string[] = [];
    const observer = new PerformanceObserver((list) => void seen.push(...list.getEntries().map(({ name }) => name)));
    observer.observe({ entryTypes: ['http'] });
    await observe(sides[side], { send: [GET], until: /ok$/ });
    await new Promise((resolve) => setImmediate(resolve));
    for (const { name } of observer.takeRecords()) seen.push(name);
    observer.disconnect();
    assert.equal(seen.includes('HttpRequest'), expected, side);
  }
});

test('S20: a reply whose peer does not read for 60 s is reset', async () => {
  const options = { writeTimeout: 300 } as ServerOptions;
  const ended = deferred<boolean>();
  const server = sides.ours.createServer(options, (_req, res) => {
    res.on('close', () => ended.resolve(res.writableFinished));
    res.end(Buffer.alloc(64 * KIB * KIB));
  });
  const port = await listen(server);
  const socket = connect(port, '127.0.0.1', () => socket.write(GET));
  socket.on('error', () => {});
  socket.pause();
  assert.equal(await ended.promise, false);
  socket.destroy();
  await close(server);
});

/** Whether a peer that ended its side while a large reply waited for it got what was written then. */
async function getsLateWrite(side: 'stock' | 'ours'): Promise<boolean> {
  const client = new Socket();
  const server = sides[side].createServer((req, res) => {
    res.write(Buffer.alloc(8 * KIB * KIB));
    const writeLate = (): void => {
      res.end('late');
      client.resume();
    };
    if (side === 'stock') req.socket.once('end', writeLate);
    else client.once('finish', () => setImmediate(writeLate));
    client.end();
  });
  const ended = deferred<undefined>();
  let tail = '';
  client.on('data', (chunk: Buffer) => (tail = tail.slice(-KIB) + chunk.subarray(-KIB).toString('latin1')));
  client.on('end', () => ended.resolve(undefined)).pause();
  client.connect(await listen(server), '127.0.0.1', () => client.write(GET));
  await ended.promise;
  client.destroy();
  await close(server);
  return tail.includes('late');
}

test('S23: what is written while a reply waits for a peer that has ended its side goes out', async () => {
  assert.equal(await getsLateWrite('stock'), false);
  assert.equal(await getsLateWrite('ours'), true);
});

/**
 * What an upgraded socket is told after its peer has closed and resets what is written; Node notices only
 * when it writes again.
 */
async function toldOfReset(side: 'stock' | 'ours'): Promise<string> {
  const told = deferred<string>();
  const server = sides[side].createServer().on('upgrade', (_req, socket) => {
    const write = (): void => {
      socket.write('late');
      if (side === 'stock' && !socket.destroyed) setImmediate(write);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => told.resolve(`error ${error.code}`));
    socket.on('close', () => told.resolve('close'));
    socket.on('end', write).resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  const client = connect(await listen(server), '127.0.0.1', () =>
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  );
  client.once('data', () => client.destroy());
  const text = await told.promise;
  await close(server);
  return text;
}

test('S24: an upgraded socket whose peer is gone closes without an error', async () => {
  assert.match(await toldOfReset('stock'), /^error (?:EPIPE|ECONNRESET)$/);
  assert.equal(await toldOfReset('ours'), 'close');
});

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((give) => (resolve = give));
  return { promise, resolve };
}
