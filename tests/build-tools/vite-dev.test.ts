/** `fulmar/vite` in Vite's dev server: real requests, real edits of files, and pages that are left alone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:http2';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { certified } from '../native/modules/tls-peers.ts';
import { addressOf, type Running, startVite } from './vite-project.ts';

const REWRITE_MS = 200;

/** Asks until the answer is as it will be once Vite has noticed an edit. */
async function askUntil(url: string, wanted: (text: string) => boolean): Promise<string> {
  for (;;) {
    const text = await (await fetch(url)).text();
    if (wanted(text)) return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const textOf = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();

/** A page that is open: what Vite tells it. */
async function openPage(url: string): Promise<{ messages: { type: string }[]; until(type: string): Promise<object>; close(): void }> {
  const client = await textOf(`${url}/@vite/client`);
  const token = /const wsToken = "([^"]+)"/.exec(client)?.[1];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const messages: { type: string }[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as { type: string });
    wake();
  });
  await once(socket, 'open');
  const until = async (type: string): Promise<object> => {
    for (;;) {
      const found = messages.find((one) => one.type === type);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => void (wake = resolve));
    }
  };
  return { messages, until, close: () => socket.terminate() };
}

/** Vite's watcher drops a change that comes within 50 ms of another of the file: it is written until it was seen. */
async function untilSeen(write: () => void, seen: Promise<unknown>): Promise<void> {
  const writing = setInterval(write, REWRITE_MS);
  write();
  await seen.finally(() => clearInterval(writing));
}

describe('the dev server', () => {
  let running: Running;
  before(async () => void (running = await startVite()));
  after(() => running.stop());

  it('answers with the app below its path, and with pages elsewhere', async () => {
    const { url } = running;
    assert.equal(await textOf(`${url}/api/birds`), '["fulmar","petrel"]');
    assert.equal((await fetch(`${url}/api/nothing`)).status, 404);
    assert.match(await textOf(`${url}/`), /<div id="app">/);
    assert.match(await textOf(`${url}/apiary`, { headers: { accept: 'text/html' } }), /<div id="app">/);
    assert.match(await textOf(`${url}/src/main.ts`), /typeof v\.name === "string"/);
  });

  it('checks parameters of an API by their types', async () => {
    const { url } = running;
    assert.match(await textOf(`${url}/api/rpc/first?params=[1]`), /"value":\{"name":"fulmar","least":1\}/);
    assert.equal((await fetch(`${url}/api/rpc/first?params=["a"]`)).status, 422);
  });

  it('takes content as it comes', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 10; at += 1) controller.enqueue(new Uint8Array(10_000));
        controller.close();
      },
    });
    assert.equal(await textOf(`${running.url}/api/upload`, { method: 'POST', body, duplex: 'half' } as RequestInit), '{"bytes":100000}');
  });

  it('sends a stream as it is made, and tells the app of a client that leaves', async () => {
    const host = globalThis as { left?: number };
    const request = get(`${running.url}/api/stream`);
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    const [piece] = (await once(response, 'data')) as [Buffer];
    assert.equal(piece.toString(), 'one;');
    request.on('error', () => undefined).destroy();
    while (host.left === undefined) await new Promise((resolve) => setImmediate(resolve));
  });

  it('has WebSockets of the app beside its own', async () => {
    const page = await openPage(running.url);
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/api/echo`);
    await once(socket, 'open');
    socket.send('hello');
    const [text] = (await once(socket, 'message')) as [Buffer];
    assert.equal(text.toString(), 'fulmar: hello');
    socket.close();
    await once(socket, 'close');
    await page.until('connected');
    page.close();
  });

  it('keeps WebSockets from hosts that Vite does not allow, as it keeps requests', async () => {
    // A page of a name that another site has led here: its origin is the host that it asks.
    const headers = { Host: 'evil.example:80', Origin: 'http://evil.example:80' };
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/api/echo`, { headers });
    const opened = once(socket, 'open').then(() => 'open');
    const refused = once(socket, 'unexpected-response').then(([, reply]) => (reply as IncomingMessage).statusCode);
    socket.on('error', () => undefined);
    assert.equal(await Promise.race([opened, refused]), 403);
    socket.terminate();
  });

  it('tells errors of handlers with their place in the source, in the terminal and on the page', async (t) => {
    const page = await openPage(running.url);
    const logged = t.mock.method(console, 'error', () => undefined);
    assert.equal((await fetch(`${running.url}/api/fail`)).status, 500);
    const { err } = (await page.until('error')) as { err: { message: string; stack: string } };
    assert.equal(err.message, 'of the handler');
    for (const stack of [err.stack, String((logged.mock.calls[0]?.arguments[1] as Error | undefined)?.stack)])
      assert.match(stack, /server\/app\.ts:11:9/);
    page.close();
  });
});

