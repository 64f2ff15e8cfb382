/**
 * A classic application on Express 4: EJS pages, Passport log-ins, sessions, flash messages, uploads, static
 * files.
 */
import assert from 'node:assert/strict';
import type { Client, Reply } from '../../e2e/support/client.ts';
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation } from '../support/compare.ts';

const ADA = { user: 'ada', password: 'analytical engine' };
const statuses = (replies: readonly { line: string }[]): string[] => replies.map(({ line }) => line.slice(0, 3));

/** Follows the redirect of a reply, as a browser does. */
async function follow(client: Client, reply: Reply): Promise<Reply> {
  const to = reply.fields.find(([name]) => name === 'Location')?.[1];
  assert.ok(to !== undefined, `a redirect, not ${reply.status}`);
  return client.get(to);
}

async function logIn(client: Client, fields: Record<string, string> = ADA): Promise<void> {
  await follow(client, await client.form('/login', fields));
}

const conversations: Conversation[] = [
  {
    name: 'counts visits in a session and signs its cookies',
    talk: async ({ client }) => {
      for (let visit = 0; visit < 3; visit += 1) await client.get('/');
      client.cookies.set('seen', 's%3A2.forged');
      await client.get('/');
      client.cookies.set('board.sid', 's%3Aunknown.forged');
      await client.get('/');
      await client.get('/', { 'X-Forwarded-Proto': 'https' });
    },
    check: (replies) => assert.match(replies[2]?.content ?? '', /Visit 3, last seen at 2/),
  },
  {
    name: 'logs in and out, with flash messages that are shown once',
    talk: async ({ client }) => {
      await logIn(client, { user: 'ada', password: 'wrong' });
      await client.get('/login');
      await logIn(client, { user: 'nobody', password: '' });
      await logIn(client, {});
      await logIn(client, { ...ADA, remember: 'on' });
      await client.get('/raw');
      await client.get('/');
      await follow(client, await client.post('/logout', ''));
      await client.get('/raw');
      await client.form('/login', { user: 'broken', password: 'x' });
    },
    check: (replies) => {
      const text = replies.map(({ content }) => content).join('');
      for (const words of ['Wrong name or password', 'Welcome, Ada', '"user":"ada"', 'the user store is broken'])
        assert.ok(text.includes(words), words);
    },
  },
  {
    name: 'brings back to the page that asked for the log-in, and keeps two users apart',
    talk: async ({ client }) => {
      await follow(client, await client.get('/messages/1?from=mail'));
      await logIn(client, { user: 'ægir', password: 'nordsjøen' });
      await client.get('/messages/99');
      client.cookies.clear();
      await client.get('/raw');
      await logIn(client);
      await client.get('/raw');
      await client.post('/destroy', '');
      await client.get('/raw');
    },
    check: (replies) => assert.deepEqual(statuses(replies).slice(0, 5), ['302', '200', '302', '200', '404']),
  },
  {
    name: 'takes messages with uploads, changes them and removes them by overridden methods',
    talk: async ({ client }) => {
      await logIn(client);
      const file = { name: 'file', filename: 'grüße 🌊.txt', type: 'text/plain', value: 'Inhalt ü' };
      const body = toMultipart([{ name: 'text', value: 'Möwe "&" <i>' }, file]);
      await follow(client, await client.post('/messages', body, MULTIPART));
      await client.get('/messages/2/file');
      await client.get('/messages/1/file');
      await follow(client, await client.form('/messages', { text: 'ohne Datei' }));
      await client.form('/messages/2', { _method: 'PUT', text: 'geändert' }, { Referer: '/messages/2' });
      await client.get('/messages/2');
      const large = toMultipart([{ name: 'file', filename: 'a', type: 'a/b', value: 'x'.repeat(60_000) }]);
      await client.post('/messages', large, MULTIPART);
      await client.form('/messages', { text: 'x'.repeat(20_000) });
      await client.form('/messages/3', { _method: 'DELETE' }, { Accept: 'application/json' });
      await client.form('/messages/2', { _method: 'DELETE' }, { Accept: 'text/html' });
      await client.form('/messages/1', { _method: 'PATCH' });
    },
    check: (replies) => {
      assert.ok(replies.some(({ content }) => content.startsWith('Inhalt')));
      assert.deepEqual(statuses(replies).slice(-5), ['413', '413', '200', '302', '404']);
    },
  },
  {
    name: 'renders errors: nowhere, broken and missing views; and parts of pages',
    talk: async ({ client }) => {
      for (const path of ['/nowhere', '/broken-view', '/missing-view', '/partial', '/%']) await client.get(path);
    },
    check: (replies) => assert.deepEqual(statuses(replies), ['404', '500', '500', '200', '404']),
  },
  {
    name: 'serves files with validators, ranges and extensions',
    talk: async ({ client }) => {
      const { fields } = await client.get('/board.css');
      const tag = fields.find(([name]) => name === 'ETag')?.[1] ?? '';
      await client.get('/board.css', { 'If-None-Match': tag });
      await client.get('/board.css', { Range: 'bytes=2-5' });
      await client.get('/about');
      await client.send({ path: '/about', method: 'HEAD' });
      await client.get('/../server.cjs');
    },
    check: (replies) => assert.deepEqual(statuses(replies).slice(1), ['304', '206', '200', '200', '404']),
  },
];

compareApp({
  name: 'EJS, Passport and sessions on Express 4',
  folder: new URL('./', import.meta.url),
  file: 'server.cjs',
  express: 'fulmar/express4',
  masks: [
    { pattern: /board\.sid=[^;]+/g, by: 'board.sid=<sid>' },
    { pattern: /"Last-Modified: [^"]*"/g, by: '"Last-Modified: <date>"' },
  ],
  conversations,
});
