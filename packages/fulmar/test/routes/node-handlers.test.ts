/** Handlers `(req, res)` that fail when their reply has begun: it is broken off, and the process stays. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { nodeMiddleware } from '../../src/app/middleware/index.ts';
import { appOf } from './support.ts';

const quiet = { error: () => undefined };

async function told(port: number, path: string): Promise<string> {
  try {
    return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  } catch {
    return 'broken off';
  }
}

test('a handler (req, res) that fails behind the beginning of its reply breaks it off', { timeout: 20_000 }, async (t) => {
  const app = await appOf(t, {
    'later.mjs': "export const GET = async (req, res) => { res.write('a'); throw new Error('behind it'); };",
    'now.mjs': "export const GET = (req, res) => { res.write('a'); throw new Error('behind it'); };",
    'ended.mjs': "export const GET = async (req, res) => { res.end('all'); throw new Error('behind it'); };",
    'whole.mjs': "export const GET = (req, res) => res.end('whole');",
  });
  const server = await app.listen(0);
  t.after(() => app.close());
  const { port } = server.address() as AddressInfo;
  assert.equal(await told(port, '/later'), 'broken off');
  assert.equal(await told(port, '/now'), 'broken off');
  assert.equal(await told(port, '/ended'), 'all');
  assert.equal(await told(port, '/whole'), 'whole');
});

test(
  'middleware of Node that begins a reply and hands on, or replies behind a handler, ends no process',
  { timeout: 20_000 },
  async (t) => {
    const app = createApp({ logger: quiet });
    app.get(
      '/begun',
      nodeMiddleware(((_: unknown, res: { write(text: string): void }, next: () => void) => {
        res.write('a');
        next();
      }) as never),
      () => 'b',
    );
    app.get(
      '/twice',
      nodeMiddleware(((_: unknown, res: { write(text: string): void }, next: () => void) => {
        next();
        res.write('a');
      }) as never),
      async () => Promise.resolve('b'),
    );
    app.get('/whole', () => 'whole');
    const server = await app.listen(0);
    t.after(() => app.close());
    const { port } = server.address() as AddressInfo;
    assert.equal(await told(port, '/twice'), 'broken off');
    assert.equal(await told(port, '/begun'), 'broken off');
    assert.equal(await told(port, '/whole'), 'whole');
  },
);
