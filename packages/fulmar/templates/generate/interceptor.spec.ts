import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Controller, Get, UseInterceptors } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
import { SampleThingsInterceptor } from './interceptor';

@Controller()
@UseInterceptors(SampleThingsInterceptor)
class TestedController {
  @Get()
  get(): string {
    return 'handled';
  }
}

describe('SampleThingsInterceptor', () => {
  it('hands on what the handler gives', async () => {
    const module = await Test.createTestingModule({ controllers: [TestedController] }).compile();
    const app = await module.createNestApplication().init();
    assert.equal((await app.inject('/')).text, 'handled');
    await app.close();
  });
});
