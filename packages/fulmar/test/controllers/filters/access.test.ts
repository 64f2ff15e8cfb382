/**
 * `AuthenticationExceptionFilter` and `AuthorizationExceptionFilter`, with errors as libraries throw them.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { HttpError } from '../../../src/app/index.ts';
import {
  type ArgumentsHost,
  AuthenticationExceptionFilter,
  AuthorizationExceptionFilter,
  ConflictException,
  Controller,
  ForbiddenException,
  Get,
  Module,
  type NestApplication,
  NestFactory,
  Param,
  Res,
  UnauthorizedException,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

const jwt = createRequire(import.meta.url)('jsonwebtoken') as Record<'sign' | 'verify', (...given: unknown[]) => string>;
const SECRET = 'audience-of-the-inside';
const named = (name: string, members: object = {}): Error => Object.assign(new Error(SECRET), { name, ...members });
const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
const token = jwt.sign({ exp: 1 }, 'key');

const ERRORS: Readonly<Record<string, () => unknown>> = {
  expired: () => thrown(() => jwt.verify(token, 'key')),
  forged: () => thrown(() => jwt.verify(token, 'other')),
  malformed: () => thrown(() => jwt.verify('x', 'key')),
  audience: () => thrown(() => jwt.verify(jwt.sign({ aud: 'a' }, 'key'), 'key', { audience: SECRET })),
  early: () => thrown(() => jwt.verify(jwt.sign({}, 'key', { notBefore: 1000 }), 'key')),
  jose: () => named('JWTExpired', { code: 'ERR_JWT_EXPIRED' }),
  'express-jwt': () => named('UnauthorizedError', { status: 401, code: 'credentials_required' }),
  passport: () => named('AuthenticationError', { status: 401 }),
  'http-errors 401': () => named('UnauthorizedError', { status: 401, statusCode: 401, expose: true }),
  'of the app': () => new HttpError(401, 'Who are you?'),
  exception: () => new UnauthorizedException('Sign in first'),
  casl: () => named('ForbiddenError'),
  csrf: () => named('ForbiddenError', { status: 403, statusCode: 403, expose: true, code: 'EBADCSRFTOKEN' }),
  forbidden: () => new ForbiddenException('Admins only'),
  // Of another service, to us.
  upstream: () => named('AxiosError', { status: 401, response: { status: 401 } }),
  conflict: () => new ConflictException(),
  text: () => 'a text',
  nothing: () => null,
};

@Controller()
class Failing {
  @Get('set')
  set(@Res({ passthrough: true }) res: { set(name: string, value: string): void }): never {
    res.set('WWW-Authenticate', 'Digest realm="own"');
    throw new UnauthorizedException();
  }
  @Get(':name')
  get(@Param('name') name: string): never {
    throw (ERRORS[name] as () => unknown)();
  }
}
@Module({ controllers: [Failing] })
class App {}

async function appOf(...filters: { catch(exception: unknown, host: ArgumentsHost): unknown }[]): Promise<NestApplication> {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalFilters(...filters);
  return app;
}

type Row = readonly [name: string, status: number, message: string, challenge: string | undefined];
const INVALID = 'Bearer realm="cats", error="invalid_token"';
const ROWS: readonly Row[] = [
  ['expired', 401, 'Token expired', `${INVALID}, error_description="The access token expired"`],
  ['forged', 401, 'Invalid token', INVALID],
  ['malformed', 401, 'Invalid token', INVALID],
  ['audience', 401, 'Invalid token', INVALID],
  ['early', 401, 'Invalid token', INVALID],
  ['jose', 401, 'Token expired', `${INVALID}, error_description="The access token expired"`],
  ['express-jwt', 401, 'Unauthorized', 'Bearer realm="cats"'],
  ['passport', 401, 'Unauthorized', 'Bearer realm="cats"'],
  ['http-errors 401', 401, 'Unauthorized', 'Bearer realm="cats"'],
  ['of the app', 401, 'Unauthorized', 'Bearer realm="cats"'],
  ['exception', 401, 'Sign in first', 'Bearer realm="cats"'],
  ['casl', 403, 'Forbidden', undefined],
  ['csrf', 403, 'Forbidden', undefined],
  ['forbidden', 403, 'Admins only', undefined],
  ['upstream', 500, 'Internal server error', undefined],
  ['conflict', 409, 'Conflict', undefined],
  ['text', 500, 'Internal server error', undefined],
  ['nothing', 500, 'Internal server error', undefined],
];

test('who is not known is 401, who may not is 403, and nothing of what was expected is told', async () => {
  const app = await appOf(new AuthenticationExceptionFilter({ realm: 'cats' }), new AuthorizationExceptionFilter());
  for (const [name, status, message, challenge] of ROWS) {
    const reply = await app.inject(`/${encodeURIComponent(name)}`);
    assert.deepEqual(
      [reply.status, (reply.json() as { message: string }).message, reply.headers['www-authenticate']],
      [status, message, challenge],
      name,
    );
    assert.doesNotMatch(reply.text, new RegExp(SECRET), name);
  }
});

test('what they do not know is left to other filters, whichever stands first', async () => {
  const other = { catch: () => ({ statusCode: 418, of: 'other' }) };
  for (const filters of [
    [new AuthenticationExceptionFilter(), new AuthorizationExceptionFilter(), other],
    [other, new AuthorizationExceptionFilter(), new AuthenticationExceptionFilter()],
  ]) {
    const app = await appOf(...filters);
    assert.deepEqual((await app.inject('/conflict')).json(), { statusCode: 418, of: 'other' });
    if (filters[0] === other) assert.equal((await app.inject('/forged')).status, 401);
  }
});

test('a challenge that is there stays, and another scheme has no errors of Bearer', async () => {
  const app = await appOf(new AuthenticationExceptionFilter({ scheme: 'Basic' }));
  assert.equal((await app.inject('/set')).headers['www-authenticate'], 'Digest realm="own"');
  assert.equal((await app.inject('/expired')).headers['www-authenticate'], 'Basic');
  assert.throws(() => new AuthenticationExceptionFilter({ realm: 'a"b' }), /realm is a text of ASCII without quotes/);
  assert.throws(() => new AuthenticationExceptionFilter({ scheme: 'a b' }), /scheme is a word/);
});
