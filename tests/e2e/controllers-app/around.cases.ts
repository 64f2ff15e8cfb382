/** The feed, health, the document, the log. */
import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Case } from './accounts.cases.ts';
import { asAdmin, until, Visitor } from './visitor.ts';

const listeners = async (admin: Visitor): Promise<number> => (await admin.ask('/api/v1/feed/listeners')).body.listeners;

export const aroundCases: readonly Case[] = [
  {
    name: 'the feed tells what happens, what was missed meanwhile, and notices who leaves',
    async play(archive) {
      const admin = await asAdmin(archive);
      assert.equal((await new Visitor(archive).ask('/api/v1/feed')).status, 401);
      assert.equal(await listeners(admin), 0);
      const [one, other] = [await admin.follow(), await admin.follow()];
      assert.equal(await listeners(admin), 2);
      const visitor = await new Visitor(archive).signUp(undefined, 'line\u2028separator 🐦');
      const first = await one.next();
      assert.deepEqual([first?.type, first?.data], ['user-joined', { id: visitor.id, name: 'line\u2028separator 🐦' }]);
      assert.deepEqual(await other.next(), first);
      one.leave();
      await until(async () => (await listeners(admin)) === 1);
      const { body } = await visitor.upload([{ name: 'file', filename: 'a.txt', type: 'text/plain', value: 'x' }]);
      const added = await other.next();
      assert.deepEqual([added?.type, added?.data], ['file-added', { id: body.id, owner: visitor.id, name: 'a.txt' }]);
      const back = await admin.follow(first?.id);
      assert.deepEqual(await back.next(), added);
      for (const following of [other, back]) following.leave();
      await until(async () => (await listeners(admin)) === 0);
    },
  },
  {
    name: 'health is told to everyone, below no prefix',
    async play(archive) {
      const visitor = new Visitor(archive);
      assert.deepEqual((await visitor.ask('/health/live')).body, { status: 'ok' });
      const ready = await visitor.ask('/health/ready');
      assert.deepEqual([ready.status, ready.body.status], [200, 'ok']);
      assert.equal((await visitor.ask('/api/health/live')).status, 404);
    },
  },
  {
    name: 'the document is valid, has all routes and says who may call them',
    async play(archive) {
      const visitor = new Visitor(archive);
      const { body } = await visitor.ask('/docs-json');
      const { valid, errors } = await new Validator().validate(body);
      assert.ok(valid, JSON.stringify(errors));
      assert.deepEqual(
        Object.entries(body.paths)
          .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
          .toSorted(),
        [
          'delete /api/v1/files/{id}',
          'delete /api/v1/users/{id}',
          'get /api/v1/feed',
          'get /api/v1/feed/listeners',
          'get /api/v1/files',
          'get /api/v1/files/usage',
          'get /api/v1/files/{id}',
          'get /api/v1/files/{id}/content',
          'get /api/v1/users',
          'get /api/v1/users/me',
          'get /api/v1/users/{id}',
          'get /api/v2/files/usage',
          'get /health/live',
          'get /health/ready',
          'patch /api/v1/users/me',
          'patch /api/v1/users/{id}/role',
          'post /api/v1/auth/sign-in',
          'post /api/v1/auth/sign-up',
          'post /api/v1/files',
        ],
      );
      assert.deepEqual(body.paths['/api/v1/users'].get.security, [{ bearer: [] }]);
      assert.equal(body.paths['/api/v1/auth/sign-up'].post.security, undefined);
      assert.match((await visitor.ask('/docs')).text, /swagger-ui-bundle\.js/);
      assert.equal((await visitor.ask('/docs/swagger-ui-bundle.js')).status, 200);
    },
  },
];
