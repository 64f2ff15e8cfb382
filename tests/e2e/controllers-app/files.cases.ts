/** Files: received, given back in whole and in parts, refused, and gone when they are gone. */
import assert from 'node:assert/strict';
import type { Case } from './accounts.cases.ts';
import { ACCOUNT_BYTES_MAX, FILE_BYTES_MAX } from './forms.ts';
import { asAdmin, onDisk, until, Visitor } from './visitor.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('the rest of it')]);
const text = (value: string, filename = 'a.txt') => ({ name: 'file', filename, type: 'text/plain', value });

export const fileCases: readonly Case[] = [
  {
    name: 'a file is received and given back, with its name in any script',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const name = 'Þórshöfn 🐦 "ein" 日本.png';
      const {
        status,
        body,
        text: told,
      } = await visitor.upload([{ name: 'file', filename: name.replaceAll('"', '%22'), type: 'image/png', value: PNG }]);
      assert.equal(status, 201, told);
      assert.deepEqual({ ...body, created: '', id: 0 }, { id: 0, name, type: 'image/png', bytes: PNG.length, created: '' });
      const reply = await fetch(`${archive.url}/api/v1/files/${body.id}/content`, {
        headers: { Authorization: `Bearer ${visitor.token}` },
      });
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), PNG);
      assert.equal(reply.headers.get('content-type'), 'image/png');
      assert.match(
        reply.headers.get('content-disposition') ?? '',
        /^attachment; filename=".*"; filename\*=UTF-8''%C3%9E%C3%B3rsh%C3%B6fn%20%F0%9F%90%A6/,
      );
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual((await visitor.ask('/api/v1/files')).body, { items: [body], next: null });
    },
  },
  {
    name: 'a part of a content is 206, what is not in it 416, and who has it already is sent nothing',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const { body } = await visitor.upload([text('0123456789')]);
      const ask = async (headers: Record<string, string>) => {
        const reply = await visitor.ask(`/api/v1/files/${body.id}/content`, { headers });
        return [reply.status, reply.text, reply.headers.get('content-range')];
      };
      const etag = (await visitor.ask(`/api/v1/files/${body.id}/content`)).headers.get('etag') ?? '';
      assert.deepEqual(await ask({ Range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10']);
      assert.deepEqual(await ask({ Range: 'bytes=8-' }), [206, '89', 'bytes 8-9/10']);
      assert.deepEqual(await ask({ Range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10']);
      assert.deepEqual(await ask({ Range: 'bytes=5-999' }), [206, '56789', 'bytes 5-9/10']);
      assert.deepEqual(await ask({ Range: 'bytes=2-4', 'If-Range': etag }), [206, '234', 'bytes 2-4/10']);
      for (const whole of ['bytes=4-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', `bytes=${'9'.repeat(30)}-`])
        assert.deepEqual(await ask({ Range: whole }), [200, '0123456789', null], whole);
      assert.deepEqual(await ask({ Range: 'bytes=2-4', 'If-Range': '"older"' }), [200, '0123456789', null]);
      const [status, , range] = await ask({ Range: 'bytes=10-' });
      assert.deepEqual([status, range], [416, 'bytes */10']);
      assert.deepEqual(await ask({ 'If-None-Match': etag }), [304, '', null]);
      const head = await visitor.ask(`/api/v1/files/${body.id}/content`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '10']);
    },
  },
  {
    name: 'an empty file is one',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const { body } = await visitor.upload([text('')]);
      const { status, text: content, headers } = await visitor.ask(`/api/v1/files/${body.id}/content`);
      assert.deepEqual([status, content, headers.get('content-length')], [200, '', '0']);
      assert.equal((await visitor.ask(`/api/v1/files/${body.id}/content`, { headers: { Range: 'bytes=0-' } })).status, 416);
    },
  },
  {
    name: "others' files are 404, but for admins",
    async play(archive) {
      const [owner, other, admin] = [await new Visitor(archive).signUp(), await new Visitor(archive).signUp(), await asAdmin(archive)];
      const { body } = await owner.upload([text('mine')]);
      for (const path of [`/api/v1/files/${body.id}`, `/api/v1/files/${body.id}/content`]) {
        assert.equal((await other.ask(path)).status, 404);
        assert.equal((await admin.ask(path)).status, 200);
      }
      assert.equal((await other.ask(`/api/v1/files/${body.id}`, { method: 'DELETE' })).status, 404);
      assert.equal((await owner.ask(`/api/v1/files/${body.id}`, { method: 'DELETE' })).status, 204);
      assert.equal((await owner.ask(`/api/v1/files/${body.id}/content`)).status, 404);
    },
  },
  {
    name: 'what is too large is 413, of another type 415, no form 400, and nothing of it is kept',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const before = onDisk(archive);
      const refused: [number, Promise<{ status: number }>][] = [
        [413, visitor.upload([text('x'.repeat(FILE_BYTES_MAX + 1))])],
        [415, visitor.upload([{ name: 'file', filename: 'a.html', type: 'text/html', value: '<script>' }])],
        [415, visitor.upload([{ name: 'file', filename: 'a.png', type: 'image/png', value: '<script>' }])],
        [400, visitor.upload([{ name: 'other', filename: 'a.txt', type: 'text/plain', value: 'x' }])],
        [400, visitor.upload([text('one'), text('two')])],
        [400, visitor.upload([{ name: 'field', value: 'x' }])],
        [400, visitor.upload([])],
        [400, visitor.upload([text('x', '..')])],
        [400, visitor.upload([text('x')], { 'Content-Type': 'multipart/form-data' })],
        [400, visitor.ask('/api/v1/files', { json: { file: 'x' } })],
        [401, new Visitor(archive).upload([text('x')])],
      ];
      for (const [index, [expected, reply]] of refused.entries()) assert.equal((await reply).status, expected, `refused ${index}`);
      await until(() => onDisk(archive).incoming.length === 0);
      assert.deepEqual(onDisk(archive).kept.toSorted(), before.kept.toSorted());
    },
  },
  {
    name: 'names of files are no paths',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const { kept } = onDisk(archive);
      for (const [filename, name] of [
        ['../../../../etc/passwd', 'passwd'],
        ['..\\..\\windows.txt', 'windows.txt'],
        ['/etc/shadow', 'shadow'],
        ['a\u0085b.txt', 'ab.txt'],
        ['x'.repeat(300), 'x'.repeat(255)],
      ] as const) {
        const { status, body, text: told } = await visitor.upload([text('x', filename)]);
        assert.deepEqual([status, body?.name], [201, name], told);
      }
      const stored = onDisk(archive).kept.filter((one) => !kept.includes(one));
      assert.equal(stored.length, 5);
      for (const one of stored) assert.match(one, /^[\da-f-]{36}$/);
    },
  },
  {
    name: 'of two uploads at the same time, of which one has room, one is 409 and leaves nothing',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const before = onDisk(archive).kept.length;
      const part = [text('x'.repeat(ACCOUNT_BYTES_MAX / 2 + 1))];
      const both = await Promise.all([visitor.upload(part), visitor.upload(part)]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409]);
      assert.equal(onDisk(archive).kept.length, before + 1);
      assert.deepEqual((await visitor.ask('/api/v2/files/usage')).body, {
        files: 1,
        bytes: ACCOUNT_BYTES_MAX / 2 + 1,
        bytesMax: ACCOUNT_BYTES_MAX,
      });
      assert.deepEqual((await visitor.ask('/api/v1/files/usage')).body, { bytes: ACCOUNT_BYTES_MAX / 2 + 1 });
    },
  },
  {
    name: 'an upload whose client leaves half-way is no file',
    async play(archive) {
      const visitor = await new Visitor(archive).signUp();
      const before = onDisk(archive).kept.length;
      const upload = await visitor.beginUpload('half.txt');
      await upload.leave();
      await until(() => onDisk(archive).incoming.length === 0);
      assert.equal(onDisk(archive).kept.length, before);
      assert.deepEqual((await visitor.ask('/api/v1/files')).body, { items: [], next: null });
    },
  },
  {
    name: 'with an account its files go',
    async play(archive) {
      const [admin, owner] = [await asAdmin(archive), await new Visitor(archive).signUp()];
      const before = onDisk(archive).kept.length;
      const { body } = await owner.upload([text('gone soon')]);
      assert.equal(onDisk(archive).kept.length, before + 1);
      assert.equal((await admin.ask(`/api/v1/users/${owner.id}`, { method: 'DELETE' })).status, 204);
      assert.equal(onDisk(archive).kept.length, before);
      assert.equal((await admin.ask(`/api/v1/files/${body.id}`)).status, 404);
    },
  },
];
