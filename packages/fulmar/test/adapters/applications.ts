/**
 * One application, written five times: for the typed app, Express, Koa, as a function of messages and as a
 * fetch function.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type App, createApp } from '../../src/app/index.ts';
import express from '../../src/express/index.ts';
import Koa from '../../src/koa/index.ts';
import type { Application } from '../../src/adapters/application-types.ts';

export const GZIP = gzipSync('pressed');
export const BYTES = Uint8Array.of(0, 255, 254, 1, 128, 10, 13);
export const LATIN1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);

/** What each route answers: status, fields, content. */
interface Given {
  readonly status?: number;
  readonly fields?: readonly (readonly [string, string])[];
  readonly type?: string;
  readonly content?: string | Uint8Array | readonly string[];
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly header: (name: string) => string | undefined;
  readonly ip: string;
  readonly body: () => Promise<Uint8Array>;
}

const routes: Readonly<Record<string, (seen: Seen) => Given | Promise<Given>>> = {
  '/': () => ({ type: 'text/plain; charset=utf-8', content: 'hello' }),
  '/json': ({ search }) => ({ type: 'application/json; charset=utf-8', content: JSON.stringify([...new URLSearchParams(search)]) }),
  '/echo': async ({ header, body }) => ({ type: header('content-type') ?? 'text/plain', content: await body() }),
  '/bytes': () => ({ type: 'application/octet-stream', content: BYTES }),
  '/cookies': () => ({
    type: 'text/plain; charset=utf-8',
    fields: [
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT'],
      ['Set-Cookie', 'c=3; HttpOnly'],
    ],
    content: 'three',
  }),
  '/nothing': () => ({ status: 204 }),
  '/same': () => ({ status: 304, fields: [['ETag', '"1"']] }),
  '/teapot': () => ({ status: 418, fields: [['X-Pot', 'short, stout']], type: 'text/html; charset=utf-8', content: '<p>teapot</p>' }),
  '/unicode': () => ({ type: 'text/plain; charset=utf-8', content: 'Ünïcödé ✓ 🐦' }),
  '/latin1': () => ({ type: 'text/plain; charset=iso-8859-1', content: LATIN1 }),
  '/gzip': () => ({ type: 'text/plain; charset=utf-8', fields: [['Content-Encoding', 'gzip']], content: GZIP }),
  '/stream': () => ({ type: 'text/plain; charset=utf-8', content: ['one ', 'two ', 'thrée'] }),
  '/seen': ({ method, path, header }) => ({
    type: 'application/json; charset=utf-8',
    content: JSON.stringify({ method, path, cookie: header('cookie'), one: header('x-one'), length: header('content-length') }),
  }),
  '/moved': () => ({ status: 302, fields: [['Location', '/elsewhere?a=b']], type: 'text/plain; charset=utf-8', content: 'moved' }),
  '/empty': () => ({ type: 'text/plain; charset=utf-8', content: '' }),
  '/image': () => ({ type: 'image/svg+xml', content: '<svg/>' }),
  '/false-text': () => ({ type: 'text/plain; charset=utf-8', content: BYTES }),
};

function answer(seen: Seen): Given | Promise<Given> {
  if (seen.path.startsWith('/path/')) {
    return { type: 'text/plain; charset=utf-8', content: decodeURIComponent(seen.path.slice('/path/'.length)) };
  }
  return routes[seen.path]?.(seen) ?? { status: 404, type: 'text/plain; charset=utf-8', content: `no ${seen.path}` };
}

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? new TextEncoder().encode(content) : content);

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

function seenOf(req: IncomingMessage): Seen {
  const [path = '', search = ''] = (req.url ?? '').split('?');
  return {
    method: req.method ?? '',
    path,
    search,
    header: (name) => req.headers[name] as string | undefined,
    ip: req.socket.remoteAddress ?? '',
    body: () => wholeOf(req),
  };
}

async function byMessages(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { status = 200, fields = [], type, content } = await answer(seenOf(req));
  res.statusCode = status;
  if (type !== undefined) res.setHeader('Content-Type', type);
  for (const [name, value] of fields) res.appendHeader(name, value);
  if (Array.isArray(content)) {
    for (const piece of content as string[]) res.write(piece);
    res.end();
  } else if (content === undefined) res.end();
  else res.end(bytesOf(content as string | Uint8Array));
}

function ofOurs(): App {
  const app = createApp({ logger: { error: () => {} } });
  app.all('/*', async (c) => {
    const {
      status = 200,
      fields = [],
      type,
      content,
    } = await answer({
      method: c.method,
      path: c.path,
      search: c.url.split('?')[1] ?? '',
      header: (name) => c.header(name),
      ip: c.ip,
      body: () => c.body.bytes(),
    });
    c.status(status);
    for (const [name, value] of fields) c.header(name, value, { append: true });
    if (content === undefined) return undefined;
    return c.send(Array.isArray(content) ? content.values() : content, type);
  });
  return app;
}

function ofExpress(): Application {
  const app = (express as unknown as () => { use: (handler: unknown) => void })();
  app.use(async (req: IncomingMessage, res: ServerResponse & { send(content: unknown): void; status(code: number): void }) => {
    const { status = 200, fields = [], type, content } = await answer(seenOf(req));
    if (Array.isArray(content) || content === undefined) return byMessages(req, res);
    res.status(status);
    if (type !== undefined) res.setHeader('Content-Type', type);
    for (const [name, value] of fields) res.appendHeader(name, value);
    res.send(typeof content === 'string' ? content : Buffer.from(content as Uint8Array));
  });
  return app as unknown as Application;
}

function ofKoa(): Application {
  const app = new (Koa as unknown as new () => { use: (middleware: unknown) => void; silent: boolean })();
  app.silent = true;
  app.use(
    async (
      ctx: Record<string, never> & {
        req: IncomingMessage;
        status: number;
        body: unknown;
        append(name: string, value: string): void;
        type: string;
        set(name: string, value: string): void;
      },
    ) => {
      const { status = 200, fields = [], type, content } = await answer(seenOf(ctx.req));
      ctx.status = status;
      for (const [name, value] of fields) ctx.append(name, value);
      if (type !== undefined) ctx.set('Content-Type', type);
      if (content !== undefined)
        ctx.body = Array.isArray(content)
          ? new Blob(content as string[]).stream()
          : typeof content === 'string'
            ? content
            : Buffer.from(content as Uint8Array);
      if (type !== undefined) ctx.set('Content-Type', type);
    },
  );
  return app as unknown as Application;
}

async function byFetch(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const {
    status = 200,
    fields = [],
    type,
    content,
  } = await answer({
    method: request.method,
    path: url.pathname,
    search: url.search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    ip: '',
    body: async () => new Uint8Array(await request.arrayBuffer()),
  });
  const headers = new Headers(type === undefined ? {} : { 'Content-Type': type });
  for (const [name, value] of fields) headers.append(name, value);
  const body = Array.isArray(content) ? new Blob(content as string[]).stream() : (content as string | undefined);
  return new Response(body === undefined ? null : body, { status, headers });
}

export type Flavour = 'app' | 'express' | 'koa' | 'messages' | 'fetch';

export const applications: Readonly<Record<Flavour, () => Application>> = {
  app: ofOurs,
  express: ofExpress,
  koa: ofKoa,
  messages: () => byMessages as unknown as Application,
  fetch: () => byFetch,
};
