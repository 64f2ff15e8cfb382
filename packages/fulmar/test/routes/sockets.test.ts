/** WebSockets of files: alone, beside a handler of GET, behind what stands around the file; their options. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { ask, appOf, type Files } from './support.ts';

const ECHO =
  "export const websocket = { open: (ws) => ws.send('open ' + ws.c.params.name), message: (ws, data) => ws.send('got ' + data) };\n";

async function listening(t: TestContext, files: Files): Promise<string> {
  const app = await appOf(t, files);
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

const next = async (socket: WebSocket): Promise<string> => String(((await once(socket, 'message')) as [Buffer])[0]);

async function talk(url: string): Promise<string[]> {
  const socket = new WebSocket(url);
  const first = await next(socket);
  socket.send('hello');
  const second = await next(socket);
  socket.close();
  await once(socket, 'close');
  return [first, second];
}

async function refused(url: string, headers = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  const [, reply] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number; resume(): void }];
  reply.resume();
  return reply.statusCode;
}

test('a file has a WebSocket, and nothing for who asks for none', async (t) => {
  const host = await listening(t, { 'rooms/[name].mjs': ECHO });
  assert.equal((await fetch(`http://${host}/rooms/a`)).status, 426);
  assert.deepEqual(await talk(`ws://${host}/rooms/a%20b`), ['open a b', 'got hello']);
});

for (const [what, handler] of [
  ['GET', "export const GET = (c) => c.html('<p>' + c.params.name);"],
  ['all methods', "export default (c) => c.html('<p>' + c.params.name);"],
  ['a list', "import { GET } from OURS; export default [GET((c) => c.html('<p>' + c.params.name))];"],
] as const)
  test(`beside a handler of ${what} those who ask for an upgrade are given the socket`, async (t) => {
    const ours = JSON.stringify(new URL('../../src/routes/index.ts', import.meta.url).href);
    const host = await listening(t, { 'rooms/[name].mjs': ECHO + handler.replace('OURS', ours) });
    const page = await fetch(`http://${host}/rooms/a%20b`);
    assert.deepEqual([page.status, await page.text(), page.headers.get('content-type')], [200, '<p>a b', 'text/html; charset=utf-8']);
    assert.equal((await fetch(`http://${host}/rooms/a`, { method: 'HEAD' })).status, 200);
    assert.equal((await fetch(`http://${host}/rooms/a`, { method: 'POST' })).status, what === 'all methods' ? 200 : 405);
    assert.deepEqual(await talk(`ws://${host}/rooms/b`), ['open b', 'got hello']);
  });

test('what stands around the file stands around both', async (t) => {
  const host = await listening(t, {
    'rooms/[name].mjs': `${ECHO}
      export const config = { middleware: (c, next) => c.header('x-key') === 'yes' ? next() : c.text('no', 401) };
      export const GET = 'page';`,
    'alone/[name].mjs': `${ECHO}
      export const config = { middleware: (c, next) => c.header('x-key') === 'yes' ? next() : c.text('no', 401) };`,
  });
  for (const path of ['rooms/a', 'alone/a']) {
    assert.equal((await fetch(`http://${host}/${path}`)).status, 401);
    assert.equal(await refused(`ws://${host}/${path}`), 401);
    const socket = new WebSocket(`ws://${host}/${path}`, { headers: { 'x-key': 'yes' } });
    assert.equal(await next(socket), 'open a');
    socket.terminate();
  }
});

test('schemas of the file are asked of handshakes, and that of replies of the page alone', async (t) => {
  const host = await listening(t, {
    'rooms/[name].mjs': `${ECHO}
      export const config = { schema: {
        query: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
        response: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } }, additionalProperties: false },
      } };
      export const GET = (c) => ({ ok: true, secret: 1 });`,
  });
  assert.equal((await fetch(`http://${host}/rooms/a`)).status, 422);
  assert.equal(await refused(`ws://${host}/rooms/a`), 422);
  assert.equal(await (await fetch(`http://${host}/rooms/a?key=b`)).text(), '{"ok":true}');
  assert.deepEqual(await talk(`ws://${host}/rooms/a?key=b`), ['open a', 'got hello']);
});

test('config.websocket has its options', async (t) => {
  const host = await listening(t, {
    'rooms/[name].mjs': `${ECHO} export const config = { websocket: { maxPayload: 10 } };`,
  });
  const socket = new WebSocket(`ws://${host}/rooms/a`);
  await next(socket);
  socket.send('x'.repeat(11));
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 1009);
});

test('the page beside a socket has hooks of the file, and is asked without a port', async (t) => {
  const app = await appOf(t, {
    'a.mjs': "export const websocket = { open() {} }; export const page = { after: (c, value) => value + '!' }; export const GET = 'page';",
  });
  assert.equal((await ask(app, 'GET', '/a')).text, 'page!');
});
