/**
 * Habits of other frameworks: what is taken as there, and what is refused with the right word for it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp, HttpError } from '../../src/app/index.ts';
import { openapi } from '../../src/app/openapi/index.ts';
import { defineCases } from './case.ts';

defineCases('a status as second argument', [
  { name: 'of json()', app: (app) => app.get('/', (c) => c.json({ a: 1 }, 401)), ask: '/', expect: { status: 401, json: { a: 1 } } },
  { name: 'of text()', app: (app) => app.get('/', (c) => c.text('a', 402)), ask: '/', expect: { status: 402, text: 'a' } },
  { name: 'of html()', app: (app) => app.get('/', (c) => c.html('<p>', 403)), ask: '/', expect: { status: 403, text: '<p>' } },
  {
    name: 'goes before one that was set',
    app: (app) => app.get('/', (c) => c.status(201).json(1, 202)),
    ask: '/',
    expect: { status: 202 },
  },
  { name: 'that is none is an error', app: (app) => app.get('/', (c) => c.json(1, 99)), ask: '/', expect: { status: 500 } },
]);

async function reasonOf(handler: (c: never) => unknown): Promise<string> {
  let reason = '';
  const app = createApp({ logger: { error: (_line, error) => void (reason = (error as Error).message) } });
  app.get('/', handler as () => unknown);
  assert.equal((await app.inject('/')).status, 500);
  return reason;
}

describe('what cannot be meant', () => {
  it('is redirect() to nowhere', async () => {
    assert.match(
      await reasonOf((c: { redirect(to: unknown): unknown }) => c.redirect(undefined)),
      /takes a URL or a path, a text, and this is undefined/,
    );
  });

  it('is a Map or a Set as JSON', async () => {
    assert.match(await reasonOf(() => new Map([['a', 1]])), /A Map is no JSON: return Object.fromEntries\(map\)/);
    assert.match(await reasonOf(() => new Set([1])), /A Set is no JSON: return \[\.\.\.set\]/);
  });

  it('is an object for the message of an error', () => {
    assert.throws(() => new HttpError(409, { message: 'taken' } as never), /HttpError\(409\) takes a text, then options/);
  });

  it('is a callback of listen()', async () => {
    const app = createApp();
    await assert.rejects(
      (app.listen as (...given: unknown[]) => Promise<unknown>).call(app, 0, () => {}),
      /it gives a promise, await it/,
    );
    assert.equal(app.isListening, false);
  });
});

describe('a WebSocket', () => {
  it('is in no document of OpenAPI', async () => {
    const app = createApp().websocket('/live', { message() {} });
    app.get('/birds', () => []);
    const { paths } = await openapi(app, { info: { title: 'a', version: '1' } });
    assert.deepEqual(Object.keys(paths), ['/birds']);
  });
});
