/**
 * A client's leaving is noticed in every state of a connection as `node:http` notices it: the same program,
 * the same client, and the ordered list of everything it saw, on both sides.
 */
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadSides } from '../../harness/sides.ts';
import { compared } from './exceptions.ts';
import { leaves, watchings } from './model.ts';
import { play, type Scene } from './run.ts';
import { states } from './states.ts';

/** Scenes that are played at the same time: they mostly wait for the operating system. */
const AT_ONCE = 12;

const names: Readonly<Record<Scene['leave'], string>> = {
  reset: 'resets the connection',
  close: 'closes the connection',
  'half-close': 'ends its side',
};

async function compare(scene: Scene): Promise<void> {
  const sides = await loadSides();
  const upstream = await play(scene, sides.upstream.http);
  const ours = await play(scene, sides.ours.http, upstream);
  const [expected, actual] = compared(scene, upstream, ours);
  assert.deepStrictEqual(actual, expected, 'ours (+) differs from upstream (-)');
}

function descriptors(): string[] {
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return 'gone';
    }
  });
  return open.filter((target) => target.startsWith('socket:') || target.endsWith('states.bin'));
}

const hasDescriptorList = process.platform === 'linux';
const before = hasDescriptorList ? descriptors().length : 0;

for (const watching of watchings) {
  describe(`a program that listens to ${watching}`, { concurrency: AT_ONCE }, () => {
    for (const state of states) {
      for (const leave of state.leaves ?? leaves) {
        test(`${state.name}: the client ${names[leave]}`, () => compare({ state, leave, watching }));
      }
    }
  });
}

test('no descriptor is left of all these connections', { skip: hasDescriptorList ? false : 'needs /proc' }, () => {
  assert.equal(descriptors().length, before, descriptors().join('\n'));
});
