/**
 * V8's young generation under `fulmar run`: small while requests leave nothing behind, V8's own where they do
 * or where somebody has decided.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it } from 'node:test';
import { fetchText, start, writeProject } from './support.ts';

const SERVER = `
const http = require('http');
const v8 = require('v8');
const flags = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => { flags.push(flag); setFlagsFromString(flag); };
const kept = [];
let count = 0;
http.createServer((req, res) => {
  if (req.url === '/young') {
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    return res.end(JSON.stringify({ bytes: space.space_size, watched: Symbol.for('fulmar.traffic') in globalThis, flags }));
  }
  if (req.url === '/keep') { kept.push(Array.from({ length: 2000 }, (_, i) => ({ i }))); if (kept.length > 400) kept.splice(0, 200); }
  if (req.url === '/busy' && count++ < 2000) kept.push(Array.from({ length: 200 }, (_, i) => ({ i })));
  else if (req.url === '/busy') kept.length = 0;
  res.end('ok');
}).listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));
`.replace('http.createServer', 'const server = http.createServer');

/** Two halves of 4 MB, which V8 may have doubled before anybody looked. V8's own: 32 MB and more. */
const YOUNG_MAX = 16.5 * 1024 * 1024;
/** More than enough for V8 to double the young generation several times, when nobody holds it. */
const REQUESTS = 40_000;

interface Young {
  readonly bytes: number;
  readonly watched: boolean;
  /** What V8 has been told since the application began. */
  readonly flags: readonly string[];
}

/** Sends `count` requests over 16 connections, or until `done` says so. */
async function traffic(port: number, path: string, count: number, done: () => boolean = () => false): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let left = count;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = http.get({ port, host: '127.0.0.1', path, agent }, (reply) => void reply.resume().once('end', resolve));
      request.once('error', reject);
    });
  const worker = async (): Promise<void> => {
    while (left-- > 0 && !done()) await one();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
}

const young = async (port: number): Promise<Young> => JSON.parse(await fetchText(port, '/young')) as Young;

describe('the young generation', () => {
  it('stays small while requests leave nothing behind, after a busy beginning', { timeout: 60_000 }, async () => {
    const app = start(writeProject({ 'server.cjs': SERVER }), ['run', 'server.cjs'], { patienceMs: 60_000 });
    const port = await app.port();
    await traffic(port, '/busy', REQUESTS);
    const { bytes, watched, flags } = await young(port);
    assert.ok(bytes <= YOUNG_MAX, `${bytes} bytes`);
    assert.ok(watched);
    assert.deepEqual([...flags].sort(), ['--no-allocation-site-pretenuring', '--semi-space-growth-factor=1']);
    app.kill('SIGTERM');
    await app.ended;
  });

  it("is V8's again where requests leave much behind", { timeout: 60_000 }, async () => {
    const app = start(writeProject({ 'server.cjs': SERVER }), ['run', 'server.cjs'], { patienceMs: 60_000 });
    const port = await app.port();
    let watched = true;
    let over = false;
    const look = async (): Promise<void> => {
      while (watched && !over) {
        ({ watched } = await young(port));
        await new Promise((done) => setTimeout(done, 250));
      }
    };
    // Ended by the app's patience at the latest: then both fail.
    const looks = look();
    await traffic(port, '/keep', Number.POSITIVE_INFINITY, () => !watched).finally(() => (over = true));
    await looks;
    assert.equal(watched, false);
    app.kill('SIGTERM');
    await app.ended;
  });

  it('is left alone where its size is given', { timeout: 60_000 }, async () => {
    const app = start(writeProject({ 'server.cjs': SERVER }), ['run', '--max-semi-space-size=8', 'server.cjs'], { patienceMs: 60_000 });
    const port = await app.port();
    const { watched, flags } = await young(port);
    assert.deepEqual([watched, flags], [false, []]);
    app.kill('SIGTERM');
    await app.ended;
  });
});
