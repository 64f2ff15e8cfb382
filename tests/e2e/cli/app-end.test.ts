/** How an app ends under `fulmar run`, alone and as workers, and what bounds that; and under plain node. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appProject, defineAppEnds, HOOKED, openSocket, statusOf, told, WITH_SOCKETS } from '../build/app-end-cases.ts';
import { fetchText, freePort, start } from './support.ts';

const LISTEN = `const { url } = await app.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' }); console.log('PORT ' + new URL(url).port + ' ');`;

describe('an app under fulmar run', { concurrency: 2 }, () => {
  defineAppEnds(async (text) => start(appProject(text), ['run', 'main.mjs']));

  it('closes what is not answered in time, and runs the hooks all the same', async () => {
    const app = start(appProject(HOOKED + LISTEN), ['run', '--drain-timeout', '2', 'main.mjs']);
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/NEVER/);
    app.kill('SIGTERM');
    const { code, stdout, stderr } = await app.ended;
    assert.deepEqual([code, stderr, await never], [0, '', 'cut']);
    assert.deepEqual(told(stdout), ['STOP database', 'STOP app']);
  });

  it('waits for no hook longer than the drain time-out', async () => {
    const app = start(appProject(`${HOOKED} app.onStop(() => new Promise(() => {}));\n${LISTEN}`), [
      'run',
      '--drain-timeout',
      '0.5',
      'main.mjs',
    ]);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout, stderr } = await app.ended;
    assert.equal(code, 0);
    assert.match(stderr, /^fulmar: what the application does at its end \(onStop\) takes longer than the drain time-out allows.*\n$/);
    assert.deepEqual(told(stdout), ['STOP database']);
  });

  it('runs the hooks of the end where one before it never comes to its end', async () => {
    const app = start(appProject(`${HOOKED} app.onDrain(() => new Promise(() => {}));\n${LISTEN}`), [
      'run',
      '--drain-timeout',
      '1',
      'main.mjs',
    ]);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.deepEqual(told(stdout), ['STOP database', 'STOP app']);
  });

  it('ends at once at a second signal, in the middle of its hooks', async () => {
    const app = start(appProject(`${HOOKED} app.onStop(() => { console.log('BEGUN'); return new Promise(() => {}); });\n${LISTEN}`), [
      'run',
      'main.mjs',
    ]);
    await app.port();
    app.kill('SIGTERM');
    await app.seen(/BEGUN/);
    app.kill('SIGTERM');
    const { signal, stdout } = await app.ended;
    assert.equal(signal, 'SIGTERM');
    assert.deepEqual(told(stdout), ['STOP database']);
  });
});

describe('an app in workers', () => {
  it('each is not ready first, closes its WebSockets, runs its hooks', async () => {
    const port = await freePort();
    const app = start(appProject(WITH_SOCKETS + LISTEN), ['run', '--workers', '2', 'main.mjs'], { env: { PORT: String(port) } });
    await app.seen(/PORT[^]*PORT/);
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(port)));
    app.kill('SIGTERM');
    await app.seen(/DRAIN[^]*DRAIN/);
    assert.deepEqual(await Promise.all(['/ready', '/live', '/ready'].map((path) => statusOf(port, path))), [503, 200, 503]);
    const codes = await Promise.all(sockets.map(({ closed }) => closed));
    assert.deepEqual(new Set(codes), new Set([1001]));
    const { code, stdout, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(told(stdout), ['DRAIN', 'DRAIN', 'STOP 0', 'STOP 0']);
  });
});

describe('an app under plain node', () => {
  it('ends by the signal, without its hooks, where nobody handles it', async () => {
    const app = start(appProject(HOOKED + LISTEN), ['main.mjs'], { plain: true });
    await app.port();
    app.kill('SIGTERM');
    const { signal, stdout } = await app.ended;
    assert.equal(signal, 'SIGTERM');
    assert.deepEqual(told(stdout), []);
  });

  it('runs its hooks where the application closes it', async () => {
    const app = start(appProject(`${HOOKED} process.once('SIGTERM', () => app.close());\n${LISTEN}`), ['main.mjs'], { plain: true });
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.deepEqual(told(stdout), ['STOP database', 'STOP app']);
  });
});
