/** Parts for themselves: settings, tokens, passwords, ranges, types, and a guard with a mock of its context. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reflector } from 'fulmar/controllers';
import { createMockExecutionContext, createMockRequest, createMockResponse } from 'fulmar/controllers/testing';
import { Passwords } from '../src/auth/passwords.ts';
import { RolesGuard } from '../src/auth/roles.guard.ts';
import { Tokens } from '../src/auth/tokens.ts';
import type { Role } from '../src/common/access.ts';
import { partOf } from '../src/files/range.ts';
import { isOfType } from '../src/files/types.ts';
import { readSettings } from '../src/settings/settings.ts';
import { UsersController } from '../src/users/users.controller.ts';
import { settingsFor } from './support.ts';

test('all that is wrong with the environment is told together', () => {
  assert.throws(() => readSettings({ NODE_ENV: 'production', PORT: 'x', TOKEN_SECRET: 'short', ADMIN_PASSWORD: 'short' }), {
    message: [
      'The environment does not fit:',
      '  PORT is a whole number from 0 on, and it is "x".',
      '  DATABASE_URL is missing: in production nothing is kept in memory alone. postgres://user:password@host:5432/name',
      '  TOKEN_SECRET has 32 characters or more, and it has 5: openssl rand -hex 32',
      '  ADMIN_EMAIL is missing, and there is an ADMIN_PASSWORD.',
      '  ADMIN_PASSWORD has 10 characters or more.',
    ].join('\n'),
  });
});

test('a token is read until it is too old, and by nobody who has another secret', () => {
  const tokens = new Tokens(settingsFor({ TOKEN_SECONDS: '60' }));
  const token = tokens.issue(7, 0);
  assert.deepEqual([tokens.read(token, 59_000), tokens.read(token, 60_000)], [7, null]);
  assert.equal(new Tokens(settingsFor()).read(token, 0), null);
});

test('a password fits its hash, however its letters are composed, and no other', async () => {
  const passwords = new Passwords();
  const sealed = await passwords.seal('pässword 42'.normalize('NFD'));
  assert.equal(await passwords.fits('pässword 42'.normalize('NFC'), sealed), true);
  assert.equal(await passwords.fits('password 42', sealed), false);
  assert.equal(await passwords.fits('password 42', null), false);
});

test('roles of a method are asked of the caller', () => {
  const guard = new RolesGuard(new Reflector());
  const allows = (member: 'list' | 'me', role?: Role): boolean =>
    guard.canActivate(
      createMockExecutionContext(createMockRequest(role === undefined ? {} : { user: { id: 1, role } }), createMockResponse(), {
        controller: UsersController,
        handler: UsersController.prototype[member],
      }),
    );
  assert.deepEqual([allows('list', 'admin'), allows('list', 'member'), allows('list'), allows('me', 'member')], [true, false, false, true]);
});

test('ranges and signatures', () => {
  assert.deepEqual(partOf('bytes=0-0', 1), { first: 0, last: 0 });
  assert.deepEqual([partOf('bytes=-0', 1), partOf('bytes=1-', 1), partOf('bytes=-5', 0)], ['none', 'none', 'none']);
  assert.deepEqual([partOf(undefined, 1), partOf('bytes=-', 1), partOf('bytes=1-0', 9)], [null, null, null]);
  assert.equal(isOfType('image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])), true);
  assert.equal(isOfType('image/jpeg', Buffer.from([0xff])), false);
  assert.equal(isOfType('text/html', Buffer.from('<')), false);
});
