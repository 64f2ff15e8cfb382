/** PeerJS's server (Express 4, cors, ws): the messages that browsers exchange to find each other. */
import { listenTo } from '../../apps/support/socket.ts';
import type { Published, Talk } from '../support/server.ts';

async function talk({ url, client, step, note }: Talk): Promise<void> {
  await step('over HTTP');
  for (const path of ['/sea', '/sea/', '/sea/peerjs/id', '/sea/peerjs/peers', '/nothing'])
    await client.get(path, { Origin: 'http://sea.example' });
  await client.send({
    method: 'OPTIONS',
    path: '/sea/peerjs/id',
    headers: { Origin: 'http://sea.example', 'Access-Control-Request-Method': 'GET' },
  });
  await client.send({ method: 'HEAD', path: '/sea' });
  await step('over WebSocket');
  const open = (id: string, token: string, key = 'peerjs') => listenTo(`${url}/sea/peerjs?key=${key}&id=${id}&token=${token}`);
  const [ada, ben] = [open('ada', 't1'), open('ben', 't2')];
  await Promise.all([ada.heard(2), ben.heard(2)]);
  await client.get('/sea/peerjs/peers');
  ada.socket.send(JSON.stringify({ type: 'OFFER', dst: 'ben', payload: { sdp: 'x'.repeat(5_000) } }));
  await ben.heard(3);
  ben.socket.send(JSON.stringify({ type: 'ANSWER', dst: 'ada', payload: 'Grüße 🌊' }));
  await ada.heard(3);
  ada.socket.send(JSON.stringify({ type: 'HEARTBEAT' }));
  ada.socket.send('{"broken');
  ada.socket.send(JSON.stringify({ type: 'CANDIDATE', dst: 'nobody', payload: 1 }));
  note(await open('ada', 'other').closed());
  note(await open('eve', 't3', 'wrong').closed());
  note(await listenTo(`${url}/sea/peerjs?key=peerjs`).closed());
  for (const one of [ada, ben]) one.socket.close();
  note([await ada.closed(), await ben.closed()]);
}

export const server: Published = {
  name: 'peerjs',
  shown: 'peer',
  entry: 'node_modules/peer/dist/bin/peerjs.js',
  args: ({ port }) => ['--port', String(port), '--path', '/sea', '--host', '127.0.0.1', '--allow_discovery'],
  ready: '/sea',
  talk,
};
