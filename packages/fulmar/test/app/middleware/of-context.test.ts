/**
 * `of(c)` of built-in middleware: what it has left for a request, typed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp } from '../../../src/app/index.ts';
import { basicAuth, bearerAuth, requestId } from '../../../src/app/middleware/index.ts';

const quiet = { logger: { error: () => {} } };
const bearer = { Authorization: 'Bearer secret' };
const basic = { Authorization: `Basic ${btoa('ada:secret')}` };

describe('of(c)', () => {
  it('of requestId() is the id of the reply', async () => {
    const ids = requestId();
    const app = createApp().use(ids);
    app.get('/', (c) => ids.of(c).toUpperCase());
    const reply = await app.inject('/');
    assert.equal(reply.text, String(reply.headers['x-request-id']).toUpperCase());
  });

  it('of bearerAuth() is what verify said', async () => {
    const users = bearerAuth<{ name: string }>({ verify: async () => ({ name: 'ada' }) });
    const app = createApp().use(users);
    app.get('/', (c) => users.of(c).name);
    assert.equal((await app.inject({ url: '/', headers: bearer })).text, 'ada');
  });

  it('of bearerAuth() with tokens is nobody', async () => {
    const users = bearerAuth({ tokens: ['secret'] });
    const app = createApp().use(users);
    app.get('/', (c) => ({ isNobody: users.of(c) === undefined }));
    assert.deepEqual((await app.inject({ url: '/', headers: bearer })).json(), { isNobody: true });
  });

  it('of basicAuth() is the name', async () => {
    const users = basicAuth({ users: { ada: 'secret' } });
    const app = createApp().use(users);
    app.get('/', (c) => users.of(c).toUpperCase());
    assert.equal((await app.inject({ url: '/', headers: basic })).text, 'ADA');
  });

  it('is an error where the middleware was not around', async () => {
    for (const [name, middleware] of Object.entries({
      requestId: requestId(),
      basicAuth: basicAuth({ users: { a: 'b' } }),
      bearerAuth: bearerAuth({ tokens: ['t'] }),
    })) {
      let thrown: unknown;
      const app = createApp(quiet);
      app.onError((error) => void (thrown = error));
      app.get('/', (c) => middleware.of(c) as string);
      assert.equal((await app.inject('/')).status, 500);
      assert.match(String(thrown), new RegExp(`${name}\\(\\) was not around this request`));
    }
  });

  it('knows each of several apart', async () => {
    const [one, two] = [requestId({ generate: () => '1' }), requestId({ header: 'X-Other', generate: () => '2' })];
    const app = createApp().use(one, two);
    app.get('/', (c) => [one.of(c), two.of(c)]);
    assert.deepEqual((await app.inject('/')).json(), ['1', '2']);
  });
});
