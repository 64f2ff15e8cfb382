import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Test } from 'fulmar/controllers/testing';
import { SampleThingsController } from './controller';

describe('SampleThingsController', () => {
  let controller: SampleThingsController;

  beforeEach(async () => {
    const module = await Test.createTestingModule({ controllers: [SampleThingsController] }).compile();
    controller = module.get(SampleThingsController);
  });

  it('is made with what it needs', () => {
    assert.ok(controller instanceof SampleThingsController);
  });
});
