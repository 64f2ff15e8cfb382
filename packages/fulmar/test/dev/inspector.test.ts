/** What the inspector keeps and tells open pages, within its bounds. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { startInspector } from '../../src/dev/index.ts';
import { LISTENERS_MAX, REQUESTS_MAX } from '../../src/dev/limits.ts';
import express from '../../src/express/index.ts';
import { createServer } from '../../src/http/index.ts';
import { readGlobal } from '../../src/host/globals.ts';
import { ask, browse, type EventsRead, inspect, listen, readEvents, root, type State, stateOf } from './support.ts';

const ok = () => createServer((_req, res) => void res.end('ok'));

it('there is one for a process, and none behind it', (t) => {
  const { inspector } = inspect(t);
  assert.throws(() => startInspector({ root }), /close the first/);
  inspector.close();
  assert.equal(readGlobal('fulmar.dev'), undefined);
  inspect(t);
});

describe('requests', () => {
  it('are kept in a ring: ten thousand leave the newest', async (t) => {
    inspect(t);
    const port = await listen(t, ok());
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    t.after(() => agent.destroy());
    const send = (at: number): Promise<void> =>
      new Promise((done, fail) => {
        request({ port, host: '127.0.0.1', path: `/${at}`, agent }, (reply) => void reply.resume().on('end', done))
          .on('error', fail)
          .end();
      });
    const total = 10_000;
    const together = 100;
    for (let at = 0; at < total; at += together) await Promise.all(Array.from({ length: together }, (_, more) => send(at + more)));
    const { requests } = await stateOf(port);
    assert.equal(requests.length, REQUESTS_MAX);
    assert.deepEqual([requests[0]?.id, requests.at(-1)?.id], [total - REQUESTS_MAX + 1, total]);
    assert.ok(requests.every(({ state, status }) => state === 'answered' && status === 200));
    assert.equal((await browse(port, '/_fulmar/requests/1')).status, 404);
  });

  it('that end without a reply are told to be so', async (t) => {
    inspect(t);
    const server = createServer(() => undefined);
    const port = await listen(t, server);
    const events = await readEvents(port, '?requests');
    const asking = request({ port, host: '127.0.0.1', path: '/never', agent: false });
    asking.on('error', () => undefined).end();
    await events.next('requests');
    asking.destroy();
    for (;;) {
      const rows = (await events.next('requests')) as State['requests'];
      if (rows.some(({ target, state }) => target === '/never' && state === 'aborted')) break;
    }
    events.close();
  });

  it('with hostile targets and fields are data', async (t) => {
    inspect(t);
    const port = await listen(t, ok());
    await ask(port, '/</script><script>alert(1)</script>', { headers: { 'X-A': '<script>', 'X-Api-Key': 'k', Cookie: 'a=b=c; d' } });
    const { text } = await ask(port, '/_fulmar/state');
    assert.equal((JSON.parse(text) as State).requests[0]?.target, '/</script><script>alert(1)</script>');
    assert.doesNotMatch((await browse(port, '/_fulmar')).text, /alert\(1\)/);
  });

  it('to paths that only begin like ours are the application’s', async (t) => {
    inspect(t);
    const port = await listen(t, ok());
    for (const path of ['/_fulmars', '/_fulmar.txt', '/x/_fulmar']) assert.equal((await ask(port, path)).text, 'ok', path);
    for (const path of ['/_fulmar/nothing', '/_fulmar/requests/', '/_fulmar/requests/1e3', '/_fulmar/requests/__proto__', '/_fulmar/../x'])
      assert.equal((await ask(port, path)).status, 404, path);
    assert.equal((await ask(port, '/_fulmar/state', { method: 'DELETE' })).status, 405);
    assert.equal((await ask(port, '/_fulmar', { method: 'HEAD' })).text, '');
  });
});

describe('routes', () => {
  it('are those of the applications, without any said', async (t) => {
    inspect(t);
    const app = express();
    app.get('/birds/:id', (_req, res) => void res.end());
    const { routes } = await stateOf(await listen(t, createServer(app as never)));
    const found = routes.find(({ path }) => path === '/birds/:id');
    assert.deepEqual([found?.method, found?.style], ['GET', 'express']);
    assert.match(found?.place ?? '', /inspector\.test\.ts:\d+$/);
  });

  it('that cannot be listed are told of, and requests still', async (t) => {
    inspect(t, { listRoutes: () => Promise.reject(new Error('no list')) });
    const port = await listen(t, ok());
    await ask(port, '/');
    const { problem, requests } = await stateOf(port);
    assert.match(problem ?? '', /no list/);
    assert.equal(requests.length, 1);
  });
});

describe('open pages', () => {
  it('are told of a reload, of what is broken and of what is mended', async (t) => {
    const { inspector, printed } = inspect(t);
    const port = await listen(t, ok());
    const events = await readEvents(port);
    const hello = (await events.next('hello')) as State;
    assert.equal(hello.broken, null);
    inspector.broken(new SyntaxError('Unexpected </script>'));
    const broken = (await events.next('broken')) as State['broken'];
    assert.match(broken?.text ?? '', /SyntaxError: Unexpected <\/script>/);
    // oxlint-disable-next-line no-control-regex -- colours are the terminal's
    assert.doesNotMatch(broken?.text ?? '', /\u001B/);
    assert.match(printed(), /SyntaxError: Unexpected/);
    // Who comes later is told as well.
    assert.notEqual((await stateOf(port)).broken, null);
    inspector.mended();
    await events.next('mended');
    inspector.reloaded(['/a.ts']);
    const reload = (await events.next('reload')) as { version: string; files: string[] };
    assert.deepEqual(reload.files, ['/a.ts']);
    const after = await stateOf(port);
    assert.deepEqual([after.broken, after.version], [null, reload.version]);
    assert.notEqual(after.version, hello.version);
    assert.match((await ask(port, '/_fulmar/client.js')).text, new RegExp(`"${after.version}"`));
    events.close();
  });

  it('do not hold up a server that closes', async (t) => {
    inspect(t);
    const server = ok();
    const port = await listen(t, server);
    const events = await readEvents(port);
    await events.next('hello');
    server.close();
    await Promise.all([once(server, 'close'), events.ended]);
  });

  it('are ended with the inspector', async (t) => {
    const { inspector } = inspect(t);
    const events = await readEvents(await listen(t, ok()));
    inspector.close();
    await events.ended;
  });

  it('are so many at most, and who leaves makes room', async (t) => {
    inspect(t);
    const port = await listen(t, ok());
    const open = await Promise.all(Array.from({ length: LISTENERS_MAX }, () => readEvents(port)));
    await assert.rejects(readEvents(port), /status 503/);
    open[0]?.close();
    let last: EventsRead | null = null;
    // The server hears of it a moment later.
    while (last === null) last = await readEvents(port).catch(() => null);
    await last.next('hello');
    for (const one of [...open, last]) one.close();
  });

  it('that take nothing are let go', async (t) => {
    const { inspector } = inspect(t);
    const port = await listen(t, ok());
    const asking = request({ port, host: '127.0.0.1', path: '/_fulmar/events', agent: false });
    asking.on('error', () => undefined).end();
    const [reply] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
    reply.on('error', () => undefined).pause();
    const files = [`/${'f'.repeat(100_000)}`];
    const closed = new Promise((done) => void asking.on('close', done));
    for (let at = 0; at < 400; at++) inspector.reloaded(files);
    reply.resume();
    await closed;
  });
});

it('a page of an error without a server stands alone', (t) => {
  const { inspector } = inspect(t);
  const html = inspector.errorPage(new Error('<b>'));
  assert.match(html, /^<!DOCTYPE html>[^]*Error<\/span>: &lt;b&gt;/);
});
