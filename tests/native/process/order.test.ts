/**
 * The order in which ticks, microtasks, timers and immediates run: random programs on Node and on the QuickJS
 * host.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onNative, onNode } from './support.ts';

const PROGRAMS = 60;
const DEPTH_MAX = 4;
const STEPS_MAX = 4;

/** A repeatable source of numbers (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Kind = 'immediate' | 'timer';

/** Statements that log their number and schedule others. */
function body(pick: (below: number) => number, kind: Kind, depth: number, next: () => number): string {
  const steps: string[] = [`log(${next()});`];
  if (depth === 0) return steps.join(' ');
  const count = 1 + pick(STEPS_MAX);
  for (let at = 0; at < count; at++) {
    const inner = body(pick, kind, depth - 1, next);
    switch (pick(8)) {
      case 0:
      case 1:
        steps.push(`process.nextTick(() => { ${inner} });`);
        break;
      case 2:
        steps.push(`queueMicrotask(() => { ${inner} });`);
        break;
      case 3:
        steps.push(`Promise.resolve().then(() => { ${inner} }).then(() => { log(${next()}) });`);
        break;
      case 4:
        steps.push(
          `(async () => { ${inner} await null; log(${next()}); await new Promise((done) => process.nextTick(done)); log(${next()}); })();`,
        );
        break;
      case 5:
        steps.push(`Promise.reject(1).catch(() => { ${inner} }).finally(() => log(${next()}));`);
        break;
      default:
        // Only one of the two in a program: their order among each other depends on the clock.
        steps.push(kind === 'timer' ? `setTimeout(() => { ${inner} }, 1);` : `setImmediate(() => { ${inner} });`);
    }
  }
  return steps.join(' ');
}

function program(seed: number): string {
  const pick = random(seed);
  const kind = seed % 2 === 0 ? 'timer' : 'immediate';
  let last = 0;
  return body(pick, kind, DEPTH_MAX, () => last++);
}

test('random programs run their callbacks in the same order', async () => {
  const bodies = Array.from({ length: PROGRAMS }, (_, seed) => program(seed));
  // One after the other in one process: each starts when nothing of the one before is left.
  const text = `const programs = [${bodies.map((one) => `(log) => { ${one} }`).join(',\n')}];
    let at = 0;
    process.on('beforeExit', () => {
      if (at >= programs.length) return;
      const seen = [];
      const number = at;
      programs[at++]((value) => seen.push(value));
      const wait = setTimeout(() => {}, 1);
      process.once('beforeExit', () => console.log(number + ': ' + seen.join(' ')));
    });`;
  const [node, native] = await Promise.all([onNode(text), onNative(text)]);
  assert.equal(node.stdout.trimEnd().split('\n').length, PROGRAMS);
  assert.deepEqual(native.stdout.split('\n'), node.stdout.split('\n'));
});
