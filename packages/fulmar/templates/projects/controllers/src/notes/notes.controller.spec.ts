import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type INestApplication } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
import { NotesModule } from './notes.module';

describe('NotesController', () => {
  let app: INestApplication;

  beforeEach(async () => {
    const module = await Test.createTestingModule({ imports: [NotesModule] }).compile();
    app = await module.createNestApplication().init();
  });
  afterEach(() => app.close());

  async function ask(method: string, path = '', body?: object): Promise<{ status: number; body: any }> {
    const { status, text } = await app.inject({ method, url: `/notes${path}`, ...(body && { body }) });
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  it('keeps one until it is removed', async () => {
    assert.deepEqual(await ask('POST', '', { title: 'first', isAdmin: true }), { status: 201, body: { id: 1, title: 'first', text: '' } });
    assert.deepEqual(await ask('GET', '/1'), { status: 200, body: { id: 1, title: 'first', text: '' } });
    assert.deepEqual(await ask('PATCH', '/1', { title: 'other' }), { status: 200, body: { id: 1, title: 'other', text: '' } });
    assert.deepEqual(await ask('PATCH', '/1', {}), { status: 200, body: { id: 1, title: 'other', text: '' } });
    assert.deepEqual(await ask('GET'), { status: 200, body: [{ id: 1, title: 'other', text: '' }] });
    assert.deepEqual(await ask('DELETE', '/1'), { status: 204, body: undefined });
    assert.equal((await ask('GET', '/1')).status, 404);
  });

  it('refuses what is not valid, and says why', async () => {
    const { status, body } = await ask('POST', '', { title: '' });
    assert.equal(status, 400);
    assert.deepEqual(body.message, ['title should not be empty']);
    await ask('POST', '', { title: 'first' });
    assert.equal((await ask('PATCH', '/1', { title: null })).status, 400);
    assert.equal((await ask('GET', '/first')).status, 400);
  });
});
