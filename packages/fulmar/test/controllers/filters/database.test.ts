/**
 * `DatabaseExceptionFilter`: refusals of databases as replies that tell nothing of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Controller,
  DatabaseExceptionFilter,
  ForbiddenException,
  Get,
  Module,
  NestFactory,
  Param,
  UseFilters,
} from '../../../src/controllers/index.ts';

const SECRET = 'Key (email)=(ada@example.org) already exists in table users';
const failure = (members: object): Error => Object.assign(new Error(SECRET), members);

const ERRORS: Readonly<Record<string, { readonly error: Error; readonly status: number }>> = {
  'pg unique': { error: failure({ code: '23505' }), status: 409 },
  'pg foreign key': { error: failure({ code: '23503' }), status: 409 },
  'pg not null': { error: failure({ code: '23502' }), status: 400 },
  'pg check': { error: failure({ code: '23514' }), status: 400 },
  'mysql unique': { error: failure({ code: 'ER_DUP_ENTRY', errno: 1062 }), status: 409 },
  'mysql foreign key': { error: failure({ code: 'ER_NO_REFERENCED_ROW_2' }), status: 409 },
  'mysql not null': { error: failure({ code: 'ER_BAD_NULL_ERROR' }), status: 400 },
  'better-sqlite3 unique': { error: failure({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }), status: 409 },
  'node:sqlite foreign key': { error: failure({ code: 'ERR_SQLITE_ERROR', errcode: 787 }), status: 409 },
  'sqlite3 not null': {
    error: Object.assign(new Error('SQLITE_CONSTRAINT: NOT NULL constraint failed: users.email'), { code: 'SQLITE_CONSTRAINT' }),
    status: 400,
  },
  'prisma unique': { error: failure({ code: 'P2002' }), status: 409 },
  'prisma missing': { error: failure({ code: 'P2025' }), status: 404 },
  'wrapped by a mapper': { error: new Error('Failed query: insert', { cause: failure({ code: '23505' }) }), status: 409 },
  'wrapped as TypeORM does': { error: failure({ driverError: failure({ code: '23502' }) }), status: 400 },
  'something else': { error: failure({ code: '08006' }), status: 500 },
  'an exception': { error: new ForbiddenException(), status: 403 },
};

@Controller()
@UseFilters(DatabaseExceptionFilter)
class Failing {
  @Get(':name')
  get(@Param('name') name: string): never {
    throw (ERRORS[name] as { error: Error }).error;
  }
}
@Module({ controllers: [Failing] })
class App {}

test('what a database refuses is told by a status, and nothing of the database', async () => {
  const app = await NestFactory.create(App, { logger: false });
  for (const [name, { status }] of Object.entries(ERRORS)) {
    const reply = await app.inject(`/${encodeURIComponent(name)}`);
    assert.equal(reply.status, status, name);
    assert.equal((reply.json() as { statusCode: number }).statusCode, status, name);
    assert.doesNotMatch(reply.text, /ada@|users|email|insert/, name);
  }
  await app.close();
});

test('an error that is its own cause ends', async () => {
  const circle = failure({}) as Error & { cause?: unknown };
  circle.cause = circle;
  const app = await NestFactory.create(App, { logger: false });
  (ERRORS as Record<string, object>)['circle'] = { error: circle, status: 500 };
  assert.equal((await app.inject('/circle')).status, 500);
  await app.close();
});
