/**
 * What differs from Node on purpose, and what the parity suites cannot see: contexts, limits, cluster-free
 * behaviour.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer, type ServerResponse } from '../../src/http/index.ts';

async function talk(server: ReturnType<typeof createServer>, bytes: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(bytes);
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
  return text;
}

const get = (path: string, close = false): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;

test('a context entered in one request does not reach the next of the batch', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const server = createServer((req, res) => {
    seen.push(storage.getStore());
    storage.enterWith(String(req.url));
    setImmediate(() => {
      seen.push(storage.getStore());
      res.end();
    });
  });
  await talk(server, get('/1') + get('/2', true));
  assert.deepEqual(seen, [undefined, undefined, '/1', '/2']);
});

test('defaults are stricter than Node where the design says so', () => {
  const server = createServer();
  assert.equal(server.keepAliveTimeout, 72_000);
  assert.equal(server.headersTimeout, 15_000);
});

test('lenient parsing is refused', () => {
  assert.throws(() => createServer({ insecureHTTPParser: true }), { code: 'ERR_FULMAR_UNSUPPORTED_OPTION' });
});

test('a reply longer than its declared length is cut', async () => {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Length', 2);
    res.end('abcdef');
  });
  const text = await talk(server, get('/', true));
  assert.ok(text.endsWith('\r\n\r\nab'), text);
});

test('a length is what the memory has, not what its object says', async () => {
  class Modest extends Uint8Array {
    override get byteLength(): number {
      return 2;
    }
    override get length(): number {
      return 2;
    }
    override subarray(): never {
      return this as never;
    }
  }
  const server = createServer((_req, res) => {
    res.setHeader('Content-Length', 2);
    res.end(new Modest(40).fill(97));
  });
  const text = await talk(server, get('/', true));
  assert.ok(text.endsWith('\r\n\r\naa'), text);
});

/** More than may wait where later ticks go on writing regardless. */
const LARGE_BYTES = 20 * 1024 * 1024;

test('what one tick writes arrives whole, however much it is', async () => {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Length', LARGE_BYTES + 4);
    res.write(Buffer.alloc(LARGE_BYTES, 'l'));
    res.write('end');
    res.end('\n');
  });
  const text = await talk(server, get('/', true));
  assert.ok(text.length > LARGE_BYTES && text.endsWith('lend\n'), String(text.length));
});

test('a reply shorter than its declared length ends the connection', async () => {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Length', 10);
    res.end('abc');
  });
  const text = await talk(server, get('/'));
  assert.ok(text.endsWith('\r\n\r\nabc'), text);
});

test('the connection closes after maxRequestsPerSocket', async () => {
  const server = createServer((_req, res) => void res.end('x'));
  server.maxRequestsPerSocket = 1;
  const text = await talk(server, get('/'));
  assert.match(text, /Connection: close\r\n/);
});

test('a message without a listener names no events', async () => {
  const seen: unknown[] = [];
  const server = createServer((req, res) => {
    seen.push(req.eventNames(), res.eventNames());
    req.on('end', () => undefined);
    res.on('close', () => undefined);
    seen.push(req.eventNames(), res.eventNames());
    res.end();
  });
  await talk(server, get('/', true));
  assert.deepEqual(seen, [[], [], ['end'], ['close']]);
});

test('a reply given after the handler has returned is told to listeners that come after it', async () => {
  const seen: string[] = [];
  const server = createServer((_req, res) => {
    void Promise.resolve().then(() => {
      res.end('late');
      res.on('finish', () => seen.push('finish')).on('close', () => seen.push('close'));
      res.end(() => seen.push('callback'));
    });
  });
  assert.match(await talk(server, get('/', true)), /late$/);
  // Newer Nodes call back before the listeners.
  assert.deepEqual(seen.slice(0, 2).sort(), ['callback', 'finish']);
  assert.deepEqual(seen.slice(2), ['close']);
});

test('a response whose reply came late and that nobody watched is over once it is out', async () => {
  let over: unknown[] = [];
  const server = createServer((_req, res) => {
    const look = (): void => {
      if (res.writableFinished) over = [res.closed, res.destroyed, res.socket];
      else setImmediate(look);
    };
    setImmediate(() => {
      res.end('late');
      look();
    });
  });
  await talk(server, get('/', true));
  assert.deepEqual(over, [true, true, null]);
});

/** Tries to answer from where the stack is full, then from one frame further up, until it can be done. */
function endDeeply(res: ServerResponse): void {
  try {
    endDeeply(res);
  } catch (error) {
    if (!res.writableEnded) res.end('answered');
    throw error;
  }
}

test('who catches what `end` has thrown can still answer', async () => {
  const server = createServer((req, res) => {
    const body = Buffer.from('answered');
    Object.defineProperty(body, 'length', { get: () => assert.fail('the length was asked for') });
    try {
      if (req.url === '/deep') endDeeply(res);
      else res.end(body);
    } catch {
      if (!res.writableEnded) res.end('answered');
    }
  });
  const text = await talk(server, get('/') + get('/deep') + get('/deep', true));
  assert.equal(text.match(/answered/g)?.length, 3, text);
});
