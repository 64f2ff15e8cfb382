/**
 * NestJS 10 on the Express 4 that it brings, as CommonJS: the features of that Express, uploads, views, a ws
 * gateway.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Client, Reply } from '../../e2e/support/client.ts';
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import type { Part } from '../../e2e/support/multipart.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation } from '../support/compare.ts';
import { compile } from '../support/compile.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function getAll(client: Client, paths: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const path of paths) await client.get(path, headers);
}

const requests: readonly Conversation[] = [
  {
    name: 'renders, and answers in each way of Express 4',
    talk: async ({ client }) => {
      await getAll(client, ['/', '/request?a[b]=1&c=2&c=3', '/stream', '/nowhere', '/%ff', '/request/', '//request']);
      for (const how of [
        'json',
        'jsonp?callback=f',
        'text',
        'buffer',
        'status',
        'redirect',
        'cookie',
        'links',
        'download',
        'next',
        'error',
        'missing',
      ])
        await client.get(`/response/${how}`);
      await client.get('/response/back', { Referer: '/from' });
      for (const Accept of ['text/html', 'application/json', 'image/png']) await client.get('/response/format', { Accept });
      for (let again = 0; again < 4; again += 1) await client.get('/response/file');
      await client.get('/response/file', { Range: 'bytes=2-5' });
      await client.get('/request', { 'X-Requested-With': 'XMLHttpRequest', 'If-None-Match': '*', Host: 'a.b.example.test' });
    },
    check: (replies) => assert.match(replies[0]?.content ?? '', /<title>Tides<\/title>/),
  },
  {
    name: 'routes as Express 4 does: patterns, wildcards, versions, modules',
    talk: async ({ client }) => {
      await getAll(client, [
        '/tides',
        '/tides/',
        '/tides/1',
        '/tides/99',
        '/tides/x',
        '/tides/1-2',
        '/tides/a-b-c',
        '/tides/abcd',
        '/tides/abbbcd',
        '/tides/acd',
      ]);
      await getAll(client, ['/tides/untraced?$a[]=1&b.c=2', '/files/a/b%2Fc', '/files/', '/files', '/TIDES/1']);
      await client.get('/tides', { 'X-Version': '2' });
      await client.get('/tides', { 'X-Version': '3' });
      for (const rights of ['', 'read', 'write', 'read,write']) {
        await client.get('/admin/tools', { 'X-Rights': rights });
        await client.send({ method: 'DELETE', path: '/admin/tools', headers: { 'X-Rights': rights } });
      }
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PROPFIND'])
        for (const path of ['/tides', '/files/x']) await client.send({ method, path });
      await client.get('/tides/stream', { Accept: 'text/event-stream' });
    },
    check: (replies) => {
      assert.ok(replies.some(({ content }) => content.includes('"pilot"')));
      assert.match(replies.at(-1)?.content ?? '', /event: tide\n/);
    },
  },
  {
    name: 'parses and validates bodies, and refuses what it cannot read',
    talk: async ({ client, port }) => {
      const tide = { kind: 'high', metres: 3.5, at: '2026-02-03T04:05:06Z', place: { name: 'Höfn ☃', lat: 64.25 } };
      for (const value of [tide, { ...tide, place: { lat: 100 } }, { kind: 'middle', at: 'never' }, {}, [tide]])
        await client.json('/tides', value);
      for (const body of ['5', '"text"', 'null', '{', '']) await client.post('/echo', body, JSON_TYPE);
      await client.form('/echo', { 'a[b]': '1', 'c[]': 'ü ☃' });
      await client.post('/echo', Buffer.from([0, 255, 128]), { 'Content-Type': 'application/octet-stream' });
      await client.post('/echo', Buffer.alloc(100_001), { 'Content-Type': 'application/octet-stream' });
      await client.json('/echo', { big: 'x'.repeat(150_000) });
      await client.json('/echo', { big: 'x'.repeat(250_000) });
      await client.post('/echo', 'text', { 'Content-Type': 'text/plain' });
      await client.post('/echo', '{}', { 'Content-Type': 'application/json; charset=unknown' });
      await client.send({ method: 'POST', path: '/echo', pieces: ['{"in":', '"pieces ☃"}'], headers: JSON_TYPE });
      const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      await sendRaw(port, [`${head}Content-Length: 1000\r\n\r\n{"a":`], { cutAfter: '' });
      await client.get('/tides');
    },
    check: ([first, second]) => assert.deepEqual([first?.line.slice(0, 3), second?.line.slice(0, 3)], ['201', '422']),
  },
  {
    name: 'takes uploads up to its limits',
    talk: async ({ client }) => {
      const file = (bytes: number, name = 'file'): Part => ({
        name,
        filename: 'möwe.png',
        type: 'image/png',
        value: Buffer.alloc(bytes, 'f'),
      });
      const send = (path: string, parts: readonly Part[], isEnded = true): Promise<Reply> =>
        client.post(path, toMultipart(parts, isEnded), MULTIPART);
      await send('/upload', [{ name: 'caption', value: 'Súla ☃' }, file(10_000)]);
      await send('/upload', [file(30_000)]);
      await send('/upload', [file(60_000)]);
      await send('/upload', [file(1, 'other')]);
      await send('/upload', []);
      await send('/upload', [file(1)], false);
      await send('/uploads', [file(1, 'files'), file(2, 'files')]);
      await send(
        '/uploads',
        [1, 2, 3].map((bytes) => file(bytes, 'files')),
      );
    },
    check: ([first]) => assert.match(first?.content ?? '', /"size":10000/),
  },
  {
    name: 'talks through its ws gateway',
    talk: async ({ port, note, after }) => {
      const open = async (): Promise<{ socket: WebSocket; seen: string[] }> => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/live?x=ü`.replace('ü', '%C3%BC'));
        const seen: string[] = [];
        socket.on('message', (data) => seen.push(String(data)));
        after(() => socket.terminate());
        await once(socket, 'open');
        return { socket, seen };
      };
      const [one, two] = [await open(), await open()];
      const say = (event: string, data: unknown): void => one.socket.send(JSON.stringify({ event, data }));
      say('count', 3);
      await until(() => (one.seen.length === 4 ? true : undefined), 'the count');
      say('place', { name: 'Höfn', lat: 64 });
      await until(() => (one.seen.length === 5 ? true : undefined), 'the place');
      say('place', { name: 5, lat: 'far' });
      await until(() => (one.seen.length === 6 ? true : undefined), 'the refusal');
      say('unknown', {});
      say('everybody', 'góðan dag ☃'.repeat(10_000));
      await until(() => (one.seen.length === 7 && two.seen.length === 2 ? true : undefined), 'the words');
      note([one.seen, two.seen]);
      one.socket.close(1000, 'enough');
      note((await once(one.socket, 'close')).map(String));
      const elsewhere = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`);
      note(((await once(elsewhere, 'error')) as [Error])[0].message);
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /Höfn at 64, true/),
  },
];

const folder = new URL('../nestjs10/', import.meta.url);

compareApp({
  name: 'NestJS 10',
  folder,
  prepare: () => compile(folder),
  file: 'dist/main.js',
  sides: [{ file: 'dist/main.js' }, { file: 'src/main.ts' }],
  express: 'fulmar/express4',
  // A warning names the place that caused it, which the source has elsewhere than what was compiled from it.
  line: (line) => line.replace(/ at (?:dist|src)\/.*/, ''),
  conversations: requests,
});
