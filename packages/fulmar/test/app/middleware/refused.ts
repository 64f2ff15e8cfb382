/**
 * Options that a factory refuses when it is called.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

/** `[what is wrong, the call, what the error says]` */
export type Refusal = readonly [name: string, make: () => unknown, message: RegExp];

export function defineRefusals(factory: string, refusals: readonly Refusal[]): void {
  describe(`${factory} refuses`, () => {
    for (const [name, make, message] of refusals) it(name, () => assert.throws(make, { name: 'TypeError', message }));
  });
}
