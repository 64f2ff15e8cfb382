/**
 * The examples as built files, alone in an empty folder and started from another one, do what their sources
 * do under plain node.
 *
 * The visitors and the comparison are those of `express-app` and `koa-app`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { play as playExpress } from '../express-app/play.ts';
import { scenarios as expressScenarios } from '../express-app/scenarios.ts';
import { play as playKoa } from '../koa-app/play.ts';
import { scenarios as koaScenarios } from '../koa-app/scenarios.ts';
import { Client } from '../support/client.ts';
import { launch, launchFile, type Running } from '../support/launch.ts';
import { type Built, file } from './support.ts';

const applications = [
  { name: 'express-app', include: ['views', 'public', 'files'], scenarios: expressScenarios, play: playExpress },
  { name: 'koa-app', include: ['views', 'public'], scenarios: koaScenarios, play: playKoa },
];

for (const { name, include, scenarios, play } of applications) {
  describe(`${name}, built`, () => {
    let node: Running;
    let built: Running;

    before(async () => {
      const folder = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
      const made: Built = await file.build(
        folder,
        'server.js',
        include.flatMap((path) => ['--include', path]),
      );
      [node, built] = await Promise.all([
        launch('node', name),
        launchFile([made.file], { cwd: '/', env: { FULMAR_BUILD_CACHE: made.cache } }),
      ]);
    });
    after(async () => void (await Promise.all([node?.stop(), built?.stop()])));

    for (const scenario of scenarios) {
      test(`${scenario.name}, as under node`, { timeout: 60_000 }, async () => {
        const expected = await play(node, scenario);
        assert.deepEqual(await play(built, scenario), expected);
      });
    }

    test('runs on Fulmar, and ends well on SIGTERM', { timeout: 60_000 }, async () => {
      const client = new Client(built.port);
      const { content } = await client.get('/');
      client.close();
      assert.match(content.toString(), /<strong id="engine">Fulmar</);
      assert.deepEqual(await built.stop(), { code: 0, signal: null });
    });
  });
}
