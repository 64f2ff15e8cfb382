/** Files for Node whose application is only exported. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fetchText, freePort, start } from '../cli/support.ts';
import { defineExported } from './exported-cases.ts';
import { file } from './support.ts';

describe('a built file that only exports its application', { concurrency: 2 }, () => {
  defineExported(file);

  it('is served by each worker of fulmar run', async () => {
    const port = await freePort();
    const built = await file.build({ 'a.mjs': `export default { fetch: () => new Response('worker') };\nconsole.log('UP');` }, 'a.mjs');
    const run = start(built.folder, ['run', '--workers', '2', built.file], {
      env: { PORT: String(port), FULMAR_BUILD_CACHE: built.cache },
    });
    await run.seen(/UP[^]*UP/);
    let text = '';
    while (text === '') text = await fetchText(port).catch(() => new Promise<string>((done) => void setTimeout(done, 20, '')));
    assert.equal(text, 'worker');
    run.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });
});
