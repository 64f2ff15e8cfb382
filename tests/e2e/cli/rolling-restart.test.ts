/**
 * SIGHUP and SIGUSR2 to a primary: new code is taken up, one worker after the other, and no client notices.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addFile, dist, fetchText, type Running, start, writeProject } from './support.ts';

const RATE = 700;

/** Says `text`; the worker's id tells one generation from the next. */
const says = (text: string): string => `
const http = require('http');
const server = http.createServer((req, res) => {
  if (req.url === '/slow') return console.log('SLOW'), void setTimeout(() => res.end('slow ${text}'), 1000);
  res.end('${text}');
});
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' PID ' + process.pid + ' '));
`;

async function twoWorkers(folder: string, file: string, args: readonly string[] = []): Promise<Running> {
  const app = start(folder, ['run', '-w', '2', ...args, file], { patienceMs: 60_000 });
  await app.seen(/PORT \d+ [^]*PORT \d+ /);
  return app;
}

const renewed = (app: Running, times: number): Promise<unknown> => app.seen(new RegExp(`(?:all workers are new[^]*){${times}}`));

interface Result {
  readonly requests: { readonly sent: number; readonly verified: number; readonly unanswered: number; readonly unsent: number };
  readonly errors: { readonly total: number };
}

/** Open loop: every request is sent at its time, whatever the server does. Ends after `requests`. */
function load(port: number, requests: number, fields: readonly string[]): Promise<Result> {
  const platform = `${process.platform}-${process.arch}-gnu`;
  const child = spawn(
    join(dist, `fulmar-load-${platform}`),
    ['-q', '-c', '20', '-r', String(RATE), '-n', String(requests), ...fields.flatMap((line) => ['-H', line]), `http://127.0.0.1:${port}/`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((done, failed) => {
    child.once('error', failed).once('close', () => done(JSON.parse(text) as Result));
  });
}

/** Sends the primary a signal when it has read its arguments and loads what starts workers. */
const early = (signal: NodeJS.Signals): string => `
const Module = require('node:module');
const load = Module._load;
Module._load = (request, ...rest) => {
  if (/shared-processes/.test(request)) process.kill(process.pid, '${signal}');
  return load(request, ...rest);
};
`;

describe('a rolling restart', () => {
  for (const signal of ['SIGHUP', 'SIGUSR2'] as const) {
    it(`${signal} before the first worker is started ends nothing`, { timeout: 60_000 }, async () => {
      const folder = writeProject({ 'server.cjs': says('one'), 'early.cjs': early(signal) });
      const env = { NODE_OPTIONS: `--require ${join(folder, 'early.cjs')}` };
      const app = start(folder, ['run', '-w', '1', 'server.cjs'], { patienceMs: 60_000, env });
      assert.equal(await fetchText(await app.port()), 'one');
      app.kill('SIGTERM');
      assert.equal((await app.ended).code, 0);
    });
  }

  for (const { name, fields } of [
    { name: 'connections that are kept', fields: [] },
    { name: 'a connection for each request', fields: ['Connection: close'] },
  ]) {
    it(`loses no request of ${RATE} a second, over ${name}, and takes up new code`, { timeout: 60_000 }, async () => {
      const folder = writeProject({ 'server.cjs': says('one') });
      const app = await twoWorkers(folder, 'server.cjs');
      const port = await app.port();
      const clients = load(port, RATE * 8, fields);
      for (let times = 1; times <= 3; times++) {
        addFile(folder, 'server.cjs', says(`version ${times}`));
        app.kill(times === 2 ? 'SIGUSR2' : 'SIGHUP');
        await renewed(app, times);
        assert.equal(await fetchText(port), `version ${times}`);
      }
      const { requests, errors } = await clients;
      assert.equal(errors.total, 0);
      assert.deepEqual(requests, { ...requests, sent: RATE * 8, verified: RATE * 8, unanswered: 0, unsent: 0 });
      app.kill('SIGTERM');
      assert.deepEqual([(await app.ended).code, (await app.ended).signal], [0, null]);
    });
  }

  it('lets a request that the old worker has begun finish', async () => {
    const folder = writeProject({ 'server.cjs': says('old') });
    const app = await twoWorkers(folder, 'server.cjs');
    const slow = fetchText(await app.port(), '/slow');
    await app.seen(/SLOW/);
    addFile(folder, 'server.cjs', says('new'));
    app.kill('SIGHUP');
    assert.equal(await slow, 'slow old');
    await renewed(app, 1);
    assert.equal(await fetchText(await app.port()), 'new');
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('takes up changed TypeScript, ES modules and environment files', async () => {
    const source = (text: string): string =>
      `import http from 'node:http'; const text: string = '${text}'; http.createServer((req, res) => res.end(text + ' ' + process.env['WORD'])).listen(0, '127.0.0.1', function (this: http.Server) { console.log('PORT ' + (this.address() as { port: number }).port + ' '); });`;
    const folder = writeProject({
      'package.json': '{"type":"module"}',
      'node_modules/.keep': '',
      'main.ts': `import './server.js';`,
      'server.ts': source('one'),
      '.env': 'WORD=first',
    });
    const app = await twoWorkers(folder, 'main.ts', ['--env-file', '.env']);
    assert.equal(await fetchText(await app.port()), 'one first');
    addFile(folder, 'server.ts', source('two'));
    addFile(folder, '.env', 'WORD=second');
    app.kill('SIGHUP');
    await renewed(app, 1);
    assert.equal(await fetchText(await app.port()), 'two second');
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  for (const [name, broken, reason] of [
    ['that does not parse', 'const a = ;', /the new worker 1 ended with exit code 1 before it listened/],
    ['that ends by itself', 'process.exit(0)', /the new worker 1 ended with exit code 0 before it listened/],
    ['that has nothing to do', '', /the new worker 1 ended with exit code \d before it listened/],
  ] as const) {
    it(`is broken off for code ${name}: the old workers go on, and say so`, async () => {
      const folder = writeProject({ 'server.cjs': says('good') });
      const app = await twoWorkers(folder, 'server.cjs');
      addFile(folder, 'server.cjs', broken);
      app.kill('SIGHUP');
      await app.seen(reason);
      await app.seen(/The workers that have not been replaced go on/);
      assert.equal(await fetchText(await app.port()), 'good');
      addFile(folder, 'server.cjs', says('mended'));
      app.kill('SIGHUP');
      await renewed(app, 1);
      assert.equal(await fetchText(await app.port()), 'mended');
      app.kill('SIGTERM');
      assert.equal((await app.ended).code, 0);
    });
  }

  it('that is asked for while one runs follows it, once', async () => {
    const folder = writeProject({ 'server.cjs': says('one') });
    const app = await twoWorkers(folder, 'server.cjs');
    app.kill('SIGHUP');
    await app.seen(/restarting 2 workers/);
    for (const signal of ['SIGHUP', 'SIGUSR2', 'SIGHUP'] as const) app.kill(signal);
    addFile(folder, 'server.cjs', says('last'));
    await renewed(app, 2);
    assert.equal(await fetchText(await app.port()), 'last');
    app.kill('SIGTERM');
    const { code, stderr } = await app.ended;
    assert.equal(code, 0);
    assert.equal(stderr.match(/all workers are new/g)?.length, 2);
  });

  it('ends with the whole at a SIGTERM', async () => {
    const folder = writeProject({ 'server.cjs': says('one') });
    const app = await twoWorkers(folder, 'server.cjs');
    // It never listens: the restart waits for it.
    addFile(folder, 'server.cjs', `console.log('NEW'); setInterval(() => undefined, 1000);`);
    app.kill('SIGHUP');
    await app.seen(/NEW/);
    app.kill('SIGTERM');
    assert.deepEqual([(await app.ended).code, (await app.ended).signal], [0, null]);
  });
});
