import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMockExecutionContext } from 'fulmar/controllers/testing';
import { SampleThingsGuard } from './guard';

describe('SampleThingsGuard', () => {
  it('lets requests pass', async () => {
    assert.equal(await new SampleThingsGuard().canActivate(createMockExecutionContext()), true);
  });
});
