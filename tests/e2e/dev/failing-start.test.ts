/** What does not start under `fulmar dev`: what a save can mend is waited for, what it cannot ends the process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startDev } from './support.ts';

const manifest = JSON.stringify({ type: 'module' });

test('a port that is in use ends it with what to do, a folder of routes as any server', async (t) => {
  const taken = createServer().listen(0);
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const server = `import http from 'node:http';\nhttp.createServer().listen(${port});\n`;
  for (const [files, file] of [
    [{ 'routes/index.ts': `export const GET = 'home';\n` }, []],
    [{ 'server.ts': server }, ['server.ts']],
  ] as const) {
    const dev = await startDev(t, { 'package.json': manifest, ...files }, { listens: false, args: ['--port', String(port), ...file] });
    const { code, stdout, stderr } = await dev.ended;
    assert.equal(code, 1, stderr);
    assert.match(stderr, new RegExp(`fulmar: port ${port} is in use\\. Stop the other process`));
    assert.doesNotMatch(stdout + stderr, /cannot be loaded/);
  }
});

test('an application that cannot be loaded, and writes a log while it tries, is not run for its log', async (t) => {
  const runs = (): number => readFileSync(join(dev.folder, 'runs.txt'), 'utf8').length;
  const failing = (settings: string): string => `import { appendFileSync, readFileSync } from 'node:fs';
import http from 'node:http';
appendFileSync('runs.txt', '.');
appendFileSync('app.log', 'starting\\n');
const { word } = JSON.parse(readFileSync('${settings}', 'utf8'));
http.createServer((_req, res) => res.end(word)).listen(process.env.PORT);
`;
  const dev = await startDev(
    t,
    { 'package.json': manifest, 'server.ts': failing('settings.json'), 'settings.json': '{' },
    { listens: false, args: ['server.ts'] },
  );
  await dev.seen(/cannot be loaded[^]*fulmar: it is loaded again when a file changes/);
  await dev.seen(/listening on http/);
  await pause(500);
  assert.ok(runs() <= 2, `it has run ${runs()} times`);
  // What it reads by itself mends it still.
  dev.write('settings.json', JSON.stringify({ word: 'mended' }));
  await dev.until('/', 'mended');
  await dev.stop();
});
