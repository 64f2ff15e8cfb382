/** What an application of the typed app loads before it does anything: a file more is one that each start opens. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../../packages/fulmar/dist', import.meta.url));

/** The bundles that are loaded when `code` has run. */
function loadedBy(code: string): string[] {
  const text = `${code}; console.log(JSON.stringify(Object.keys(require.cache)))`;
  const files = JSON.parse(execFileSync(process.execPath, ['-e', text], { cwd: dist, encoding: 'utf8' })) as string[];
  return files.filter((file) => file.startsWith(dist)).map((file) => basename(file));
}

test('an app with routes loads its entry, itself and one file that it shares with middleware', () => {
  const code = `require(${JSON.stringify(join(dist, 'app.cjs'))}).createApp().use((c, next) => next()).get('/:id', (c) => c.params.id)`;
  assert.deepEqual(loadedBy(code), ['app.cjs', 'lib-app.cjs', 'shared-app-common.cjs']);
});
