/**
 * Vite in middleware mode inside Express, with React rendering on the server: pages, modules, hot updates.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { compareApp } from '../support/compare.ts';
import type { Conversation } from '../support/compare.ts';
import { listenTo } from '../support/socket.ts';

const tagOf = (fields: readonly (readonly [string, string])[]): string => fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';

const conversations: Conversation[] = [
  {
    name: 'renders pages on the server, streamed and whole',
    talk: async ({ client }) => {
      for (const path of ['/', '/sidan?q=%C3%A5', '/whole/sidan', '/broken', '/api/birds']) await client.get(path);
      await client.send({ path: '/whole/sidan', method: 'HEAD' });
      await client.get('/whole/a', { 'If-None-Match': 'W/"whole"' });
      await client.send({ path: '/sidan', stopAfterBytes: 10 });
      client.replies.pop();
      await client.get('/sidan');
    },
    check: (replies) => {
      const text = replies.map(({ content }) => Buffer.from(content, 'latin1').toString()).join('');
      for (const part of ['Laddar …', '花鶏', 'this page is broken', '/@vite/client', 'app.jsx']) assert.ok(text.includes(part), part);
    },
  },
  {
    name: 'serves modules as it transforms them, with validators',
    talk: async ({ client }) => {
      const { fields } = await client.get('/src/app.jsx');
      await client.get('/src/app.jsx', { 'If-None-Match': tagOf(fields) });
      for (const path of ['/src/app.module.css', '/src/mark.svg?import', '/src/mark.svg', '/src/entry-client.jsx', '/@vite/env'])
        await client.get(path);
      await client.get('/robots.txt');
      await client.get('/robots.txt', { Range: 'bytes=0-3' });
      await client.get('/src/nowhere.js');
      await client.get('/@fs/etc/passwd');
      await client.get('/src/app.jsx', { Origin: 'http://evil.example' });
      await client.send({
        path: '/src/app.jsx',
        method: 'OPTIONS',
        headers: { Origin: 'http://localhost:1', 'Access-Control-Request-Method': 'GET' },
      });
    },
    check: (replies) => {
      assert.match(replies[0]?.content ?? '', /jsxDEV/);
      assert.equal(replies[1]?.line, '304 Not Modified');
    },
  },
  {
    name: 'tells browsers of updates over the WebSocket of the same server',
    talk: async ({ client, url, note }) => {
      const { content } = await client.get('/@vite/client');
      client.replies.pop();
      const token = /wsToken = "([^"]+)"/.exec(content.toString())?.[1] ?? '';
      const { socket, heard, closed } = listenTo(`${url}/?token=${token}`, { protocols: ['vite-hmr'] });
      await heard(2);
      socket.send(JSON.stringify({ type: 'custom', event: 'nobody:listens', data: { a: 'ü' } }));
      await client.post('/api/reload', '');
      await heard(3);
      socket.close(1000, 'seen');
      note(await closed());
      note(await listenTo(`${url}/?token=wrong`, { protocols: ['vite-hmr'], headers: { Origin: 'http://evil.example' } }).closed());
    },
    check: (_replies, notes) => {
      const text = JSON.stringify(notes);
      for (const part of ['connected', 'full-reload', 'close 1000', 'refused 4']) assert.ok(text.includes(part), part);
    },
  },
];

const folders = ['node', 'fulmar'].map((name) => mkdtempSync(join(tmpdir(), `vite-${name}-`)));
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

compareApp({
  name: 'Vite in middleware mode with server-side rendering',
  folder: new URL('./', import.meta.url),
  file: 'server.js',
  env: { CACHE_DIR: folders[0] ?? '' },
  sides: [{ file: 'server.js', env: { CACHE_DIR: folders[1] ?? '' } }],
  express: 'fulmar/express',
  conversations,
});
