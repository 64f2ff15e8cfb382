/**
 * The same application on a port: what a socket carries is what an adapter is compared with.
 */
import { createConnection, type AddressInfo } from 'node:net';
import { createApp, App } from '../../src/app/index.ts';
import { createServer } from '../../src/http/index.ts';
import type { Application } from '../../src/adapters/application-types.ts';

export interface OnPort {
  readonly port: number;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  /** `[name in lower case, value]`, without what follows from connection and time. */
  readonly lines: readonly (readonly [string, string])[];
  readonly content: Buffer;
}

const OF_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export const keptLines = (lines: Iterable<readonly [string, string]>): (readonly [string, string])[] =>
  [...lines].map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !OF_CONNECTION.has(name));

export async function onPort(application: Application): Promise<OnPort> {
  if (typeof application === 'function' && application.length === 1) return onPort(createApp().mount('/', application as never));
  if (application instanceof App) {
    const server = await application.listen({ port: 0, host: '127.0.0.1' });
    return { port: (server.address() as AddressInfo).port, close: () => application.close() };
  }
  const listener = typeof application === 'function' ? application : (application as { callback(): unknown }).callback();
  const server = createServer(listener as never) as unknown as import('node:http').Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

export interface AskedPort {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly content: Uint8Array | null;
}

/** Bytes as they are. */
export function askPort(port: number, { method, target, fields, content }: AskedPort): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(pieces), method)));
    const length = content === null ? [] : [['Content-Length', String(content.byteLength)] as const];
    const lines = [...fields, ...length, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`);
    if (content !== null) socket.write(content);
  });
}

function parse(all: Buffer, method: string): Reply {
  const end = all.indexOf('\r\n\r\n');
  const [first = '', ...fields] = all.subarray(0, end).toString('latin1').split('\r\n');
  const lines = fields.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
  const rest = all.subarray(end + '\r\n\r\n'.length);
  const isChunked = method !== 'HEAD' && lines.some(([name, value]) => /^transfer-encoding$/i.test(name) && value === 'chunked');
  return { status: Number(first.split(' ')[1]), lines: keptLines(lines), content: isChunked ? dechunked(rest) : rest };
}

function dechunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (end < 0 || Number.isNaN(size)) throw new Error('a chunk without a size');
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
