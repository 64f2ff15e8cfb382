import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { NotFoundException } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
import { NotesService } from './notes.service';

describe('NotesService', () => {
  let service: NotesService;

  beforeEach(async () => {
    const module = await Test.createTestingModule({ providers: [NotesService] }).compile();
    service = module.get(NotesService);
  });

  it('finds what it was given', () => {
    const first = service.create({ title: 'first', text: '' });
    const second = service.create({ title: 'second', text: '' });
    assert.deepEqual(service.findAll(), [first, second]);
    assert.deepEqual(service.findOne(second.id), { id: 2, title: 'second', text: '' });
  });

  it('knows nothing of what is not there', () => {
    for (const act of [() => service.findOne(7), () => service.update(7, { title: 'other' }), () => service.remove(7)])
      assert.throws(act, NotFoundException);
  });
});
