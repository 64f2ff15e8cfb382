/** Projects that are a folder of routes, as executables. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import { defineRoutes, folderOf, manyRoutes, ownServer, playManyRoutes, playOwnServer, project } from '../build/routes-cases.ts';
import { type Built, executable } from '../build/support.ts';
import { fulmar, start as startFulmar, writeProject } from '../cli/support.ts';

describe('a folder of routes in an executable', { concurrency: 2 }, () => {
  let built: Promise<Built> | undefined;
  const start = async () => executable.run(await (built ??= executable.build(folderOf(project), '.')));
  defineRoutes({ isBuilt: true, start });
});

describe('one with an await at the top of a route, which has no parts', { concurrency: 2 }, () => {
  const awaiting = {
    ...project,
    'routes/awaiting.ts': `const value = await Promise.resolve('awaited'); console.log('LOADED awaiting'); export const GET = () => value;`,
  };
  let built: Promise<Built> | undefined;
  const start = async () => executable.run(await (built ??= executable.build(folderOf(awaiting), '.')));
  defineRoutes({ isBuilt: true, start });

  it('answers', { timeout: 60_000 }, async () => {
    const running = await start();
    const [, port] = await running.seen(/serving the project on http:\/\/localhost:(\d+)/);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/awaiting`)).text(), 'awaited');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });
});

describe('fulmar start of an executable', () => {
  it('runs it in production, and stacks name the sources of its parts', { timeout: 60_000 }, async () => {
    const folder = writeProject({
      'package.json': '{ "type": "module" }',
      'routes/index.ts': `type A = string;\nexport const GET = (): A =>\n  new Error('here').stack ?? '';\nexport const POST = () => process.env.NODE_ENV;`,
      'fulmar.config.ts': 'export default { server: { port: Number(process.env.PORT ?? 0) } };',
    });
    assert.equal((await fulmar(folder, ['build', '--native', '--sourcemap'])).code, 0);
    const running = startFulmar(folder, ['start']);
    const [, port] = await running.seen(/serving the project on http:\/\/localhost:(\d+)/);
    const url = `http://127.0.0.1:${port}/`;
    assert.match(await (await fetch(url)).text(), new RegExp(`at GET \\(${join(folder, 'dist', 'routes', 'index.ts')}:3:`));
    assert.equal(await (await fetch(url, { method: 'POST' })).text(), 'production');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });
});

describe('an executable', { concurrency: 2 }, () => {
  it('has 1,000 routes, of which each is read when it is asked for', { timeout: 120_000 }, async () => {
    await playManyRoutes(executable.run(await executable.build(folderOf(manyRoutes), '.')));
  });

  it('has the folders that an application’s own server gives to createRoutes()', { timeout: 60_000 }, async () => {
    await playOwnServer(executable.run(await executable.build(folderOf(ownServer), 'src/server.ts')));
  });
});
