/**
 * The application of the targeted tests: one target for each known way to take memory away, to look around in
 * it, or to keep it.
 */
import express from 'fulmar/express';
import http, { type IncomingMessage, type ServerResponse } from 'fulmar/http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { clientsIn, pattern } from '../harness/marks.ts';

type Transferable = ArrayBuffer & { transfer?: () => ArrayBuffer };
const found: string[] = [];
const held: { what: string; client: number; bytes: Uint8Array; length: number }[] = [];
const requests: IncomingMessage[] = [];
const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const clientOf = (req: IncomingMessage): number => Number(/client=(\d+)/.exec(req.url ?? '')?.[1] ?? -1);

/**
 * Holds what came out of a chunk: it must stay that client's pattern from its start, in memory where no other
 * client is.
 */
function hold(what: string, client: number, bytes: Uint8Array): void {
  held.push({ what, client, bytes, length: bytes.length });
}

function lookAtHeld(): void {
  for (const { what, client, bytes, length } of held.splice(0)) {
    const all = clientsIn(text(new Uint8Array(bytes.buffer)));
    all.delete(client);
    if (all.size > 0) found.push(`${what}: bytes of clients ${[...all].join(', ')} in memory of client ${client}`);
    // Where a chunk begins in the content is told by its first cell.
    const start = Number.parseInt(/M\d\d:[0-9a-f]{3}:([0-9a-f]{7})\./.exec(text(bytes))?.[1] ?? '0', 16);
    const shift = text(bytes).indexOf('M');
    if (bytes.length !== length || !pattern(client, 0, start * 16 - shift, length).endsWith(text(bytes).slice(shift)))
      found.push(`${what}: content changed`);
  }
}

const WAYS: Readonly<Record<string, (chunk: Uint8Array, client: number) => void | Promise<void>>> = {
  'byte-stream': async (chunk, client) => {
    const stream = new ReadableStream({ type: 'bytes', start: (controller) => controller.enqueue(chunk as Uint8Array<ArrayBuffer>) });
    const { value } = (await stream.getReader().read()) as { value: Uint8Array };
    hold('byte-stream', client, value);
  },
  'post-message': (chunk, client) => {
    const { port1, port2 } = new MessageChannel();
    port2.addEventListener('message', (event: Event) => {
      hold('post-message', client, (event as MessageEvent).data as Uint8Array);
      port2.close();
    });
    port2.start();
    port1.postMessage(chunk, [chunk.buffer as ArrayBuffer]);
  },
  'post-worker': (chunk) => worker().postMessage(chunk, [chunk.buffer as ArrayBuffer]),
  'structured-clone': (chunk, client) =>
    hold('structured-clone', client, structuredClone(chunk, { transfer: [chunk.buffer as ArrayBuffer] })),
  transfer: (chunk, client) => {
    const { byteOffset, length } = chunk;
    const moved = (chunk.buffer as Transferable).transfer?.();
    if (moved !== undefined) hold('transfer', client, new Uint8Array(moved, byteOffset, length));
  },
  buffer: (chunk, client) => {
    const { buffer, length } = chunk;
    const isOwn = buffer.byteLength === length;
    if (!isOwn && buffer.byteLength !== Buffer.poolSize && buffer.byteLength !== Buffer.allocUnsafe(1).buffer.byteLength)
      found.push(`chunk.buffer has ${buffer.byteLength} bytes, the chunk ${length}`);
    const others = clientsIn(text(new Uint8Array(buffer)));
    others.delete(client);
    if (isOwn && others.size > 0) found.push(`chunk.buffer: bytes of clients ${[...others].join(', ')}`);
  },
};

let made: Worker | undefined;
function worker(): Worker {
  const { Worker: Class } = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
  made ??= new Class(
    "const held = []; require('node:worker_threads').parentPort.on('message', (chunk) => held.push(chunk) > 100 && held.shift());",
    { eval: true },
  );
  made.unref();
  return made;
}

function take(req: IncomingMessage, res: ServerResponse): void {
  const way = WAYS[/^\/take\/([\w-]+)/.exec(req.url ?? '')?.[1] ?? '']!;
  const client = clientOf(req);
  let bytes = 0;
  req.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    Promise.resolve(way(chunk, client)).catch((error: unknown) => found.push(String(error)));
  });
  req.on('end', () => res.end(String(bytes)));
}

/**
 * Waits until all requests of a crowd are open, changes the engine's limits, then looks at each request for
 * the first time.
 */
const waiting: { req: IncomingMessage; res: ServerResponse }[] = [];
function crowd(req: IncomingMessage, res: ServerResponse): void {
  const [, expected, how, value] = req.url!.split('/').slice(1);
  waiting.push({ req, res });
  if (waiting.length === Math.floor(Number(expected) / 2)) change(how!, Number(value!.split('?')[0]));
  if (waiting.length < Number(expected)) return;
  for (const one of waiting.splice(0)) {
    const own = clientOf(one.req);
    const marks = [...clientsIn(one.req.rawHeaders.join('\n'))];
    const isWhole = marks.length === 1 && marks[0] === own && one.req.headers['x-last'] === 'last';
    if (!isWhole) found.push(`client ${own} sees ${JSON.stringify(one.req.rawHeaders).slice(0, 200)}`);
    one.res.end();
  }
}

function change(how: string, value: number): void {
  if (how === 'headers-count') server.maxHeadersCount = value;
  else if (how === 'header-size') {
    const other = http.createServer({ maxHeaderSize: value }, (_req, res) => res.end());
    other.listen(0, '127.0.0.1', () => other.close());
  }
}

interface Ring {
  readonly kept: number;
  readonly bytesEach: number;
  readonly wrong: number;
}

let before = 0;
function external(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { external: bytes } = process.memoryUsage();
  return bytes;
}

/** What each kept request holds outside the heap, and how many of them no longer say what was sent. */
function ring(): Ring {
  const kept = requests.length;
  const bytesEach = (external() - before) / Math.max(1, kept);
  const wrong = requests.filter((req) => req.headers['x-client'] !== /client=(\w+)/.exec(req.url ?? '')?.[1]).length;
  requests.length = 0;
  return { kept, bytesEach, wrong };
}

const app = express();
app.post('/body', express.raw({ type: () => true, limit: '1mb' }), (req, res) => {
  void WAYS['buffer']!(req.body as Uint8Array, clientOf(req));
  res.end();
});

const server = http.createServer((req, res) => {
  const url = req.url!;
  if (url === '/found') {
    lookAtHeld();
    res.end(JSON.stringify(found.splice(0)));
  } else if (url === '/measure') {
    before = external();
    res.end('{}');
  } else if (url === '/ring') res.end(JSON.stringify(ring()));
  else if (url.startsWith('/take/')) take(req, res);
  else if (url.startsWith('/crowd/')) crowd(req, res);
  else if (url.startsWith('/body')) (app as unknown as (req: IncomingMessage, res: ServerResponse) => void)(req, res);
  else {
    requests.push(req);
    res.end('kept');
  }
});
server.on('upgrade', (req, socket) => {
  requests.push(req);
  socket.on('error', () => undefined);
  socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`PORT ${(server.address() as AddressInfo).port}\n`));
