/** h3, which Nuxt and Nitro answer with: its helpers over node:http, by `fetch` and by hand. */
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import type { Published, Talk } from '../support/server.ts';

const PATHS = [
  '/',
  '/json?a=1&a=2&b=%C3%BC',
  '/null',
  '/buffer',
  '/stream',
  '/web',
  '/webstream',
  '/error',
  '/crash',
  '/redirect',
  '/cookies',
  '/cached',
  '/hints',
  '/events',
];

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('replies');
  for (const path of [...PATHS, '/status', '/proxied', '/session', '/session', '/users/%C3%BC', '/express/a?b', '/nothing', '/%E0%A4%A'])
    await client.get(path);
  await step('by fetch');
  for (const path of [...PATHS, '/proxied']) {
    const reply = await fetch(url + path);
    note([reply.status, reply.url, await reply.text()]);
  }
  await step('content');
  for (const path of ['/body', '/raw', '/proxied']) {
    await client.json(path, { text: 'Grüße 🌊', long: 'x'.repeat(200_000) });
    await client.form(path, { a: '1', b: 'ü' });
    await client.post(path, '');
    await client.send({ method: 'POST', path, headers: { 'Content-Type': 'text/plain' }, pieces: ['in ', 'pieces'] });
    await client.post(path, '{"broken', { 'Content-Type': 'application/json' });
  }
  const parts = toMultipart([
    { name: 'a', value: 'b' },
    { name: 'file', filename: 'f.txt', type: 'text/plain', value: 'content' },
  ]);
  for (const path of ['/multipart', '/formdata']) await client.post(path, parts, MULTIPART);
  await step('methods and conditions');
  await client.get('/cached', { 'If-None-Match': '"x"' });
  for (const method of ['HEAD', 'OPTIONS', 'DELETE'])
    for (const path of ['/', '/cors']) await client.send({ method, path, headers: { Origin: 'http://sea.example' } });
}

export const server: Published = {
  name: 'h3',
  shown: 'h3',
  entry: '.run/server.mjs',
  masks: [{ pattern: /Fe26\.2\*[^;"]+/g, by: '<sealed>' }],
  talk,
};
