/** A server for HTTP clients: echoes, redirects, faults, compression; the same over TLS. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { CERT, KEY } from '../modules/tls-identity.ts';

const LONG = 'abcdefgh'.repeat(10_000);
const packed = { gzip: gzipSync(LONG), deflate: deflateSync(LONG), br: brotliCompressSync(LONG) };
/** How often a client asked for what fails at first, by its own name. */
const attempts = new Map<string, number>();
const FAULTS = 2;
const PAGES = 3;

export const createOrigin = (): Server => createServer(reply);
export const createTlsOrigin = (): Server => createTlsServer({ cert: CERT, key: KEY }, reply);

function reply(req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url ?? '/', 'http://origin');
  const [, name = '', last = ''] = url.pathname.split('/');
  res.setHeader('Date', 'Thu, 01 Jan 1970 00:00:00 GMT');
  if (name === 'echo') return echo(req, res);
  if (name === 'bytes') return void res.end(Buffer.alloc(300_000, 'bytes'));
  if (name === 'redirect')
    return void res.writeHead(302, { Location: last === '1' ? '/status/200' : `/redirect/${Number(last) - 1}` }).end();
  if (name === 'endless') return void res.writeHead(307, { Location: '/endless' }).end();
  if (name === 'status') return void res.writeHead(Number(last)).end(`status ${last}`);
  if (name === 'flaky') return flaky(url, res);
  if (name === 'compressed') return void res.writeHead(200, { 'Content-Encoding': last }).end(packed[last as keyof typeof packed]);
  if (name === 'cut') return void res.writeHead(200, { 'Content-Length': '100' }).write('half', () => res.destroy());
  if (name === 'page') return page(Number(last), res);
  // `/slow` never answers; the client goes.
}

function echo(req: IncomingMessage, res: ServerResponse): void {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { host: _, connection: __, ...headers } = req.headers;
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ method: req.method, url: req.url, headers, content: Buffer.concat(parts).toString() }));
  });
}

function flaky(url: URL, res: ServerResponse): void {
  const key = url.searchParams.get('key') ?? '';
  const count = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, count);
  res.writeHead(count > FAULTS ? 200 : 503).end(`attempt ${count}`);
}

function page(number: number, res: ServerResponse): void {
  const next = number < PAGES ? `/page/${number + 1}` : undefined;
  res.end(JSON.stringify({ items: [`${number}a`, `${number}b`], next }));
}
