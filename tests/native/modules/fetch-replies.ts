/**
 * Replies that servers give to `fetch`, right and wrong, and what becomes of each: for cases and for random
 * tests.
 */
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** What the server does when it has sent everything. */
export type End = 'stays' | 'ends' | 'resets';
/** Parts go out one by one, so that the client reads them one by one. */
export type Reply = readonly [parts: string | readonly string[], end?: End];

/**
 * Long enough for a part to be read before the next one on a busy machine's loopback; nothing tells when it
 * was.
 */
const PART_MS = 20;
const DEADLINE_MS = 5000;

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const sized = (bytes: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`;
const head = (fields: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\n${fields}\r\n`;
const encoded = (coding: string): string => head(`content-encoding: ${coding}\r\ncontent-length: 7\r\n`) + 'rubbish';
const redirect = (to: string): string => head(`location: ${to}\r\ncontent-length: 0\r\nconnection: close\r\n`, '302 Found');

export const REPLIES: Readonly<Record<string, readonly Reply[]>> = {
  'whole content': [
    [`${sized(2)}ok`],
    [`${chunked}2\r\nok\r\n0\r\n\r\n`],
    [`${chunked}2;a=b\r\nok\r\n0\r\nx: y\r\n\r\n`],
    [`${head('')}all`, 'ends'],
    ['HTTP/1.0 200 OK\r\n\r\nall', 'ends'],
    [[`${head('')}all`, ''], 'resets'],
  ],
  'chunks that are no chunks': [
    [`${chunked}zz\r\nok\r\n0\r\n\r\n`],
    [`${chunked}zz\r\nok\r\n0\r\n\r\n`, 'ends'],
    [[`${chunked}2\r\nok\r\n`, 'xyz\r\nok\r\n0\r\n\r\n']],
    [`${chunked}fffffffffffffffff\r\nok\r\n`],
    [`${chunked}-2\r\nok\r\n`],
    [`${chunked}2\r\nokxx0\r\n\r\n`],
    [`${chunked}2\nok\n0\n\n`],
    [`${chunked}\r\nok\r\n`],
    [`${chunked}2\r\nok\r\n0\r\nx y z\r\n\r\n`],
  ],
  'content that breaks off': [
    [`${sized(10)}abc`, 'ends'],
    [[`${sized(10)}abc`, ''], 'resets'],
    [`${chunked}5\r\nab`, 'ends'],
    [[`${chunked}5\r\nab`, ''], 'resets'],
    [`${chunked}2\r\nok\r\n`, 'ends'],
    [head('content-length: 10\r\nconnection: close\r\n') + 'abc', 'ends'],
    ['HTTP/1.0 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'ends'],
  ],
  'more than was declared': [
    [`${sized(2)}okSURPLUS`],
    [`${sized(2)}okSURPLUS`, 'ends'],
    [`${sized(2)}ok${sized(3)}two`],
    [[`${sized(2)}ok`, 'more']],
    [head('', '204 No Content') + 'body'],
    [head('content-length: 4\r\n', '204 No Content') + 'body'],
    [head('content-length: 4\r\n', '304 Not Modified')],
  ],
  'a connection that ends before the reply': [
    ['', 'ends'],
    [head('').slice(0, 12), 'ends'],
    [head('x: ').slice(0, -2), 'ends'],
    ['', 'resets'],
    [[head('').slice(0, 12), ''], 'resets'],
    [[head('x: ').slice(0, -2), ''], 'resets'],
  ],
  'heads that are no heads': [
    ['rubbish rubbish\r\n\r\n'],
    ['HTTP/9.9 200 OK\r\n\r\n'],
    [head('', '20x OK')],
    [head('content-length: 2\r\n', '099 OK') + 'ok'],
    [head('content-length: 2\r\n', '000 OK') + 'ok'],
    [head('b ad: x\r\n')],
    [head('bad\r\n')],
    [head('a: x\u0001y\r\n')],
    [head('content-length: 2\r\ncontent-length: 3\r\n') + 'ok'],
    [`${head('content-length: 2\r\ntransfer-encoding: chunked\r\n')}2\r\nok\r\n0\r\n\r\n`],
    [head('content-length: x\r\n') + 'ok'],
    [head('content-length: -1\r\n') + 'ok'],
    [head(`x: ${'y'.repeat(20_000)}\r\n`)],
    ['HTTP/1.1 200 OK\n\r\n'],
    ['HTTP/1.1 200\n\r\n'],
    ['HTTP/1.1 200 OK\r\na: b\n\r\n'],
    ['HTTP/1.1 200 OK\r\na:\n\r\n'],
    ['HTTP/1.1 200 OK\r\na: b\r\n\n'],
    ['\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ],
  'interim replies': [
    [head('', '100 Continue') + sized(2) + 'ok'],
    [head('', '100 Continue'), 'ends'],
    [head('link: x\r\n', '103 Early Hints') + sized(2) + 'ok'],
    [head('connection: upgrade\r\nupgrade: x\r\n', '101 Switching Protocols')],
  ],
  redirects: [
    [redirect('/'), 'ends'],
    [redirect('http://[')],
    [redirect('ftp://x/')],
    [redirect('data:,x')],
    [head('content-length: 0\r\n', '302 Found')],
  ],
  'encodings that are none': [[encoded('gzip')], [encoded('zstd')], [encoded('none')]],
};

function send(socket: net.Socket, [parts, end]: Reply): void {
  const rest = typeof parts === 'string' ? [parts] : [...parts];
  const next = (): void => {
    const part = rest.shift();
    if (part === undefined) {
      if (end === 'ends') socket.end();
      else if (end === 'resets') socket.resetAndDestroy();
      return;
    }
    if (part !== '') socket.write(part, 'latin1');
    if (rest.length === 0 && end !== 'resets') next();
    else setTimeout(next, PART_MS);
  };
  next();
}

/** An error and its causes: class, code and message. */
export function shown(error: unknown): unknown {
  if (!(error instanceof Error) && !(error instanceof DOMException)) return error;
  const { name, message, cause } = error as Error;
  return [name, (error as NodeJS.ErrnoException).code, message, ...(cause === undefined ? [] : [shown(cause)])];
}

/** What `fetch` makes of something: the reply, or what went wrong and when. */
export async function fetched(url: string, options?: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    return ['no reply', shown(error)];
  }
  const seen = [response.status, response.statusText, response.headers.get('content-length'), response.headers.get('content-range')];
  return response.text().then(
    (text) => [...seen, text],
    (error: unknown) => [...seen, 'no content', shown(error)],
  );
}

/** What `use` makes of a server that gives `reply` to each request, in a bounded time. */
export async function answered(reply: Reply, use: (url: string) => Promise<unknown> = fetched): Promise<unknown> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => send(socket, reply));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS, 'it hangs');
  });
  try {
    return await Promise.race([use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), late]);
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
