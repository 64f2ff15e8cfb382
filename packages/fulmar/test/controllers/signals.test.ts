/**
 * `enableShutdownHooks()` in a process of its own: what a signal does, and a second one.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Its hook waits for a second signal. */
const PROGRAM = `
import { NestFactory, Module } from 'fulmar/controllers';
class App {
  async beforeApplicationShutdown(signal) {
    console.log('before', signal);
    await new Promise((resolve) => process.once('SIGTERM', resolve));
    console.log('second');
  }
  onApplicationShutdown(signal) {
    console.log('shutdown', signal);
  }
}
Module({})(App);
const app = await NestFactory.create(App);
app.enableShutdownHooks();
await app.listen(0);
console.log('listening');
`;

test('a signal runs hooks and ends the process; a second one changes nothing', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (/^(?:listening|before SIGTERM)\n$/m.test(piece)) child.kill('SIGTERM');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.deepEqual([text, code, signal], ['listening\nbefore SIGTERM\nsecond\nshutdown SIGTERM\n', null, 'SIGTERM']);
});
