import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SampleThingsMiddleware } from './middleware';

describe('SampleThingsMiddleware', () => {
  it('goes on', () => {
    let count = 0;
    new SampleThingsMiddleware().use(undefined, undefined, () => (count += 1));
    assert.equal(count, 1);
  });
});
