/**
 * webpack-dev-server (Express 4, ws, http-proxy-middleware, serve-index, compression): a browser's requests,
 * and its WebSocket.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listenTo } from '../../apps/support/socket.ts';
import { until } from '../../apps/support/until.ts';
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note, work }: Talk): Promise<void> {
  await step('files');
  for (const path of ['/', '/assets/main.js', '/bird.txt', '/folder/', '/own', '/webpack-dev-server', '/api/x']) {
    await client.get(path, { Accept: 'text/html', 'Accept-Encoding': 'gzip' });
  }
  await step('conditions and methods');
  for (const path of ['/bird.txt', '/assets/main.js']) {
    const etag = (await client.get(path)).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
    await client.get(path, { 'If-None-Match': etag });
    await client.get(path, { Range: 'bytes=1-3' });
    await client.get(path, { Range: 'bytes=9999999-' });
    for (const method of ['HEAD', 'OPTIONS', 'POST']) await client.send({ method, path });
  }
  await step('refusals');
  await client.get('/some/route', { Accept: 'text/html' });
  await client.get('/nothing.js');
  await client.get('/', { Host: 'evil.test' });
  await client.get('/', { Host: 'sea.example' });
  await client.get('/%E0%A4%A');
  await client.get('/..%2fserver.cjs');
  await client.get('/webpack-dev-server/invalidate');
  await step('changes');
  const { socket, events, closed } = listenTo(`${url}/ws`, { headers: { Origin: url } });
  const said = (type: string): Promise<true> => until(() => (events.some((event) => event.includes(`"${type}"`)) ? true : undefined), type);
  await said('overlay');
  writeFileSync(join(work, 'main.js'), "document.title = 'changed';\n");
  await said('invalid');
  await until(() => (events.filter((event) => event.includes('"ok"')).length > 1 ? true : undefined), 'the second build');
  await client.get('/assets/main.js');
  socket.close();
  await closed();
  note(events.filter((event) => !/^ping|"(?:progress|static-changed|still-ok)/.test(event)));
  note(await listenTo(`${url}/ws`, { headers: { Origin: 'http://evil.test' } }).closed());
}

export const server: Published = {
  name: 'webpack-dev-server',
  shown: 'webpack-dev-server',
  entry: '.run/server.cjs',
  ready: '/bird.txt',
  masks: [
    { pattern: /\b[0-9a-f]{20}\b/g, by: '<hash>' },
    { pattern: /W\/"[0-9a-f]+-[0-9a-f]+"/g, by: 'W/"<stat>"' },
  ],
  talk,
};
