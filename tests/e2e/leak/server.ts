/**
 * The server of the leak test, a process of its own: `node --expose-gc … server.ts <module>`, where the
 * module exports `createServer` as node:http does. It tells its port when it listens and its size whenever it
 * is asked.
 */
import { createRequire } from 'node:module';
import { readdirSync } from 'node:fs';
import type * as NodeHttp from 'node:http';
import type { AddressInfo } from 'node:net';

const require = createRequire(import.meta.url);
const http = require(process.argv[2] ?? 'node:http') as typeof NodeHttp;
const PIECE = Buffer.alloc(16 * 1024, 'f');

export interface Size {
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Memory outside the heap that JavaScript objects hold. */
  readonly externalBytes: number;
  readonly descriptors: number;
}

const server = http.createServer((req, res) => {
  if (req.url === '/upload') {
    let bytes = 0;
    req.on('data', (piece: Buffer) => (bytes += piece.length));
    req.on('end', () => res.end(String(bytes)));
    req.on('error', () => undefined);
  } else if (req.url === '/endless') {
    const more = (): void => {
      while (!res.destroyed && res.write(PIECE));
    };
    res.on('drain', more);
    more();
  } else if (req.url === '/never') {
    // Not answered: the client leaves first.
  } else {
    res.setHeader('Content-Type', 'application/json');
    res.end('{"message":"hello"}');
  }
});
server.on('upgrade', (_req, socket) => {
  socket.on('error', () => undefined);
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  socket.on('data', (bytes) => socket.write(bytes));
  socket.on('end', () => socket.end());
});

async function measure(): Promise<Size> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const descriptors = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  return { rssBytes: rss, heapBytes: heapUsed, externalBytes: external, descriptors };
}

process.on('message', () => void measure().then((size) => process.send?.({ size })));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
