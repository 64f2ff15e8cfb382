import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadRequestException, ValidationPipe } from 'fulmar/controllers';
import { SampleThingsDto } from './dto';

describe('SampleThingsDto', () => {
  const pipe = new ValidationPipe({ whitelist: true, transform: true });
  const check = (value: unknown) => pipe.transform(value, { type: 'body', metatype: SampleThingsDto });

  it('takes what it declares, and nothing else', async () => {
    assert.deepEqual({ ...(await check({ name: 'Ada', isAdmin: true })) }, { name: 'Ada' });
  });

  it('refuses what is missing or wrong', async () => {
    for (const value of [{}, { name: '' }, { name: 7 }]) await assert.rejects(check(value), BadRequestException);
  });
});
