/** The example of RPC while it is developed: one command, one origin for page and API, and a server that starts again with its files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort } from '../../../packages/cli/src/free-port.ts';
import { copyExample, type Example } from './forms.ts';

let example: Example;
before(() => void (example = copyExample()));
after(() => example.remove());

async function textOf(url: string): Promise<string> {
  const reply = await fetch(url);
  assert.equal(reply.status, 200, url);
  return reply.text();
}

/** Between two saves of a change that nobody has noticed. */
const SAVE_AGAIN_MS = 10_000;

test('npm run dev serves the page and the API, and the API anew when it changes', { timeout: 120_000 }, async (t) => {
  const port = await freePort(2);
  const { folder } = example;
  const PATH = [join(folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, PORT: String(port), PAGE_PORT: String(port + 1), NODE_OPTIONS: '', NO_COLOR: '1' };
  const child = spawn(process.execPath, ['dev.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // All that it has started, should the test not come to its end.
  t.after(() => endGroup(child.pid));
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      for (const look of waiting) look();
    });
  /** Goes on when it has printed that so often. */
  const printed = (pattern: RegExp, times: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void ((output.match(pattern)?.length ?? 0) >= times && waiting.delete(look) && resolve());
      waiting.add(look);
      look();
    });
  const ended = once(child, 'exit');
  try {
    await Promise.all([printed(/listening on/g, 1), printed(/Local:/g, 1)]);
    const origin = `http://localhost:${port + 1}`;
    assert.match(await textOf(origin), /src="\/page\/main\.tsx"/);
    assert.match(await textOf(`${origin}/page/main.tsx`), /react\/jsx-dev-runtime|react_jsx-dev-runtime/);
    assert.equal(await textOf(`${origin}/api/sightings/page`), '{"rpc":1,"value":{"items":[],"next":null}}');
    const file = join(folder, 'server', 'store.ts');
    const changed = readFileSync(file, 'utf8').replace('return { items, next:', 'return { items, next: 7 > 3 ? 42 :');
    const save = (): void => writeFileSync(file, changed);
    save();
    // Node's watch mode misses a change that comes while it starts to look.
    const saving = setInterval(save, SAVE_AGAIN_MS);
    await printed(/listening on/g, 2).finally(() => clearInterval(saving));
    assert.equal(await textOf(`${origin}/api/sightings/page`), '{"rpc":1,"value":{"items":[],"next":42}}');
  } catch (error) {
    throw new Error(`it printed:\n${output}`, { cause: error });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  assert.equal(child.exitCode, 0, output);
});

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
