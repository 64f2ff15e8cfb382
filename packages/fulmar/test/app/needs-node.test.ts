/**
 * Hosts without Node's modules: what needs them says so, and what does not goes on.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { compress, proxy, staticFiles } from '../../src/app/middleware/index.ts';

describe('without modules of Node', () => {
  const { getBuiltinModule } = process;
  const logged: unknown[] = [];
  const app = createApp({ logger: { error: (_, error) => logged.push(error) } });
  before(() => {
    app.post('/multipart', (c) => c.body.multipart());
    app.post('/form', async (c) => [...(await c.body.form())]);
    process.getBuiltinModule = undefined as never;
  });
  after(() => {
    process.getBuiltinModule = getBuiltinModule;
  });

  it('compress() says so', () =>
    assert.throws(() => compress(), /compress\(\) needs modules of Node's.*leave compression to the platform/));
  it('staticFiles() says so', () => assert.throws(() => staticFiles('public'), /staticFiles\(\) needs modules of Node's/));

  for (const [what, read] of [
    ['multipart()', '/multipart'],
    ['form()', '/form'],
  ] as const) {
    it(`${what} of parts says so in the log`, async () => {
      const body = new FormData();
      body.append('a', '1');
      const reply = await app.fetch(new Request(`http://localhost${read}`, { method: 'POST', body }));
      assert.equal(reply.status, 500);
      assert.match(String(logged.at(-1)), /take c\.request\.formData\(\)/);
    });
  }

  it('proxy() asks by fetch', async (t) => {
    const asked: string[] = [];
    t.mock.method(globalThis, 'fetch', (request: Request) => {
      asked.push(request.url);
      return Promise.resolve(new Response('answer'));
    });
    app.get('/to/*path', proxy('http://upstream.example/v1'));
    assert.equal((await app.inject('/to/a?b')).text, 'answer');
    assert.deepEqual(asked, ['http://upstream.example/v1/a?b']);
  });
});
