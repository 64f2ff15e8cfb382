/**
 * Next.js in a server of one's own (with Express 5, with `createServer`), and in the one that it has: pages,
 * API routes, streamed components, static files, rewrites.
 */
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, isThorough, step, note }: Talk): Promise<void> {
  await step('pages');
  for (const path of [
    '/?a=%C3%BC',
    '/about',
    '/static',
    '/birds',
    '/none',
    '/crash',
    '/old',
    '/own',
    '/app/late',
    '/_next/data/lighthouse/birds.json?id=birds',
  ]) {
    await client.get(path);
    const reply = await fetch(url + path);
    note([reply.status, reply.url, await reply.text()]);
  }
  await step('routes');
  for (const path of ['/api/echo?x=1', '/api/echo?status=204', '/api/echo?send=1', '/rewritten/7', '/route', '/api/nothing'])
    await client.get(path);
  for (const path of ['/api/echo', '/api/pipe', '/route', '/parsed', '/own']) {
    await client.json(path, { text: 'Grüße 🌊', long: 'x'.repeat(90_000) });
    await client.form(path, { a: '1' });
    await client.send({ method: 'POST', path, headers: { 'Content-Type': 'text/plain' }, pieces: ['in ', 'pieces'] });
  }
  await client.post('/api/echo', '{"broken', { 'Content-Type': 'application/json' });
  if (isThorough) {
    await client.json('/api/echo', { long: 'x'.repeat(2_000_000) });
    // Next.js refuses that and pauses the request, so that the connection is of no more use and holds up the
    // end: that takes long.
    client.close();
  }
  await step('files and conditions');
  const files = [...(await (await fetch(`${url}/about`)).text()).matchAll(/\/_next\/static\/[^"]+\.js/g)].map(([path]) => path);
  for (const path of ['/bird.txt', files[0] ?? '/', '/_next/static/nothing.js', '/_next/image?url=%2Fnothing.png&w=64&q=75']) {
    const etag = (await client.get(path, { 'Accept-Encoding': 'gzip' })).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1];
    if (etag !== undefined) await client.get(path, { 'If-None-Match': etag });
    await client.get(path, { Range: 'bytes=1-3' });
    await client.send({ method: 'HEAD', path });
  }
  for (const method of ['OPTIONS', 'DELETE', 'HEAD'])
    for (const path of ['/about', '/api/echo', '/route']) await client.send({ method, path });
  for (const path of ['//about', '/about/', '/%E0%A4%A', '/..%2fnext.config.js']) await client.get(path);
  for (const path of ['/http', '/api/http']) await client.get(path);
}

export const server: Published = {
  name: 'next-express',
  shown: 'next',
  entry: 'server.cjs',
  env: () => ({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }),
  build: { built: 'site/.next/BUILD_ID', command: () => ['node_modules/next/dist/bin/next', 'build', 'site'] },
  ready: '/own',
  tellsHttp: true,
  masks: [{ pattern: /(?:digest"?:"?|data-dgst=")\d+/g, by: '<digest>' }],
  talk,
};

/** Without Express, as an ES module. */
export const plain: Published = { ...server, name: 'next-http', folder: 'next-express', entry: 'plain.mjs' };

/** `next start`. */
export const started: Published = {
  ...server,
  name: 'next-start',
  folder: 'next-express',
  entry: 'node_modules/next/dist/bin/next',
  isCommand: true,
  args: ({ folder, port }) => ['start', `${folder}site`, '--hostname', '127.0.0.1', '--port', String(port)],
  ready: '/bird.txt',
};
