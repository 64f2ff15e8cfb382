/**
 * Node-RED (Express 4, multer, express-session, ws, cors, got): its flows over HTTP and WebSocket, its
 * editor's API and pages.
 */
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import { listenTo } from '../../apps/support/socket.ts';
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('flows');
  for (const path of ['/api/birds/f%C3%BClmar?a=1&a=2', '/api/late', '/api/ask', '/api/nothing', '/bird.txt']) await client.get(path);
  await client.get('/api/birds/x', { 'X-Stop': 'yes' });
  await client.send({
    method: 'OPTIONS',
    path: '/api/birds/x',
    headers: { Origin: 'http://sea.example', 'Access-Control-Request-Method': 'GET' },
  });
  await client.json('/api/echo', { text: 'Grüße 🌊' });
  await client.form('/api/echo', { a: '1', b: 'ü' });
  await client.post('/api/echo', 'plain', { 'Content-Type': 'text/plain' });
  await client.post('/api/echo', Buffer.from([1, 2, 255]), { 'Content-Type': 'application/octet-stream' });
  await client.post(
    '/api/echo',
    toMultipart([
      { name: 'a', value: 'b' },
      { name: 'file', filename: 'ü.txt', type: 'text/plain', value: 'content' },
    ]),
    MULTIPART,
  );
  await client.post('/api/echo', '{"broken', { 'Content-Type': 'application/json' });
  await client.json('/api/echo', { text: 'x'.repeat(6_000_000) });
  await step('its WebSockets');
  const { socket, heard, closed } = listenTo(`${url}/api/ws/echo`);
  await heard(1);
  for (const text of ['hello', 'Grüße 🌊', 'x'.repeat(70_000)]) socket.send(text);
  await heard(4);
  socket.close();
  note(await closed());
  const comms = listenTo(`${url}/admin/comms`);
  await comms.heard(1);
  comms.socket.send(JSON.stringify({ subscribe: 'notification/#' }));
  await comms.heard(2);
  comms.socket.close();
  note((await comms.closed()).filter((event) => !event.includes('"hb"')));
  note(await listenTo(`${url}/api/ws/nothing`).closed());
  await step('its editor');
  for (const path of [
    '/admin/',
    '/admin/settings',
    '/admin/flows',
    '/admin/locales/editor?lng=de',
    '/admin/red/red.min.js',
    '/admin/theme',
    '/admin/nothing',
  ]) {
    await client.get(path, { 'Accept-Encoding': 'gzip' });
  }
  await client.get('/admin/nodes', { Accept: 'application/json' });
  await client.get('/admin/nodes', { Accept: 'text/html' });
  await client.get('/admin/icons');
  await client.get('/admin/icons/node-red/inject.svg');
  await client.get('/admin');
  await step('deploys');
  const flows = JSON.parse((await client.get('/admin/flows', { 'Node-RED-API-Version': 'v2' })).content.toString()) as {
    flows: unknown[];
    rev: string;
  };
  const v2 = { 'Node-RED-API-Version': 'v2', 'Node-RED-Deployment-Type': 'full' };
  const more = { id: 'in9', type: 'http in', z: 'f1', url: '/new', method: 'get', upload: false, x: 1, y: 1, wires: [['fn1']] };
  await client.json('/admin/flows', { flows: [...flows.flows, more], rev: 'old' }, v2);
  await client.json('/admin/flows', { flows: [...flows.flows, more], rev: flows.rev }, v2);
  await client.get('/api/new');
  await client.json('/admin/flows/state', { state: 'stop' });
  await client.post('/admin/flows', '[{', { 'Content-Type': 'application/json' });
  await client.get('/admin/context/global');
  await client.get('/admin/flow/f1');
  await client.send({ method: 'DELETE', path: '/admin/flow/f1' });
  await client.get('/api/birds/gone');
}

export const server: Published = {
  name: 'node-red',
  shown: 'node-red',
  entry: 'node_modules/node-red/red.js',
  args: ({ work }) => ['--settings', `${work}/settings.cjs`],
  env: ({ work }) => ({ HOME: work }),
  ready: '/admin/settings',
  masks: [
    { pattern: /"(?:rev|instanceId|id)":"[0-9a-f]{16,}"/g, by: '"<id>"' },
    { pattern: /"rev":"[0-9a-f]+"/g, by: '"<rev>"' },
    { pattern: /\?v=[0-9a-f]+/g, by: '?v=<hash>' },
    { pattern: /[0-9a-f]{64}/g, by: '<hash>' },
    { pattern: /W\/"[0-9a-f]+-[0-9a-f]{11}"/g, by: 'W/"<stat>"' },
  ],
  talk,
};
