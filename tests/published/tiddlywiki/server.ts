/**
 * TiddlyWiki's server (node:http alone): a whole wiki in one page, tiddlers read and written as its web
 * client does.
 */
import { runCommand } from '../support/process.ts';
import type { Published, Talk } from '../support/server.ts';

const AJAX = { 'X-Requested-With': 'TiddlyWiki' };

async function talk({ client, step }: Talk): Promise<void> {
  await step('reads');
  for (const path of ['/status', '/', '/recipes/default/tiddlers.json', '/recipes/default/tiddlers/nothing', '/favicon.ico', '/nothing'])
    await client.get(path);
  await client.get('/', { 'Accept-Encoding': 'gzip' });
  const etag = (await client.get('/')).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  await client.get('/', { 'If-None-Match': etag });
  await step('writes');
  const put = (title: string, text: string): Promise<unknown> => {
    const body = JSON.stringify({ title, text, fields: { sea: 'north' }, tags: 'bird [[big bird]]' });
    const path = `/recipes/default/tiddlers/${encodeURIComponent(title)}`;
    return client.send({ method: 'PUT', path, headers: { ...AJAX, 'Content-Type': 'application/json' }, body });
  };
  await put('Fulmar', 'Grüße 🌊');
  await put('a/b c', 'x'.repeat(300_000));
  await client.send({ method: 'PUT', path: '/recipes/default/tiddlers/refused', body: '{}' });
  for (const path of ['/recipes/default/tiddlers/Fulmar', '/recipes/default/tiddlers/a%2Fb%20c', '/Fulmar', '/files/x'])
    await client.get(path);
  await client.send({ method: 'DELETE', path: '/bags/default/tiddlers/Fulmar', headers: AJAX });
  await client.get('/recipes/default/tiddlers/Fulmar');
  for (const method of ['HEAD', 'OPTIONS', 'PATCH']) await client.send({ method, path: '/status', headers: AJAX });
}

export const server: Published = {
  name: 'tiddlywiki',
  shown: 'tiddlywiki',
  entry: 'node_modules/tiddlywiki/tiddlywiki.js',
  args: ({ port }) => ['wiki', '--listen', `port=${port}`, 'host=127.0.0.1', 'gzip=yes', 'use-browser-cache=yes'],
  prepare: async ({ node, folder, work }) => {
    await runCommand(node, [`${folder}node_modules/tiddlywiki/tiddlywiki.js`, 'wiki', '--init', 'server'], { cwd: work });
  },
  ready: '/status',
  masks: [
    { pattern: /\b20\d{15}\b/g, by: '<time>' },
    { pattern: /:[0-9a-f]{32}:|"[0-9a-f]{64}"/g, by: ':<hash>:' },
    { pattern: /"[0-9A-Za-z+/]{27}=?"/g, by: '"<hash>"' },
  ],
  talk,
};