describe('the dev server with certificates', () => {
  let running: Running;
  before(async () => void (running = await startVite({ https: certified('leaf') })));
  after(() => running.stop());

  it('gives the app requests of HTTP/2 as those of HTTP/1', async () => {
    const session = connect(running.url.replace('http:', 'https:'), { rejectUnauthorized: false });
    const ask = async (headers: OutgoingHttpHeaders, content?: Buffer): Promise<string> => {
      const stream = session.request(headers, { endStream: content === undefined });
      if (content !== undefined) stream.end(content);
      const pieces: Buffer[] = [];
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    assert.equal(await ask({ ':path': '/api/birds' }), '["fulmar","petrel"]');
    assert.equal(await ask({ ':path': '/api/upload', ':method': 'POST' }, Buffer.alloc(70_000)), '{"bytes":70000}');
    session.close();
  });

  it('has WebSockets of the app', async () => {
    const socket = new WebSocket(`${running.url.replace('http', 'wss')}/api/echo`, { rejectUnauthorized: false });
    await once(socket, 'open');
    socket.send('hello');
    assert.equal(String((await once(socket, 'message'))[0]), 'fulmar: hello');
    socket.terminate();
  });
});

describe('an edit', () => {
  let running: Running;
  before(async () => void (running = await startVite()));
  after(() => running.stop());

  it('of the server loads the app anew, and no page', async () => {
    const { url, project } = running;
    await textOf(`${url}/api/birds`);
    await textOf(`${url}/src/main.ts`);
    const page = await openPage(url);
    const open = get(`${url}/api/stream`);
    const [response] = (await once(open, 'response')) as [NodeJS.ReadableStream];
    await once(response, 'data');
    project.write('server/birds.ts', "export const birds = ['skua'];\n");
    assert.equal(await askUntil(`${url}/api/birds`, (text) => text !== '["fulmar","petrel"]'), '["skua"]');
    assert.deepEqual(
      page.messages.map(({ type }) => type),
      ['connected'],
    );
    // One that has no end is closed behind the grace, and its client asks again.
    await once(
      open.on('error', () => undefined),
      'close',
    );
    page.close();
  });

  it('of a type that nobody imports at run time changes what is checked', async () => {
    const { url, project } = running;
    assert.doesNotMatch(await textOf(`${url}/src/main.ts`), /v\.size/);
    project.write('server/bird.ts', 'export interface Bird { name: string; least: number; size?: string }\n');
    await askUntil(`${url}/src/main.ts`, (text) => /v\.size/.test(text));
  });

  it('that breaks the app is told, and one that mends it takes the error away', async () => {
    const { url, project, errors } = running;
    await textOf(`${url}/api/birds`);
    const page = await openPage(url);
    project.write('server/birds.ts', "export const birds = ['skua';\n");
    const { err } = (await page.until('error')) as { err: { message: string } };
    assert.match(err.message, /server\/birds\.ts:1:29/);
    const refused = await fetch(`${url}/api/birds`);
    assert.equal(refused.status, 500);
    assert.match(await refused.text(), /"title":"The app could not be loaded"/);
    assert.ok(errors.some((text) => text.includes('server/birds.ts')));
    await untilSeen(() => project.write('server/birds.ts', "export const birds = ['gull'];\n"), page.until('update'));
    assert.equal(await askUntil(`${url}/api/birds`, (text) => !text.includes('could not')), '["gull"]');
    page.close();
  });

  it('that throws while the app is loaded is told with its place', async () => {
    const { url, project } = running;
    const page = await openPage(url);
    const told = page.until('error') as Promise<{ err: { message: string; stack: string } }>;
    await untilSeen(
      () => project.write('server/birds.ts', "export const birds = ['gull'];\n\nthrow new TypeError('while loading');\n"),
      told,
    );
    const { err } = await told;
    assert.equal(err.message, 'while loading');
    assert.match(err.stack, /server\/birds\.ts:3:7/);
    page.close();
  });

  it('of the configuration, after which Vite begins again, leaves the app in its place', async () => {
    const { vite, project } = running;
    project.write('server/birds.ts', "export const birds = ['tern'];\n");
    await vite.restart();
    assert.equal(await textOf(`${addressOf(vite)}/api/birds`), '["tern"]');
  });
});
