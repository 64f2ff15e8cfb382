/**
 * Options of Node that need more than being passed on: where the inspector listens, and what is written when
 * a process ends.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freePort } from '../../../packages/cli/src/free-port.ts';
import { start, writeProject } from './support.ts';

const folder = writeProject({
  'package.json': '{}',
  'server.cjs': `
function busyAtLoad() { const end = Date.now() + 60; while (Date.now() < end); }
busyAtLoad();
require('http').createServer((req, res) => res.end(String(process.pid)))
  .listen(0, '127.0.0.1', () => console.log('PID ' + process.pid + ' DEBUG ' + process.debugPort + ' '));`,
});

/** What the inspector on `port` says of its process. */
function titleOn(port: number): Promise<string> {
  return new Promise((done, failed) => {
    get({ port, host: '127.0.0.1', path: '/json/list', agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.once('end', () => done((JSON.parse(text) as { title: string }[])[0]?.title ?? ''));
    }).once('error', failed);
  });
}

describe('--inspect with --workers', () => {
  it('gives the primary the port that is named, and workers those after it', async () => {
    const first = await freePort(3);
    const app = start(folder, ['run', `--inspect=${first}`, '-w', '2', 'server.cjs']);
    await app.seen(/(?:PID \d+ [^]*){2}/);
    const [text] = await app.seen(/(?:DEBUG \d+ [^]*){2}/);
    const ports = [...text.matchAll(/DEBUG (\d+)/g)].map(([, port]) => Number(port)).toSorted((a, b) => a - b);
    assert.deepEqual(ports, [first + 1, first + 2]);
    for (const port of [first, ...ports]) assert.match(await titleOn(port), /fulmar/);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('gives a worker the port of the one whose place it takes', async () => {
    const first = await freePort(3);
    const app = start(folder, ['run', '--inspect', '--inspect-port', String(first), '-w', '1', 'server.cjs']);
    const [, pid] = await app.seen(/PID (\d+) DEBUG /);
    process.kill(Number(pid), 'SIGKILL');
    const [text] = await app.seen(/(?:DEBUG \d+ [^]*){2}/);
    assert.deepEqual(
      [...text.matchAll(/DEBUG (\d+)/g)].map(([, port]) => Number(port)),
      [first + 1, first + 1],
    );
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });
});

describe('--cpu-prof', () => {
  for (const [args, file, signal, end] of [
    [[], 'server.cjs', 'SIGTERM', 0],
    [[], 'server.cjs', 'SIGINT', 0],
    [['-w', '1'], 'server.cjs', 'SIGTERM', 0],
    [['-w', '1'], 'server.cjs', 'SIGINT', 0],
  ] as const) {
    it(`writes a profile at ${signal}: run ${[...args, file].join(' ')}`, async () => {
      const profiles = mkdtempSync(join(folder, 'profiles-'));
      const app = start(folder, ['run', '--cpu-prof', '--cpu-prof-dir', profiles, ...args, file]);
      await app.seen(/PID /);
      app.kill(signal);
      const { code, signal: ending, stderr } = await app.ended;
      assert.equal(code ?? ending, end, stderr);
      const written = readdirSync(profiles);
      assert.equal(written.length, 1, stderr);
      assert.match(readFileSync(join(profiles, written[0] ?? ''), 'utf8'), /busyAtLoad/);
    });
  }
});
