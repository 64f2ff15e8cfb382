/**
 * Memory of the engine is within no application's reach: what it replaces on the prototypes is not called
 * with it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Slab } from '../../src/exchange/slab.ts';

test('a slab is made and written without the getters and methods that an application may have replaced', () => {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const seen = new Set<unknown>();
  const originals = (['buffer', 'length', 'byteLength', 'byteOffset'] as const).map((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(typedArray, name) as PropertyDescriptor & { get: () => unknown };
    const { get } = descriptor;
    const spy = function (this: unknown): unknown {
      seen.add(this);
      return Reflect.apply(get, this, []) as unknown;
    };
    Object.defineProperty(typedArray, name, { ...descriptor, get: spy });
    return { name, descriptor };
  });
  let slab: Slab;
  try {
    slab = new Slab();
    slab.chunk(0, 8);
    slab.bytes.latin1Slice(0, 8);
    slab.bytes.utf8Slice(0, 8);
    slab.bytes.latin1Write('a', 0, 1);
    slab.bytes.utf8Write('a', 0, 1);
  } finally {
    for (const { name, descriptor } of originals) Object.defineProperty(typedArray, name, descriptor);
  }
  assert.equal(seen.has(slab.bytes), false);
});
