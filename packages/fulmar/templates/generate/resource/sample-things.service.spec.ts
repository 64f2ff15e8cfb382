import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { NotFoundException } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
import { SampleThingsService } from './sample-things.service';

describe('SampleThingsService', () => {
  let service: SampleThingsService;

  beforeEach(async () => {
    const module = await Test.createTestingModule({ providers: [SampleThingsService] }).compile();
    service = module.get(SampleThingsService);
  });

  it('finds what it was given', () => {
    const first = service.create({ name: 'first' });
    const second = service.create({ name: 'second' });
    assert.deepEqual(service.findAll(), [first, second]);
    assert.deepEqual(service.findOne(second.id), { id: 2, name: 'second' });
  });

  it('knows nothing of what is not there', () => {
    for (const act of [() => service.findOne(7), () => service.update(7, { name: 'other' }), () => service.remove(7)])
      assert.throws(act, NotFoundException);
  });
});
