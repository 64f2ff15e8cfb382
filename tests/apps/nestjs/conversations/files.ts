/** Uploads through each of the interceptors, and files as replies. */
import assert from 'node:assert/strict';
import { field } from '../../../e2e/support/client.ts';
import type { Client, Reply } from '../../../e2e/support/client.ts';
import { MULTIPART, toMultipart } from '../../../e2e/support/multipart.ts';
import type { Part } from '../../../e2e/support/multipart.ts';
import type { Conversation } from '../../support/compare.ts';
import { sendRaw } from '../../support/raw.ts';

const file = (name: string, bytes: number, filename = 'möwe.png', type = 'image/png'): Part => ({
  name,
  filename,
  type,
  value: Buffer.alloc(bytes, 'fulmar'),
});
const text = (name: string, value: string): Part => ({ name, value });

function upload(client: Client, where: string, parts: readonly Part[], isEnded = true): Promise<Reply> {
  return client.post(`/api/files/${where}`, toMultipart(parts, isEnded), MULTIPART);
}

export const files: readonly Conversation[] = [
  {
    name: 'takes one file with fields, up to its limits',
    talk: async ({ client }) => {
      await upload(client, 'one', [text('caption', 'Súla ☃'), file('file', 100), text('n', '1')]);
      await upload(client, 'one', [file('file', 99_999, '海鷗 "x".png')]);
      await upload(client, 'one', [file('file', 100_001)]);
      await upload(client, 'one', [file('other', 10)]);
      await upload(client, 'one', [file('file', 1), file('file', 2)]);
      await upload(
        client,
        'one',
        ['a', 'b', 'c', 'd'].map((name) => text(name, name)),
      );
      await upload(client, 'one', []);
      await upload(client, 'one', [file('file', 10)], false);
      await client.post('/api/files/one', 'no parts', { 'Content-Type': 'multipart/form-data; boundary=x' });
      await client.post('/api/files/one', 'no boundary', { 'Content-Type': 'multipart/form-data' });
      await client.json('/api/files/one', { not: 'multipart' });
    },
    check: (replies) =>
      assert.deepEqual(
        replies.slice(0, 4).map(({ line }) => line.slice(0, 3)),
        ['201', '201', '413', '400'],
      ),
  },
  {
    name: 'checks files and the fields beside them with pipes',
    talk: async ({ client }) => {
      const caption = [text('caption', 'a cliff'), text('year', '1988')];
      await upload(client, 'checked', [...caption, file('file', 4_000)]);
      await upload(client, 'checked', [...caption, file('file', 6_000)]);
      await upload(client, 'checked', [...caption, file('file', 10, 'a.txt', 'text/plain')]);
      await upload(client, 'checked', [text('year', 'x'), file('file', 10)]);
      await upload(client, 'checked', caption);
      await upload(client, 'optional', []);
      await upload(client, 'optional', [file('file', 9)]);
      await upload(client, 'optional', [file('file', 11)]);
    },
    check: ([first]) => assert.match(first?.content ?? '', /"year":1988,"isDto":true/),
  },
  {
    name: 'takes several files, named ones, any and none',
    talk: async ({ client }) => {
      await upload(client, 'many', [file('files', 10), file('files', 20, 'b.txt', 'text/plain')]);
      await upload(
        client,
        'many',
        [1, 2, 3, 4].map((bytes) => file('files', bytes)),
      );
      await upload(client, 'many', [file('files', 10), file('files', 20, 'virus.exe')]);
      await upload(client, 'many', []);
      await upload(client, 'fields', [file('photo', 10), file('sounds', 20), file('sounds', 30)]);
      await upload(client, 'fields', [file('photo', 10), file('photo', 10)]);
      await upload(client, 'fields', [file('unknown', 10)]);
      await upload(client, 'any', [file('a', 1), text('t[deep]', 'x'), file('b', 500_000), text('t[list]', 'y')]);
      await upload(client, 'none', [text('a', '1')]);
      await upload(client, 'none', [file('a', 1)]);
    },
    check: (replies) => assert.ok(replies.some(({ line }) => line.startsWith('415'))),
  },
  {
    name: 'survives an upload that breaks off',
    talk: async ({ client, port }) => {
      const head = `POST /api/files/any HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART['Content-Type']}\r\nContent-Length: 100000\r\n\r\n`;
      await sendRaw(port, [head, toMultipart([file('a', 5_000)], false)], { cutAfter: '' });
      await upload(client, 'one', [file('file', 3)]);
    },
  },
  {
    name: 'sends files: streams, buffers, parts of files, broken ones',
    talk: async ({ client }) => {
      for (const path of [
        'stream',
        'stream?pieces=0',
        'stream?pieces=60',
        'buffer',
        'breaking',
        'missing',
        'named/none.txt',
        'named/..%2Fpackage.json',
      ])
        await client.get(`/api/files/${path}`);
      const whole = await client.get('/api/files/named/fulmar.txt');
      await client.get('/api/files/named/fulmar.txt', { 'If-None-Match': field(whole, 'etag') ?? '' });
      for (const range of ['bytes=0-9', 'bytes=-10', 'bytes=99999-', 'bytes=0-1,5-6'])
        await client.get('/api/files/named/fulmar.txt', { Range: range });
      await client.get('/api/files/download/fulmar.txt');
      await client.get('/api/files/download/none.txt');
      await client.send({ method: 'HEAD', path: '/api/files/stream' });
      await client.get('/assets/fulmar.txt', { Range: 'bytes=5-9' });
    },
    check: ([first]) => assert.equal(first?.content.length, 50_000),
  },
  {
    name: 'goes on when a client leaves in the middle of a file',
    talk: async ({ client, note }) => {
      const reply = await client.send({ path: '/api/files/stream?pieces=2000', stopAfterBytes: 1_000_000 });
      (client.replies as unknown[]).pop();
      note([reply.status, reply.isComplete]);
      await client.get('/health');
    },
    check: (_replies, notes) => assert.deepEqual(notes, [[200, false]]),
  },
];
