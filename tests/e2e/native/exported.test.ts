/** Executables whose application is only exported, and `fulmar run --native` of such a module. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineExported } from '../build/exported-cases.ts';
import { executable } from '../build/support.ts';
import { fetchText, start, writeProject } from '../cli/support.ts';

describe('an executable that only exports its application', { concurrency: 2 }, () => {
  defineExported(executable);

  it('is served by fulmar run --native', async () => {
    const folder = writeProject({ 'a.mjs': `export default { fetch: () => new Response('native') };` });
    const run = start(folder, ['run', '--native', 'a.mjs', '--port', '0']);
    const [, port] = await run.seen(/serving fetch\(\) that it exports on http:\/\/localhost:(\d+)\n/);
    assert.equal(await fetchText(Number(port)), 'native');
    run.kill('SIGTERM');
    assert.equal((await run.ended).code, 0);
  });
});
