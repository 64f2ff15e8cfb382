/** `fulmar new` at a terminal: it asks there, and nowhere else. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { skip, startAtTerminal } from './at-terminal.ts';
import { dist, fulmar, writeProject } from './support.ts';

const bin = join(dist, '..', 'bin', 'fulmar.cjs');
const node = process.env['FULMAR_TEST_NODE'] ?? process.execPath;

describe('fulmar new without a template', () => {
  it('asks at a terminal, and makes nothing when that is answered with Ctrl-C', { skip }, async () => {
    const folder = writeProject({});
    const before = readdirSync(folder);
    const command = startAtTerminal(folder, [node, bin, 'new']);
    await command.seen(/Folder \[my-app\]: /);
    command.kill('SIGUSR1');
    const { code, stderr } = await command.ended;
    assert.equal(code, 1, stderr);
    assert.match(stderr, /fulmar: nothing was made: the questions were not answered\n$/);
    assert.deepEqual(readdirSync(folder), before);
  });

  it('asks nobody in a script: what is missing is told, and nothing is made', async () => {
    const folder = writeProject({});
    const before = readdirSync(folder);
    const { code, stdout, stderr } = await fulmar(folder, ['new', 'birds']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^fulmar: fulmar new needs a template: --template app\|controllers\|express\|koa\|rpc\|routes\|one-server\n$/);
    assert.deepEqual(readdirSync(folder), before);
  });
});
