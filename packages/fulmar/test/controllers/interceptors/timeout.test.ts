/**
 * `TimeoutInterceptor`: handlers that take too long, and those that do not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConflictException,
  Controller,
  Get,
  Module,
  NestFactory,
  TimeoutInterceptor,
  UseInterceptors,
} from '../../../src/controllers/index.ts';

let settle: ((error: Error) => void) | null = null;

@Controller()
class Slow {
  @Get('never')
  @UseInterceptors(new TimeoutInterceptor(1))
  never(): Promise<never> {
    return new Promise((_resolve, reject) => (settle = reject));
  }
  @Get('soon')
  @UseInterceptors(TimeoutInterceptor)
  soon(): Promise<object> {
    return Promise.resolve({ soon: true });
  }
  @Get('failed')
  @UseInterceptors(TimeoutInterceptor)
  failed(): Promise<never> {
    return Promise.reject(new ConflictException());
  }
}
@Module({ controllers: [Slow] })
class App {}

test('a handler that takes too long is answered for, and others as ever', async () => {
  const app = await NestFactory.create(App, { logger: false });
  const late = await app.inject('/never');
  assert.deepEqual([late.status, late.json()], [408, { message: 'Request Timeout', statusCode: 408 }]);
  // What comes later is nobody's, and does not end the process.
  (settle as unknown as (error: Error) => void)(new Error('later'));
  assert.deepEqual((await app.inject('/soon')).json(), { soon: true });
  assert.equal((await app.inject('/failed')).status, 409);
  await app.close();
});

test('a time that no timer takes is told when the interceptor is made', () => {
  for (const time of [0, -1, Number.NaN, 2 ** 31])
    assert.throws(() => new TimeoutInterceptor(time), /takes milliseconds above 0, up to 2147483647/);
});
