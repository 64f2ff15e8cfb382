/**
 * When V8 gets its young generation back (src/launch/lifecycle/young-generation.ts), against a V8 that says
 * what the test wants, at times the test sets.
 */
import assert from 'node:assert/strict';
import v8 from 'node:v8';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { readGlobal, removeGlobal } from '../../src/host/globals.ts';
import { keepYoungGenerationSmall } from '../../src/launch/lifecycle/young-generation.ts';

const MB = 1024 * 1024;
const STAY = '--semi-space-growth-factor=1';
const GROW = '--semi-space-growth-factor=2';

describe('the judgement on the young generation', () => {
  let oldBytes = 0;
  let flags: string[] = [];

  beforeEach(() => {
    oldBytes = 20 * MB;
    flags = [];
    mock.timers.enable({ apis: ['Date'] });
    mock.method(v8, 'setFlagsFromString', (flag: string) => void flags.push(flag));
    mock.method(v8, 'getHeapSpaceStatistics', () => [
      { space_name: 'new_space', space_used_size: 2 * MB, space_available_size: 2 * MB },
      { space_name: 'old_space', space_used_size: oldBytes, space_available_size: 0 },
    ]);
    keepYoungGenerationSmall();
  });

  afterEach(() => {
    mock.restoreAll();
    mock.timers.reset();
    removeGlobal('fulmar.traffic');
  });

  /** Requests came `ms` after those before, and the old generation is `change` bytes larger. */
  const traffic = (ms: number, change: number): void => {
    mock.timers.tick(ms);
    oldBytes += change;
    readGlobal('fulmar.traffic')?.();
  };

  it('is held from the first requests, and stays so where they leave nothing', () => {
    traffic(0, 0);
    assert.deepEqual(flags, ['--no-allocation-site-pretenuring', STAY]);
    for (let i = 0; i < 100; i++) traffic(110, 1000);
    assert.equal(flags.length, 2);
    assert.notEqual(readGlobal('fulmar.traffic'), undefined);
  });

  it('is not judged by what is promoted while V8 compiles', () => {
    for (let i = 0; i < 5; i++) traffic(100, 8 * MB);
    for (let i = 0; i < 100; i++) traffic(110, 0);
    assert.ok(!flags.includes(GROW));
  });

  it("is V8's again where every other look sees the collection of what the one before saw promoted", () => {
    traffic(0, 0);
    traffic(600, 7 * MB);
    for (let i = 0; i < 3; i++) {
      assert.ok(!flags.includes(GROW), String(i));
      traffic(150, 18 * MB);
      traffic(150, -18 * MB);
    }
    assert.equal(flags.at(-1), GROW);
    assert.equal(readGlobal('fulmar.traffic'), undefined, 'nobody looks any more');
  });

  it('needs more looks that see much than looks that see little', () => {
    traffic(0, 0);
    traffic(600, 0);
    for (let i = 0; i < 20; i++) {
      traffic(110, 18 * MB);
      traffic(110, 0);
    }
    assert.ok(!flags.includes(GROW));
  });
});
