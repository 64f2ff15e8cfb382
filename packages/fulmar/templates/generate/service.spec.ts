import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Test } from 'fulmar/controllers/testing';
import { SampleThingsService } from './service';

describe('SampleThingsService', () => {
  let service: SampleThingsService;

  beforeEach(async () => {
    const module = await Test.createTestingModule({ providers: [SampleThingsService] }).compile();
    service = module.get(SampleThingsService);
  });

  it('is made with what it needs', () => {
    assert.ok(service instanceof SampleThingsService);
  });
});
