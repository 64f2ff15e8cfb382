/** SvelteKit's adapter for Node (polka, sirv): pages, form actions, endpoints, precompressed files. */
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('pages');
  for (const path of [
    '/?a=%C3%BC',
    '/form',
    '/nothing',
    '/__data.json?a=1',
    '/api?x=1',
    '/api?error',
    '/api?redirect',
    '/api?stream',
    '/%E0%A4%A',
    '//',
    '/..%2fx',
  ]) {
    await client.get(path);
    if (path.startsWith('/a')) note(await (await fetch(url + path)).text());
  }
  await step('content');
  await client.json('/api', { text: 'Grüße 🌊', long: 'x'.repeat(100_000) });
  await client.send({ method: 'POST', path: '/api', headers: { 'Content-Type': 'text/csv' }, pieces: ['in ', 'pieces'] });
  await client.json('/api', { long: 'x'.repeat(600_000) });
  await client.form('/form', { a: 'ü' }, { Origin: url });
  await client.form('/form', { a: 'ü' }, { Origin: 'http://evil.test' });
  const parts = toMultipart([
    { name: 'a', value: 'b' },
    { name: 'file', filename: 'f.txt', type: 'text/plain', value: 'content' },
  ]);
  await client.post('/form', parts, { ...MULTIPART, Origin: url, Accept: 'application/json', 'x-sveltekit-action': 'true' });
  await step('files');
  const page = (await client.get('/form')).content.toString();
  const [file = '/'] = /_app\/immutable\/entry\/start[^"]*\.js/.exec(page) ?? [];
  for (const path of ['/bird.txt', `/${file}`, '/_app/version.json', '/_app/immutable/nothing.js']) {
    for (const coding of ['br', 'gzip', 'identity']) await client.get(path, { 'Accept-Encoding': coding });
    const etag = (await client.get(path)).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1];
    if (etag !== undefined) await client.get(path, { 'If-None-Match': etag });
    await client.get(path, { Range: 'bytes=1-3' });
    for (const method of ['HEAD', 'OPTIONS', 'PUT']) await client.send({ method, path });
  }
}

export const server: Published = {
  name: 'sveltekit',
  shown: '@sveltejs/kit',
  entry: 'site/build/index.js',
  env: ({ url }) => ({ ORIGIN: url, HOST: '127.0.0.1' }),
  build: { built: 'site/build/index.js', cwd: 'site', command: (folder) => [`${folder}node_modules/vite/bin/vite.js`, 'build'] },
  ready: '/bird.txt',
  masks: [{ pattern: /__sveltekit_\w+/g, by: '__sveltekit_<id>' }],
  talk,
};
