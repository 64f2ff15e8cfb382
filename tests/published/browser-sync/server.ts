/**
 * Browsersync (connect, serve-static, serve-index, socket.io, a page rewriter): pages with its snippet, and
 * its socket.
 */
import type { Published, Talk } from '../support/server.ts';

interface Socket {
  on(name: string, listener: (value: unknown) => void): void;
  emit(name: string, value: unknown): void;
  close(): void;
}

async function talk({ url, client, step, note, after, load }: Talk): Promise<void> {
  await step('pages');
  const html = { Accept: 'text/html', 'Accept-Encoding': 'gzip' };
  for (const path of [
    '/',
    '/index.html',
    '/page.html',
    '/folder/',
    '/folder',
    '/style.css',
    '/nothing',
    '/browser-sync/browser-sync-client.js',
  ]) {
    await client.get(path, html);
  }
  await client.get('/page.html', { Accept: 'text/html', Range: 'bytes=0-9' });
  for (const method of ['HEAD', 'OPTIONS', 'POST']) await client.send({ method, path: '/page.html' });
  const etag = (await client.get('/style.css')).fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  await client.get('/style.css', { 'If-None-Match': etag });
  await client.get('/..%2fbs-config.cjs');
  await step('its socket');
  const { io } = await load<{ io: (url: string, options: object) => Socket }>('socket.io-client');
  const socket = io(`${url}/browser-sync`, { path: '/browser-sync/socket.io', transports: ['websocket'], forceNew: true });
  after(() => socket.close());
  const names = new Promise<unknown>((resolve) => socket.on('connection', resolve));
  note(Object.keys((await names) as object).toSorted());
  const reloaded = new Promise<unknown>((resolve) => socket.on('browser:reload', resolve));
  await client.get('/__browser_sync__?method=reload');
  note(await reloaded);
  await client.post('/__browser_sync__', JSON.stringify(['file:reload', { ext: 'css', path: 'style.css' }]));
}

export const server: Published = {
  name: 'browser-sync',
  shown: 'browser-sync',
  entry: 'node_modules/browser-sync/dist/bin.js',
  args: ({ port }) => [
    'start',
    '--server',
    'site',
    '--port',
    String(port),
    '--no-open',
    '--no-ui',
    '--no-notify',
    '--no-online',
    '--host',
    '127.0.0.1',
    '--directory',
  ],
  ready: '/style.css',
  masks: [
    { pattern: /___browserSync___\.\w+|socketConfig = .*/g, by: '<config>' },
    { pattern: /sid=[\w-]+/g, by: 'sid=<id>' },
  ],
  talk,
};
