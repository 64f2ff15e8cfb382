/**
 * Astro's standalone server for Node (its own on node:http, send), and its handler in Express 5: pages,
 * endpoints, prerendered files.
 */
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('pages');
  for (const path of [
    '/?a=%C3%BC',
    '/nothing',
    '/api',
    '/api?redirect',
    '/api?crash',
    '/api?stream',
    '/static.json',
    '/bird.txt',
    '/%E0%A4%A',
    '//x',
    '/..%2fx',
    '/api/',
  ]) {
    await client.get(path);
    if (path.startsWith('/api')) note(await (await fetch(url + path)).text());
  }
  await step('content');
  await client.json('/api', { text: 'Grüße 🌊', long: 'x'.repeat(300_000) });
  await client.send({ method: 'POST', path: '/api', headers: { 'Content-Type': 'text/csv' }, pieces: ['in ', 'pieces'] });
  await client.form('/api', { a: '1' }, { Origin: 'http://evil.test' });
  await client.form('/api', { a: '1' }, { Origin: url });
  await step('conditions and methods');
  for (const path of ['/bird.txt', '/static.json', '/']) {
    const etag = (await client.get(path)).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1];
    if (etag !== undefined) await client.get(path, { 'If-None-Match': etag });
    await client.get(path, { Range: 'bytes=1-3' });
    for (const method of ['HEAD', 'OPTIONS', 'PUT']) await client.send({ method, path, headers: { Origin: url } });
  }
  await client.get('/http');
}

export const server: Published = {
  name: 'astro',
  shown: 'astro',
  entry: 'site/dist/server/entry.mjs',
  env: () => ({ HOST: '127.0.0.1', ASTRO_TELEMETRY_DISABLED: '1' }),
  build: { built: 'site/dist/server/entry.mjs', cwd: 'site', command: (folder) => [`${folder}node_modules/astro/astro.js`, 'build'] },
  tellsHttp: true,
  ready: '/bird.txt',
  talk,
};

export const custom: Published = {
  ...server,
  name: 'astro-express',
  folder: 'astro',
  entry: 'custom.mjs',
  build: {
    built: 'site/dist-handler/server/entry.mjs',
    cwd: 'site',
    command: (folder) => [`${folder}node_modules/astro/astro.js`, 'build', '--config', 'handler.config.mjs'],
  },
};
