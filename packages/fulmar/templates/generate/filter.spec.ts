import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Controller, Get, NotFoundException, UseFilters } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
import { SampleThingsFilter } from './filter';

@Controller()
@UseFilters(SampleThingsFilter)
class TestedController {
  @Get()
  get(): never {
    throw new NotFoundException('Nobody is at home');
  }
}

describe('SampleThingsFilter', () => {
  it('answers what is thrown', async () => {
    const module = await Test.createTestingModule({ controllers: [TestedController] }).compile();
    const app = await module.createNestApplication().init();
    const reply = await app.inject('/');
    assert.equal(reply.status, 404);
    assert.equal(reply.text, '{"statusCode":404,"message":"Nobody is at home"}');
    await app.close();
  });
});
