/**
 * `GlobalExceptionFilter`, `NotFoundExceptionFilter`, `FileUploadExceptionFilter`, and filters that return a body.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  Controller,
  DatabaseExceptionFilter,
  FileUploadExceptionFilter,
  Get,
  GlobalExceptionFilter,
  HttpException,
  InternalServerErrorException,
  Module,
  type NestApplication,
  NestFactory,
  NotFoundException,
  NotFoundExceptionFilter,
  Param,
  Post,
  ServiceUnavailableException,
  UseFilters,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

const multer = createRequire(import.meta.url)('multer') as (options: object) => { single(field: string): unknown };
const SECRET = 'postgres://ada:secret@inside';

const ERRORS: Readonly<Record<string, () => unknown>> = {
  error: () => new TypeError(SECRET),
  text: () => SECRET,
  object: () => ({ statusCode: 503, message: SECRET }),
  exception: () => new InternalServerErrorException(SECRET),
  unavailable: () => new ServiceUnavailableException({ database: SECRET }),
  teapot: () => new HttpException({ short: 'stout' }, 418),
  bad: () => new BadRequestException(['name must be a text']),
  token: () => Object.assign(new Error(SECRET), { name: 'TokenExpiredError' }),
  casl: () => Object.assign(new Error(SECRET), { name: 'ForbiddenError' }),
  unique: () => Object.assign(new Error(SECRET), { code: '23505' }),
  missing: () => new NotFoundException('No such cat'),
  own: () => new NotFoundException({ nothing: true }),
};

@Catch(TypeError)
class Returning {
  catch(error: TypeError) {
    return Promise.resolve({ statusCode: 422, kind: error.name });
  }
}
@Catch()
class Sending {
  catch(_error: unknown, host: ArgumentsHost) {
    host.getResponse().status(409).json({ sent: true });
    return { statusCode: 500, returned: true };
  }
}

@Controller()
class Failing {
  @Get('returned')
  @UseFilters(Returning)
  returned(): never {
    throw new TypeError();
  }
  @Get('sent')
  @UseFilters(Sending)
  sent(): never {
    throw new TypeError();
  }
  @Get('without/status')
  @UseFilters({ catch: () => ({ why: 'because' }) })
  without(): never {
    throw new NotFoundException();
  }
  @Get(':name')
  get(@Param('name') name: string): never {
    throw (ERRORS[name] as () => unknown)();
  }
  @Post('upload')
  upload() {
    return 'done';
  }
}
@Module({ controllers: [Failing] })
class App {}

async function appOf(
  filters: readonly { catch(exception: any, host: ArgumentsHost): unknown }[],
  errors: unknown[] = [],
): Promise<NestApplication> {
  const logger = { log() {}, warn() {}, error: (...given: unknown[]) => void errors.push(given) };
  const app = kept(await NestFactory.create(App, { logger }));
  app.useGlobalFilters(...filters);
  return app;
}

const REPLIES: readonly (readonly [name: string, status: number, body: object])[] = [
  ['error', 500, { statusCode: 500, message: 'Internal server error' }],
  ['text', 500, { statusCode: 500, message: 'Internal server error' }],
  ['object', 503, { statusCode: 503, message: 'Service Unavailable' }],
  ['exception', 500, { statusCode: 500, message: 'Internal server error' }],
  ['unavailable', 503, { statusCode: 503, message: 'Service Unavailable' }],
  ['teapot', 418, { short: 'stout' }],
  ['bad', 400, { message: ['name must be a text'], error: 'Bad Request', statusCode: 400 }],
  ['token', 401, { message: 'Token expired', error: 'Unauthorized', statusCode: 401 }],
  ['casl', 403, { message: 'Forbidden', statusCode: 403 }],
  ['unique', 409, { message: 'It exists already', error: 'Conflict', statusCode: 409 }],
  ['missing', 404, { message: 'No such cat', error: 'Not Found', statusCode: 404 }],
];

test('a failure of the server tells its status alone, and the log all of it', async () => {
  const errors: unknown[] = [];
  const app = await appOf([new GlobalExceptionFilter()], errors);
  for (const [name, status, body] of REPLIES) {
    errors.length = 0;
    const reply = await app.inject(`/${name}`);
    assert.deepEqual([reply.status, reply.json()], [status, body], name);
    assert.equal(errors.length, status >= 500 ? 1 : 0, name);
  }
  assert.equal(
    (await app.inject('/token')).headers['www-authenticate'],
    'Bearer error="invalid_token", error_description="The access token expired"',
  );
  assert.deepEqual((await app.inject({ method: 'POST', url: '/nowhere/at/all' })).json(), {
    message: 'Cannot POST /nowhere/at/all',
    error: 'Not Found',
    statusCode: 404,
  });
});

test('a developer is shown what has failed, where it is asked for', async () => {
  const app = await appOf([new GlobalExceptionFilter({ development: true })]);
  const { stack, ...rest } = (await app.inject('/error')).json() as { stack: string[] };
  assert.deepEqual(rest, { statusCode: 500, message: SECRET, error: 'TypeError' });
  assert.match(stack.join('\n'), /global\.test/);
  assert.deepEqual((await app.inject('/text')).json(), { statusCode: 500, message: SECRET });
  assert.throws(() => new GlobalExceptionFilter({ development: 'yes' as never }), /development is true or false/);
});

test('the filters of an application answer alike in any order', async () => {
  const filters = [new DatabaseExceptionFilter(), new FileUploadExceptionFilter(), new GlobalExceptionFilter()];
  for (const order of [filters, filters.toReversed()]) {
    const app = await appOf(order);
    for (const [name, status, body] of REPLIES) {
      const reply = await app.inject(`/${name}`);
      assert.deepEqual([reply.status, reply.json()], [status, body], name);
    }
  }
});

test('what is not there is told with its path, and a body of one’s own as it is', async () => {
  const app = await appOf([new NotFoundExceptionFilter()]);
  const { timestamp, ...rest } = (await app.inject('/missing?token=1')).json() as { timestamp: string };
  assert.deepEqual(rest, { message: 'No such cat', error: 'Not Found', statusCode: 404, path: '/missing' });
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  assert.deepEqual((await app.inject('/own')).json(), { nothing: true });
  assert.equal((await app.inject('/bad')).status, 400);
});

test('a filter may return what is sent, and what it has sent itself stays', async () => {
  const app = await appOf([]);
  const bodies = await Promise.all(['/returned', '/sent', '/without/status'].map((url) => app.inject(url)));
  assert.deepEqual(
    bodies.map((reply) => [reply.status, reply.json()]),
    [
      [422, { statusCode: 422, kind: 'TypeError' }],
      [409, { sent: true }],
      [404, { why: 'because' }],
    ],
  );
});

test('what multer refuses as middleware is the client’s fault', async () => {
  const app = await appOf([new FileUploadExceptionFilter()]);
  app.use('/upload', multer({ limits: { fileSize: 10, files: 1 } }).single('file'));
  await app.listen(0, '127.0.0.1');
  const send = async (fields: Readonly<Record<string, string>>): Promise<unknown[]> => {
    const body = new FormData();
    for (const [name, text] of Object.entries(fields)) body.append(name, new Blob([text]), 'a.txt');
    const reply = await fetch(`${await app.getUrl()}/upload`, { method: 'POST', body });
    return [reply.status, await reply.text()];
  };
  assert.deepEqual(await send({ file: 'short' }), [201, 'done']);
  assert.deepEqual(await send({ file: 'much too long' }), [
    413,
    '{"message":"File too large","error":"Payload Too Large","statusCode":413}',
  ]);
  assert.deepEqual(await send({ other: 'x' }), [400, '{"message":"Unexpected file field - other","error":"Bad Request","statusCode":400}']);
  const broken = await fetch(`${await app.getUrl()}/upload`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'multipart/form-data' },
  });
  assert.equal(broken.status, 400);
});
