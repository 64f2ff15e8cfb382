/** The application as a whole, without a port and without a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'fulmar/controllers/testing';
import { Tokens } from '../src/auth/tokens.ts';
import { FeedService } from '../src/feed/feed.service.ts';
import type { NewUser } from '../src/users/user.ts';
import { UsersRepository } from '../src/users/users.repository.ts';
import { ADMIN, ask, logged, open } from './support.ts';

const ME = { email: 'noor@example.org', name: 'Noor', password: 'razorbill 42' };

test('who signs up is known by the token', async () => {
  const { app, close } = await open();
  const { status, body } = await ask(app, 'POST /api/v1/auth/sign-up', { json: ME });
  assert.equal(status, 201);
  assert.equal(body.user.password, undefined);
  const me = await ask(app, 'GET /api/v1/users/me', { token: body.token });
  assert.deepEqual([me.status, me.body], [200, body.user]);
  assert.equal((await ask(app, 'GET /api/v1/users/me')).status, 401);
  await close();
});

test('the account of the settings is an admin, others are not', async () => {
  const { app, close } = await open();
  const { body: admin } = await ask(app, 'POST /api/v1/auth/sign-in', { json: ADMIN });
  const { body: member } = await ask(app, 'POST /api/v1/auth/sign-up', { json: ME });
  const list = await ask(app, 'GET /api/v1/users?limit=1', { token: admin.token });
  assert.deepEqual([list.status, list.body.items.length, list.body.next], [200, 1, admin.user.id]);
  assert.equal((await ask(app, 'GET /api/v1/users', { token: member.token })).status, 403);
  await close();
});

test('what happens is told to the feed', async () => {
  const feed = createMock<FeedService>();
  const { app, close } = await open((builder) => builder.overrideProvider(FeedService).useValue(feed));
  const { body } = await ask(app, 'POST /api/v1/auth/sign-up', { json: ME });
  const told = feed.tell.mock.calls.map((call: { arguments: unknown[] }) => call.arguments);
  assert.deepEqual(told.at(-1), ['user-joined', { id: body.user.id, name: 'Noor' }]);
  await close();
});

test('an error of the repository is 500 and in the log, and tells nothing of the inside', async () => {
  const failing = createMock<UsersRepository>({
    findByEmail: async () => null,
    add: async (user: NewUser) => ({ ...user, id: 1, created: new Date() }),
    find: async () => Promise.reject(new Error('the password of the database is kittiwake')),
  });
  const { app, close } = await open((builder) => builder.overrideProvider(UsersRepository).useValue(failing));
  const { status, body } = await ask(app, 'GET /api/v1/users/me', { token: app.get(Tokens).issue(1) });
  assert.deepEqual([status, body], [500, { statusCode: 500, message: 'Internal server error' }]);
  assert.ok(logged.some((one) => /kittiwake/.test(String(one))));
  await close();
});
