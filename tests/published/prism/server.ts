/** Stoplight Prism (micri on node:http): a mock of an OpenAPI description. */
import type { Published, Talk } from '../support/server.ts';

async function talk({ client, step }: Talk): Promise<void> {
  await step('mocks');
  for (const path of ['/birds', '/birds?limit=2', '/birds?limit=0', '/birds?limit=x', '/birds/1', '/birds/x', '/nothing'])
    await client.get(path);
  await client.get('/birds', { Accept: 'application/xml' });
  await client.get('/birds', { Accept: 'image/png' });
  await client.get('/birds', { Prefer: 'code=404' });
  await client.get('/birds/1', { Prefer: 'example=tern' });
  await client.get('/birds/1', { Prefer: 'example=none' });
  const token = { Authorization: 'Bearer x' };
  await client.json('/birds', { id: 3, name: 'tern' }, token);
  await client.json('/birds', { id: 3, name: 'tern' });
  await client.json('/birds', { id: 'three', name: 'x'.repeat(30) }, token);
  await client.post('/birds', 'plain', { ...token, 'Content-Type': 'text/plain' });
  await client.post('/birds', '', token);
  for (const method of ['DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
    await client.send({ method, path: '/birds/1', headers: { Origin: 'http://sea.example' } });
}

export const server: Published = {
  name: 'prism',
  shown: '@stoplight/prism-cli',
  entry: 'node_modules/@stoplight/prism-cli/dist/index.js',
  args: ({ port }) => ['mock', '--host', '127.0.0.1', '--port', String(port), '--multiprocess', 'false', 'birds.yaml'],
  ready: '/birds',
  talk,
};
