/**
 * Errors that cannot be told: what breaks while one is answered ends neither the process nor leaves a client waiting,
 * whoever has seen the request before.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Controller,
  createApplication,
  Get,
  HttpException,
  type LoggerService,
  type MiddlewareConsumer,
  Module,
  NestFactory,
  Param,
  Req,
} from '../../src/controllers/index.ts';

const circle: Record<string, unknown> = {};
circle['circle'] = circle;

const ERRORS: Readonly<Record<string, () => unknown>> = {
  circle: () => new HttpException(circle, 400),
  bigint: () => new HttpException({ value: 1n }, 400),
  getter: () => ({
    get statusCode(): number {
      throw new Error('inner');
    },
  }),
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  response: () =>
    Object.assign(new HttpException('a', 400), {
      getResponse: () => {
        throw new Error('inner');
      },
    }),
  none: () => Object.assign(new HttpException('a', 400), { getStatus: () => Number.NaN }),
  large: () => Object.assign(new Error('inner'), { statusCode: 1e9, status: 1e9, expose: true }),
  interim: () => new HttpException('inner', 103),
};

@Controller()
class Failing {
  @Get('light/:name')
  light(@Param('name') name: string): void {
    throw ERRORS[name]?.();
  }
  @Get('later/:name')
  async later(@Param('name') name: string, @Req() _req: unknown): Promise<void> {
    await Promise.resolve();
    throw ERRORS[name]?.();
  }
}

@Module({ controllers: [Failing] })
class WithMiddleware {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply((_req: unknown, _res: unknown, next: () => void) => next()).forRoutes('*');
  }
}

/** A log that fails, as one of JSON does for such errors. */
const failing: LoggerService = {
  log: () => undefined,
  warn: () => undefined,
  error: () => {
    throw new Error('no log');
  },
};

for (const [name, module] of [
  ['without', null],
  ['behind', WithMiddleware],
] as const)
  for (const logger of [false, failing] as const)
    test(`an error that cannot be told is 500, ${name} middleware, with a log that ${logger === false ? 'is none' : 'fails'}`, async () => {
      const app =
        module === null ? await createApplication({ controllers: [Failing], logger }) : await NestFactory.create(module, { logger });
      for (const error of Object.keys(ERRORS))
        for (const way of ['light', 'later'])
          for (const method of ['GET', 'HEAD']) {
            const reply = await app.inject({ method, url: `/${way}/${error}` });
            assert.equal(reply.status, 500, `${method} ${way} ${error}`);
            if (method === 'GET') assert.deepEqual(reply.json(), { statusCode: 500, message: 'Internal server error' });
          }
      await app.close();
    });
