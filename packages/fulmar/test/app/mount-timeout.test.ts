/** `timeout()` around mounted applications: these are told when the reply is no longer theirs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import express from '../../src/express/index.ts';
import Koa from '../../src/koa/index.ts';
import { type App, createApp } from '../../src/app/index.ts';
import { timeout } from '../../src/app/middleware/index.ts';
import { serverOf } from './server.ts';

const SHORT_MS = 5;

/** What an application does that never answers in time; its promise settles when its response closes. */
function late(): { readonly handle: (req: IncomingMessage, res: ServerResponse) => void; readonly closed: Promise<readonly string[]> } {
  const seen: string[] = [];
  let resolve: (seen: readonly string[]) => void;
  const closed = new Promise<readonly string[]>((settle) => (resolve = settle));
  return {
    closed,
    handle(req, res) {
      req.on('aborted', () => seen.push('aborted'));
      res.on('finish', () => seen.push('finish'));
      res.on('close', () => {
        seen.push('close');
        // What comes then is for nobody.
        res.write('late');
        res.end('late');
        setImmediate(() => resolve(seen));
      });
    },
  };
}

const kinds: Readonly<Record<string, (handle: ReturnType<typeof late>['handle']) => Parameters<App['mount']>[1]>> = {
  express: (handle) => express().use(handle as never) as never,
  koa: (handle) =>
    new Koa().use((ctx: { req: IncomingMessage; res: ServerResponse; respond?: boolean }) => {
      ctx.respond = false;
      handle(ctx.req, ctx.res);
      return new Promise(() => {});
    }) as never,
  'a listener': (handle) => ((req: IncomingMessage, res: ServerResponse) => handle(req, res)) as never,
};

describe('a mounted application that is too late', () => {
  for (const [name, make] of Object.entries(kinds)) {
    it(`is told so: ${name}, without a socket`, async () => {
      const { handle, closed } = late();
      const app = createApp().use(timeout(SHORT_MS)).mount('/m', make(handle));
      const reply = await app.inject({ url: '/m/a' });
      assert.equal(reply.status, 503);
      assert.doesNotMatch(reply.text, /late/);
      assert.deepEqual(await closed, ['close']);
    });

    it(`is told so, and its connection serves on: ${name}`, async () => {
      const { handle, closed } = late();
      const app = createApp()
        .use('/m', timeout(SHORT_MS))
        .mount('/m', make(handle))
        .get('/next', () => 'next');
      const server = await serverOf(app);
      try {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.write('GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n');
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
        while (!text.endsWith('}')) await once(socket, 'data');
        assert.deepEqual(await closed, ['close']);
        socket.end('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        await once(socket, 'close');
        assert.match(text, /^HTTP\/1\.1 503 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*next$/);
        assert.doesNotMatch(text, /late/);
      } finally {
        await app.close();
      }
    });
  }

  it('is not told where it was in time', async () => {
    const seen: string[] = [];
    const app = createApp()
      .use(timeout(60_000))
      .mount(
        '/m',
        express().use(((req: IncomingMessage, res: ServerResponse) => {
          req.on('aborted', () => seen.push('aborted'));
          res.on('finish', () => seen.push('finish')).end('in time');
        }) as never) as never,
      );
    assert.equal((await app.inject({ url: '/m' })).text, 'in time');
    assert.deepEqual(seen, ['finish']);
  });
});
