/**
 * Unleash with PostgreSQL (Express 4, compression, cookie-session's like, cors, prom-client): its admin API,
 * and its SDK.
 */
import type { Published, Talk } from '../support/server.ts';

interface Sdk {
  on(name: string, listener: () => void): void;
  once(name: string, listener: () => void): void;
  isEnabled(name: string, context?: object): boolean;
  getVariant(name: string, context?: object): unknown;
  destroy(): void;
}

async function talk({ url, client, step, note, after, load }: Talk): Promise<void> {
  const admin = '/api/admin';
  await step('administers');
  for (const path of ['/health', `${admin}/ui-config`, `${admin}/projects`, `${admin}/user`, `${admin}/nothing`, '/api/admin/strategies'])
    await client.get(path);
  const features = `${admin}/projects/default/features`;
  await client.json(features, { name: 'storm', type: 'release', description: 'Grüße 🌊' });
  await client.json(features, { name: 'storm' });
  await client.json(features, { name: 'not a name!' });
  await client.json(`${features}/storm/environments/development/strategies`, { name: 'userWithId', parameters: { userIds: 'ada' } });
  await client.post(`${features}/storm/environments/development/on`, '');
  await client.json(`${features}/storm/tags`, { type: 'simple', value: 'sea' });
  for (const path of [`${features}/storm`, features, `${admin}/projects/default/overview`, `${admin}/search/features?query=storm`])
    await client.get(path);
  await client.send({
    method: 'PUT',
    path: `${features}/storm`,
    headers: { 'Content-Type': 'application/json' },
    body: '{"description":"changed","type":"release"}',
  });
  await client.post(features, '{"broken', { 'Content-Type': 'application/json' });
  await step('its clients');
  const headers = { Authorization: 'default:development.lighthouse' };
  const all = await client.get('/api/client/features', headers);
  await client.get('/api/client/features', {
    ...headers,
    'If-None-Match': all.fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '',
  });
  await client.get('/api/client/features');
  await client.get('/api/client/features', { Authorization: 'wrong' });
  const front = { Authorization: '*:development.lighthouse-front', Origin: 'http://sea.example' };
  await client.get('/api/frontend?userId=ada', front);
  await client.send({
    method: 'OPTIONS',
    path: '/api/frontend',
    headers: { Origin: 'http://sea.example', 'Access-Control-Request-Method': 'GET' },
  });
  const { Unleash } = await load<{ Unleash: new (options: object) => Sdk }>('unleash-client');
  const sdk = new Unleash({
    url: `${url}/api`,
    appName: 'sea',
    instanceId: 'one',
    disableMetrics: true,
    refreshInterval: 60_000,
    customHeaders: headers,
  });
  after(() => sdk.destroy());
  await new Promise<void>((resolve) => sdk.once('synchronized', resolve));
  note([sdk.isEnabled('storm', { userId: 'ada' }), sdk.isEnabled('storm', { userId: 'ben' }), sdk.getVariant('storm', { userId: 'ada' })]);
  await step('ends');
  await client.send({ method: 'DELETE', path: `${features}/storm` });
  await client.get('/', { Accept: 'text/html' });
  await client.get('/docs/openapi.json', { 'Accept-Encoding': 'gzip' });
}

export const server: Published = {
  name: 'unleash',
  shown: 'unleash-server',
  entry: '.run/server.cjs',
  env: ({ database }) => ({ DATABASE_URL: database }),
  needsDatabase: true,
  ready: '/health',
  masks: [
    { pattern: /"(?:instanceId|id|environmentId|unleashSession)":"[^"]+"/g, by: '"<id>"' },
    { pattern: /[0-9a-f]{32,64}/g, by: '<hash>' },
  ],
  talk,
};
