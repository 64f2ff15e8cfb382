/**
 * What is wrong with a WebSocket where it is registered: said there, with what was expected.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import { createApp } from '../../../src/app/index.ts';
import express from '../../../src/express/index.ts';
import { serverOf } from '../server.ts';
import { Opcode, Peer, served } from './peer.ts';

const wrong: readonly [name: string, handlers: unknown, options: unknown, RegExp][] = [
  ['no handlers', {}, undefined, /websocket\(\) needs handlers/],
  ['a function', () => {}, undefined, /websocket\(\) takes an object of options, and this is a function/],
  ['a handler that is none', { opened() {} }, undefined, /websocket\(\) has no option opened; did you mean open/],
  ['a handler that is no function', { open: true }, undefined, /open is a function \(socket\), and this is true/],
  ['options that are none', { open() {} }, { maxPayloads: 5 }, /has no option maxPayloads; did you mean maxPayload/],
  ['options that are a list', { open() {} }, [], /takes options behind its handlers, an object, and this is \[\]/],
  ['a limit', { open() {} }, { maxPayload: -1 }, /maxPayload is a number of bytes, at least 1, and this is -1/],
  ['content, which a handshake has not', { open() {} }, { body: {} }, /websocket\(\) has no option body/],
  [
    'a schema of replies that nobody gives',
    { open() {} },
    { response: {} },
    /response is what the handler request returns, and there is none/,
  ],
  ['a host that is none', { open() {} }, { host: 'a/b' }, /A host is a name/],
  ['a queue', { open() {} }, { queueMax: 0 }, /queueMax is a number of messages, at least 1, and this is 0/],
  ['a policy', { open() {} }, { slow: 'wait' }, /slow is 'close' or 'drop', and this is "wait"/],
  [
    'an origin as no browser sends it',
    { open() {} },
    { origin: 'https://Shop.example/' },
    /websocket\(\): .* did you mean "https:\/\/shop.example"/,
  ],
  ['any origin among others', { open() {} }, { origin: ['*', 'https://a.example'] }, /'\*' in a list lets all origins in/],
  ['an origin', { open() {} }, { origin: [] }, /origin is '\*', an origin such as/],
  ['subprotocols', { open() {} }, { protocols: ['a b'] }, /protocols is a list of names of subprotocols/],
  ['a schema', { open() {} }, { message: { type: 'object' } }, /message is a schema of each message/],
  ['a schema of the query', { open() {} }, { query: 5 }, /query of GET \/ .* is no schema/],
  ['a body', { open() {} }, { body: 5 }, /has no option body/],
  ['middleware', { open() {} }, { use: [5] }, /use is a list of middleware/],
  ['a time', { open() {} }, { heartbeatMs: 2 ** 31 }, /heartbeatMs is a number of milliseconds, or 0 for none/],
  ['a timeout without pings', { open() {} }, { heartbeatMs: 0, timeoutMs: 5 }, /heartbeatMs: 0 sends none/],
  ['invalid() without a schema', { invalid() {} }, {}, /there is no option message/],
];

describe('app.websocket() refuses', () => {
  for (const [name, handlers, options, message] of wrong) {
    it(name, () => assert.throws(() => createApp().websocket('/', handlers as never, options as never), message));
  }

  it('a path that has a GET route, with both places', () => {
    assert.throws(
      () =>
        createApp()
          .get('/', () => 'x')
          .websocket('/', { open() {} }),
      /registration\.test\.ts:\d+/,
    );
  });
});

describe('next to others', () => {
  it('a server of ws on the same server gets the paths that are not of the app', async (t) => {
    const again = createApp().websocket('/ours', { message: (socket, message) => void socket.send(`ours ${String(message)}`) });
    const server = await serverOf(again);
    t.after(() => again.close());
    const others = new WebSocketServer({ server: server as never, path: '/theirs' });
    t.after(() => {
      for (const one of others.clients) one.terminate();
      others.close();
    });
    others.on('connection', (socket) => socket.on('message', (data) => socket.send(`theirs ${String(data)}`)));
    const theirs = Number(new URL(server.url).port);
    for (const [path, expected] of [
      ['/ours', 'ours x'],
      ['/theirs', 'theirs x'],
    ] as const) {
      const peer = await Peer.open(theirs, path);
      assert.equal(await peer.send(Opcode.text, 'x').text(), expected);
      peer.socket.destroy();
    }
  });

  it('an upgrade to something else is a plain request', async (t) => {
    const { port } = await served(t, (app) => {
      app.websocket('/ws', { open() {} });
      app.get('/', () => 'plain').post('/', (c) => c.body.text());
    });
    const peer = new Peer(port);
    peer.socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n');
    await peer.readHead();
    assert.equal(peer.status, 200);
    await peer.skip('plain'.length);
    peer.socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    );
    await peer.readHead();
    assert.equal(peer.status, 200);
    peer.socket.destroy();
  });

  it('a mounted Express application keeps its own', async (t) => {
    const shop = express();
    shop.get('/', (_req: unknown, res: { send(text: string): void }) => res.send('shop'));
    const { port } = await served(t, (app) => {
      app.mount('/shop', shop as never);
      app.websocket('/ws', { message: (socket, message) => void socket.send(message) });
    });
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/shop`)).text(), 'shop');
    const peer = await Peer.open(port, '/ws');
    assert.equal(await peer.send(Opcode.text, 'x').text(), 'x');
    peer.socket.destroy();
  });
});
