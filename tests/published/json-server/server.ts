/**
 * json-server: a REST server over a file, Express 4 with errorhandler, morgan, compression, method-override;
 * its client is `fetch`.
 */
import type { Published, Talk } from '../support/server.ts';

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

async function talk({ url, client, step, note }: Talk): Promise<void> {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const reply = await fetch(url + path, init);
    note([reply.status, await reply.text()]);
    return reply;
  };
  await step('reads');
  for (const path of ['/', '/db', '/posts', '/posts/1', '/posts/9', '/profile', '/nothing', '/favicon.ico']) await ask(path);
  await step('asks');
  for (const query of [
    'author=Ada',
    '_sort=views&_order=desc',
    '_page=1&_limit=2',
    'q=fulmar',
    'views_gte=10',
    'title_like=^C',
    '_start=1&_end=3',
  ]) {
    await ask(`/posts?${query}`);
  }
  for (const path of ['/posts/1/comments', '/posts/1?_embed=comments', '/comments?_expand=post', '/api/posts', '/written/2'])
    await ask(path);
  await ask('/posts?callback=seen');
  await step('writes');
  await ask('/posts', json('POST', { title: 'new', text: 'x'.repeat(5_000) }));
  // Without Accept-Encoding: its stack is about as long as what is worth compressing, and its frames are the
  // framework's.
  await client.json('/posts', { id: 1, title: 'taken' });
  await ask('/posts/2', json('PUT', { title: 'put' }));
  await ask('/posts/2', json('PATCH', { views: 21 }));
  await ask('/posts/9', json('PATCH', { views: 21 }));
  await ask('/profile', json('POST', { name: 'tower' }));
  await ask('/posts/3', { method: 'DELETE' });
  await ask('/posts', { ...json('POST', ''), body: '{"broken' });
  await ask('/posts', json('POST', { title: 'too much', text: 'x'.repeat(11_000_000) }));
  await client.form('/posts', { title: 'by form', 'tags[]': 'a' });
  await client.send({
    path: '/posts/1',
    method: 'POST',
    headers: { 'X-HTTP-Method-Override': 'PUT', 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  await client.send({
    path: '/posts',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    pieces: ['{"title":', '"in pieces"}'],
  });
  await step('conditions and methods');
  const etag = (await client.get('/posts')).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  await client.get('/posts', { 'If-None-Match': etag });
  for (const method of ['HEAD', 'OPTIONS', 'TRACE'])
    await client.send({ path: '/posts', method, headers: { Origin: 'http://sea.example' } });
  await client.get('/', { Range: 'bytes=2-8' });
  await client.get('/%E0%A4%A');
  await ask('/__rules');
  note(await (await fetch(`${url}/db`)).json());
}

export const server: Published = {
  name: 'json-server',
  shown: 'json-server',
  entry: 'node_modules/json-server/lib/cli/bin.js',
  args: ({ port }) => ['db.json', '--port', String(port), '--host', '127.0.0.1', '--routes', 'routes.json', '--static', 'static'],
  talk,
};
