/**
 * Nuxt: the server that it builds (Nitro's, on node:http and h3), and its handler in Express 5. Pages,
 * payloads, API routes, static files.
 */
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('pages');
  for (const path of ['/?a=%C3%BC', '/birds', '/old', '/none', '/crash', '/own', '/%E0%A4%A', '//birds', '/birds/', '/..%2fx']) {
    await client.get(path);
    const reply = await fetch(url + path);
    note([reply.status, reply.url, await reply.text()]);
  }
  await client.get('/none', { Accept: 'application/json' });
  await step('routes');
  for (const path of ['/api/echo?x=1&x=2', '/api/late', '/api/nothing']) await client.get(path);
  note(await (await fetch(`${url}/api/late`)).text());
  await client.json('/api/echo', { text: 'Grüße 🌊', long: 'x'.repeat(300_000) });
  await client.form('/api/echo', { a: '1' });
  await client.send({ method: 'PUT', path: '/api/echo', headers: { 'Content-Type': 'text/csv' }, pieces: ['in ', 'pieces'] });
  for (const method of ['OPTIONS', 'DELETE', 'HEAD']) for (const path of ['/birds', '/api/echo']) await client.send({ method, path });
  await step('files and conditions');
  const [file = '/'] = /\/_nuxt\/[^"]+\.js/.exec(await (await fetch(url)).text()) ?? [];
  for (const path of ['/bird.txt', file, '/_nuxt/nothing.js', '/_nuxt/builds/latest.json']) {
    const etag = (await client.get(path, { 'Accept-Encoding': 'gzip' })).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1];
    if (etag !== undefined) await client.get(path, { 'If-None-Match': etag });
    await client.get(path, { Range: 'bytes=1-3' });
    for (const method of ['HEAD', 'PUT']) await client.send({ method, path });
  }
  await client.get('/api/http');
}

const build = (preset: string): NonNullable<Published['build']> => ({
  built: `site/.output-${preset}/server/index.mjs`,
  command: (folder) => [`${folder}node_modules/nuxt/bin/nuxt.mjs`, 'build', 'site', '--preset', preset],
});

export const server: Published = {
  name: 'nuxt',
  shown: 'nuxt',
  entry: 'site/.output-node-server/server/index.mjs',
  env: () => ({ HOST: '127.0.0.1' }),
  build: build('node-server'),
  ready: '/bird.txt',
  tellsHttp: true,
  talk,
};

export const custom: Published = { ...server, name: 'nuxt-express', folder: 'nuxt', entry: 'custom.mjs', build: build('node') };
