/**
 * One behaviour of the app: what is registered, what is asked, what comes. Asked over a socket, through
 * `inject` and through `fetch`.
 */
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { App, type AppOptions, createApp } from '../../src/app/index.ts';
import { serverOf } from './server.ts';

export interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Came {
  readonly status: number;
  /** By name in lower case, without what follows from the connection and the time. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content coding. */
  readonly text: string;
}

export interface AppCase {
  readonly name: string;
  readonly options?: AppOptions;
  readonly app: (app: App) => void;
  readonly ask: Asked | string;
  readonly expect: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly text?: string | RegExp;
    readonly json?: unknown;
  };
  /** A place that cannot be asked so, with the reason. */
  readonly not?: Readonly<Partial<Record<Way, string>>>;
}

export type Way = 'socket' | 'inject' | 'fetch';

const OF_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function kept(raw: Iterable<readonly [string, string]>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [given, value] of raw) {
    const name = given.toLowerCase();
    if (!OF_CONNECTION.has(name)) headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

const toAsked = (ask: Asked | string): Asked => (typeof ask === 'string' ? { url: ask } : ask);

const ways: Readonly<Record<Way, (app: App, asked: Asked, port: number) => Promise<Came>>> = {
  socket: (_app, asked, port) => overSocket(asked, port),
  async inject(app, { method, url, headers, body }) {
    const reply = await app.inject({
      url,
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      body,
    });
    const lines: [string, string][] = [];
    for (let at = 0; at < reply.rawHeaders.length; at += 2)
      lines.push([reply.rawHeaders[at] as string, reply.rawHeaders[at + 1] as string]);
    const fields = kept(lines);
    return { status: reply.status, headers: fields, text: decoded(reply.bytes, fields) };
  },
  async fetch(app, { method, url, headers, body }) {
    const init = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
      body: body ?? null,
    };
    if (body === undefined && headers?.['Content-Type'] === undefined) delete (init.headers as Record<string, string>)['Content-Type'];
    const reply = await app.fetch(new Request(`http://localhost${url}`, init as RequestInit));
    const fields = kept(reply.headers);
    return { status: reply.status, headers: fields, text: decoded(new Uint8Array(await reply.arrayBuffer()), fields) };
  },
};

/** Bytes as they are: no client of a library changes what is asked. */
function overSocket({ method, url, headers = {}, body }: Asked, port: number): Promise<Came> {
  const content = body === undefined ? null : Buffer.from(body);
  const lines = {
    Host: 'localhost',
    ...headers,
    ...(content === null ? {} : { 'Content-Length': String(content.length) }),
    Connection: 'close',
  };
  if (content !== null && !('Content-Type' in lines)) Object.assign(lines, { 'Content-Type': 'text/plain; charset=utf-8' });
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => {
      const all = Buffer.concat(pieces);
      const end = all.indexOf('\r\n\r\n');
      const [first = '', ...fields] = all.subarray(0, end).toString('latin1').split('\r\n');
      const given = fields.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
      const rest = all.subarray(end + 4);
      const isChunked =
        method !== 'HEAD' && given.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && value === 'chunked');
      const came = kept(given);
      resolve({ status: Number(first.split(' ')[1]), headers: came, text: decoded(isChunked ? dechunked(rest) : rest, came) });
    });
    socket.write(
      `${method ?? (content === null ? 'GET' : 'POST')} ${url} HTTP/1.1\r\n${Object.entries(lines)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    );
    if (content !== null) socket.write(content);
  });
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes),
  deflate: (bytes) => zlib.inflateSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
};

function decoded(bytes: Uint8Array, { 'content-encoding': coding }: Readonly<Record<string, string>>): string {
  const decode = coding === undefined ? undefined : decoders[coding];
  return Buffer.from(decode === undefined || bytes.byteLength === 0 ? bytes : decode(bytes)).toString();
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

/** A test of each case in each way. */
export function defineCases(title: string, cases: readonly AppCase[]): void {
  describe(title, () => {
    for (const one of cases) {
      describe(one.name, () => {
        const quiet = { logger: { error: () => {} } };
        const app = createApp({ ...quiet, ...one.options });
        let port = 0;
        before(async () => {
          one.app(app);
          port = ((await serverOf(app)).address() as AddressInfo).port;
        });
        after(() => app.close());
        for (const way of Object.keys(ways) as Way[]) {
          it(way, { skip: one.not?.[way] ?? false }, async () => check(await ways[way](app, toAsked(one.ask), port), one.expect));
        }
      });
    }
  });
}

function check(came: Came, { status = 200, headers = {}, text, json }: AppCase['expect']): void {
  assert.equal(came.status, status, came.text);
  for (const [name, value] of Object.entries(headers)) assert.equal(came.headers[name], value, name);
  if (text instanceof RegExp) assert.match(came.text, text);
  else if (text !== undefined) assert.equal(came.text, text);
  if (json !== undefined) assert.deepEqual(JSON.parse(came.text), json);
}
