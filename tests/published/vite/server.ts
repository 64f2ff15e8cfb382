/**
 * Vite's development server (connect, sirv, ws, http-proxy): a browser's requests by hand, and its WebSocket
 * for changed modules.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listenTo } from '../../apps/support/socket.ts';
import { until } from '../../apps/support/until.ts';
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, port, client, step, note, work }: Talk): Promise<void> {
  await step('a page and its modules');
  for (const path of [
    '/',
    '/index.html',
    '/main.ts',
    '/bird.ts',
    '/style.css',
    '/data.json?import',
    '/data.json?import&raw',
    '/logo.svg?import&url',
  ]) {
    await client.get(path, { Accept: path.startsWith('/i') || path === '/' ? 'text/html' : '*/*' });
  }
  for (const path of ['/style.css', '/data.json', '/flag.svg', '/@vite/env', '/api/x'])
    await client.get(path, { Accept: 'text/css,*/*;q=0.1' });
  await step('conditions and methods');
  const etag = (await client.get('/bird.ts')).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  await client.get('/bird.ts', { 'If-None-Match': etag });
  await client.get('/flag.svg', { Range: 'bytes=1-3' });
  for (const method of ['HEAD', 'OPTIONS', 'POST'])
    await client.send({ method, path: '/flag.svg', headers: { Origin: 'http://localhost:1' } });
  await step('refusals');
  await client.get('/nothing.js');
  await client.get('/nothing', { Accept: 'text/html' });
  await client.get('/', { Host: 'sea.example' });
  await client.get('/@fs/etc/passwd');
  await client.get('/..%2f..%2fpackage.json');
  await client.get('/%E0%A4%A');
  await client.get('/broken.ts');
  await step('changes');
  const token = /wsToken = "([^"]+)"/.exec((await client.get('/@vite/client')).content.toString())?.[1] ?? '';
  const { socket, heard, events, closed } = listenTo(`${url}/?token=${token}`, { protocols: ['vite-hmr'] });
  await heard(2);
  const isChanged = async (): Promise<true | undefined> => {
    // Past the recorder: how often it is asked is nobody's promise.
    const text = await (await fetch(`http://127.0.0.1:${port}/main.ts`)).text();
    return text.includes('changed = 1') ? true : undefined;
  };
  writeFileSync(join(work, 'main.ts'), 'export const changed: number = 1;\nif (import.meta.hot) import.meta.hot.accept();\n');
  await until(isChanged, 'the changed module');
  await client.get('/main.ts');
  await until(() => (events.some((event) => event.includes('"prune"')) ? true : undefined), 'what is no longer imported');
  socket.close();
  await closed();
  note([...new Set(events.map((event) => event.replace(/"timestamp":\d+/, '')))].toSorted());
}

export const server: Published = {
  name: 'vite',
  shown: 'vite',
  entry: 'node_modules/vite/bin/vite.js',
  args: ({ port }) => ['--port', String(port), '--strictPort', '--host', '127.0.0.1'],
  // Made here: it is no file that the linters of this repository could read.
  prepare: ({ work }) => writeFileSync(join(work, 'broken.ts'), 'export const = 1;\n'),
  masks: [
    { pattern: /sourceMappingURL=data:[^\s]+/g, by: 'sourceMappingURL=<map>' },
    { pattern: /token = "[\w-]+"/gi, by: 'token = "<token>"' },
    { pattern: /token=[\w-]+/g, by: 'token=<token>' },
    { pattern: /\?t=\d+/g, by: '?t=<time>' },
    { pattern: /(directTarget = "[^"]*")/g, by: '<target>' },
    { pattern: /"timestamp":\d+/g, by: '"timestamp":<time>' },
    { pattern: /\b(?:hmrPort|serverPort) = \d+|127\.0\.0\.1:\d+/g, by: '<host>' },
  ],
  talk,
};
