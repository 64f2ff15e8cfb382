import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SampleThingsPipe } from './pipe';

describe('SampleThingsPipe', () => {
  it('hands on what it is given', () => {
    assert.equal(new SampleThingsPipe().transform('value', { type: 'param' }), 'value');
  });
});
