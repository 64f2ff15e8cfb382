/** Signing up and in, what is wrong with it, and who may do what. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Archive } from './forms.ts';
import { SECRET } from './forms.ts';
import { asAdmin, PASSWORD, type Told, Visitor } from './visitor.ts';

export interface Case {
  readonly name: string;
  readonly play: (archive: Archive) => Promise<void>;
}

const statusOf = async (told: Promise<Told>): Promise<number> => (await told).status;

const sign = (said: string, secret = SECRET): string => createHmac('sha256', secret).update(`a1.${said}`).digest('base64url');
const tokenOf = (id: number, ends: number, secret?: string): string => {
  const said = Buffer.from(JSON.stringify([id, ends])).toString('base64url');
  return `a1.${said}.${sign(said, secret)}`;
};

export const accountCases: readonly Case[] = [
  {
    name: 'an account is made, known by its token, and takes another name',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp(undefined, 'Þórarinn 李小龙 🐦‍⬛');
      const { status, body } = await visitor.ask('/api/v1/users/me');
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['id', 'email', 'name', 'role', 'created']);
      assert.deepEqual([body.id, body.name, body.role], [visitor.id, 'Þórarinn 李小龙 🐦‍⬛', 'member']);
      const renamed = await visitor.ask('/api/v1/users/me', { method: 'PATCH', json: { name: 'ʻOkina' } });
      assert.deepEqual([renamed.status, renamed.body.name], [200, 'ʻOkina']);
      const again = await new Visitor(archive).signIn(body.email.toUpperCase(), PASSWORD);
      assert.equal(again.id, visitor.id);
    },
  },
  {
    name: 'an address that is taken is 409, whatever its case, and of two at the same time one is',
    async play(archive) {
      const json = (email: string) => ({ json: { email, name: 'x', password: PASSWORD } });
      const ask = (email: string) => new Visitor(archive).ask('/api/v1/auth/sign-up', json(email));
      const both = await Promise.all([ask('race@example.org'), ask('RACE@example.org')]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409]);
      const late = await ask('race@example.org');
      assert.deepEqual([late.status, late.body], [409, { message: 'It exists already', error: 'Conflict', statusCode: 409 }]);
    },
  },
  {
    name: 'what does not fit is 422 with each field, what is no JSON 400, what is too much 413',
    async play(archive) {
      const visitor = new Visitor(archive);
      const { status, body } = await visitor.ask('/api/v1/auth/sign-up', {
        json: { email: 'x', name: 'a\u0000b', password: 'short', role: 'admin' },
      });
      assert.equal(status, 422);
      assert.deepEqual([body.error, Object.keys(body.message).toSorted()], ['Unprocessable Entity', ['email', 'name', 'password', 'role']]);
      const raw = (text: string, type = 'application/json') =>
        visitor.ask('/api/v1/auth/sign-in', { body: text, headers: { 'Content-Type': type } });
      assert.equal(await statusOf(raw('{"email":')), 400);
      assert.equal(await statusOf(raw('{"__proto__":{"email":"a@example.org"}}')), 422);
      assert.equal(await statusOf(raw(JSON.stringify({ email: 'x'.repeat(200_000) }))), 413);
      assert.equal(await statusOf(raw('email=a', 'text/plain')), 422);
    },
  },
  {
    name: 'who has not signed in is 401: without a token, with one that is forged, of another secret, too old, or of nobody',
    async play(archive) {
      const now = Math.floor(Date.now() / 1000);
      const { id } = await new Visitor(archive).signUp();
      const good = tokenOf(id, now + 60);
      assert.equal(await statusOf(new Visitor(archive, good).ask('/api/v1/users/me')), 200);
      const [kind = '', said = '', signature = ''] = good.split('.');
      const other = Buffer.from(JSON.stringify([1, now + 60])).toString('base64url');
      const bad = [
        undefined,
        'x',
        tokenOf(id, now - 1),
        tokenOf(id, now + 60, 'another secret'),
        tokenOf(2 ** 30, now + 60),
        `${kind}.${other}.${signature}`,
      ];
      for (const token of [...bad, `${kind}.${said}.${signature}.`, `${kind}.${said}`, `${kind}..`]) {
        const told = await new Visitor(archive, token).ask('/api/v1/users/me');
        assert.deepEqual([told.status, told.body.message], [401, 'Sign in first'], String(token));
      }
      const { headers } = await new Visitor(archive).ask('/api/v1/users/me');
      assert.equal(headers.get('www-authenticate'), 'Bearer');
    },
  },
  {
    name: 'a wrong password and an unknown address are told alike',
    async play(archive) {
      await new Visitor(archive).signUp('known@example.org');
      const ask = (email: string) => new Visitor(archive).ask('/api/v1/auth/sign-in', { json: { email, password: 'not the one' } });
      const [wrong, unknown] = [await ask('known@example.org'), await ask('unknown@example.org')];
      assert.equal(wrong.status, 401);
      assert.equal(wrong.text, unknown.text);
    },
  },
  {
    name: 'roles: a member is 403 where an admin is needed, and is let in from the moment of being one',
    async play(archive) {
      const [admin, member, other] = [await asAdmin(archive), await new Visitor(archive).signUp(), await new Visitor(archive).signUp()];
      for (const path of ['/api/v1/users', `/api/v1/users/${other.id}`, '/api/v1/feed/listeners'])
        assert.equal(await statusOf(member.ask(path)), 403, path);
      assert.equal(await statusOf(member.ask(`/api/v1/users/${member.id}`)), 200);
      const role = `/api/v1/users/${member.id}/role`;
      assert.equal(await statusOf(member.ask(role, { method: 'PATCH', json: { role: 'admin' } })), 403);
      assert.equal(await statusOf(admin.ask(role, { method: 'PATCH', json: { role: 'owner' } })), 422);
      const { status, body } = await admin.ask(role, { method: 'PATCH', json: { role: 'admin' } });
      assert.deepEqual([status, body.role], [200, 'admin']);
      assert.equal(await statusOf(member.ask(`/api/v1/users/${other.id}`)), 200);
    },
  },
  {
    name: 'accounts come page by page, each once, while others sign up',
    async play(archive) {
      const admin = await asAdmin(archive);
      const mine = [];
      for (let count = 0; count < 5; count += 1) mine.push((await new Visitor(archive).signUp()).id);
      const seen: number[] = [];
      for (let next: number | null = 0; next !== null;) {
        const { status, body } = await admin.ask(`/api/v1/users?after=${next}&limit=2`);
        assert.equal(status, 200);
        assert.ok(body.items.length <= 2);
        seen.push(...body.items.map(({ id }: { id: number }) => id));
        next = body.next;
      }
      assert.deepEqual(
        seen,
        [...new Set(seen)].toSorted((one, other) => one - other),
      );
      for (const id of mine) assert.ok(seen.includes(id));
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=-1', 'after=99999999999', 'page=2'])
        assert.equal(await statusOf(admin.ask(`/api/v1/users?${query}`)), 422, query);
    },
  },
  {
    name: 'an account that is removed is nobody at once; an admin stays',
    async play(archive) {
      const [admin, member] = [await asAdmin(archive), await new Visitor(archive).signUp()];
      assert.equal(await statusOf(admin.ask(`/api/v1/users/${admin.id}`, { method: 'DELETE' })), 409);
      const gone = await admin.ask(`/api/v1/users/${member.id}`, { method: 'DELETE' });
      assert.deepEqual([gone.status, gone.text], [204, '']);
      assert.equal(await statusOf(admin.ask(`/api/v1/users/${member.id}`, { method: 'DELETE' })), 404);
      assert.equal(await statusOf(member.ask('/api/v1/users/me')), 401);
    },
  },
  {
    name: 'ids that are none are 400, paths that are none 404',
    async play(archive) {
      const admin = await asAdmin(archive);
      for (const id of ['x', '0', '-1', '1.5', '1_0', '2147483648', '99999999999999999999', '%00', "1'--"])
        assert.equal(await statusOf(admin.ask(`/api/v1/users/${id}`)), 400, id);
      for (const path of ['/', '/api', '/api/users/me', '/api/v3/users/me', '/api/v1/nothing', '/users'])
        assert.equal(await statusOf(admin.ask(path)), 404, path);
    },
  },
];
