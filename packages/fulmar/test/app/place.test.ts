/**
 * Where a route was registered: told when it is asked for, right from each way to register one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, createApp } from '../../src/app/index.ts';

/** The line of this file that `register` was called in, from a stack of its own. */
function lineOf(register: (app: App) => Error): [told: string | undefined, own: string] {
  const app = createApp();
  const { stack = '' } = register(app);
  const own = /place\.test\.ts:(\d+)/.exec(stack)?.[1] ?? 'none';
  return [[...app.routes()].at(-1)?.place?.replace(/^.*place\.test\.ts:/, ''), own];
}

describe('the place of a route', () => {
  const ways: readonly [string, (app: App) => Error][] = [
    ['get', (app) => (app.get('/', () => 1), new Error())],
    ['all', (app) => (app.all('/', () => 1), new Error())],
    ['on', (app) => (app.on(['PUT', 'PATCH'], '/', () => 1), new Error())],
    ['mount', (app) => (app.mount('/x', (_request: Request) => new Response('')), new Error())],
    [
      'get with middleware',
      (app) => (
        app.get(
          '/',
          (_c, next) => next(),
          () => 1,
        ),
        new Error()
      ),
    ],
    [
      'get in a group',
      (app) => {
        let error = new Error();
        app.group('/g', (inner) => {
          inner.get('/', () => 1);
          error = new Error();
        });
        return error;
      },
    ],
    [
      'get in a plugin',
      (app) => {
        let error = new Error();
        app.register((inner) => {
          inner.get('/', () => 1);
          error = new Error();
        });
        return error;
      },
    ],
  ];
  for (const [name, register] of ways) {
    it(`is that of the call of ${name}`, () => {
      const [told, own] = lineOf(register);
      // The formatter may put the two on lines that follow each other.
      assert.ok(Math.abs(Number(told) - Number(own)) <= 6, `${told} is not at ${own}`);
    });
  }

  it('leaves the limit of stacks as it was', () => {
    const { stackTraceLimit } = Error;
    createApp().get('/', () => 1);
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });

  it('is told by both of two routes that are alike, of thousands', () => {
    const app = createApp();
    for (let n = 0; n < 5000; n += 1) app.get(`/${n}/:id`, () => n);
    assert.throws(
      () => app.get('/4999/:other', () => 1),
      /GET \/4999\/:other \(.*place\.test\.ts:\d+\) and GET \/4999\/:id \(.*place\.test\.ts:\d+\)/,
    );
  });

  it('does not matter where it is not known', () => {
    const { stackTraceLimit } = Error;
    const { captureStackTrace } = Error;
    try {
      Error.captureStackTrace = (target) => void Object.assign(target, { stack: '' });
      const app = createApp().get('/', () => 1);
      assert.throws(() => app.get('/', () => 1), /GET \/ \(an unknown place\)/);
      assert.equal([...app.routes()][0]?.place, undefined);
    } finally {
      Object.assign(Error, { captureStackTrace, stackTraceLimit });
    }
  });

  it('of 5,000 routes each is found', async () => {
    const app = createApp();
    for (let n = 0; n < 5000; n += 1) app.get(`/a${n}/:id`, (c) => `${n} ${c.params.id}`);
    for (const n of [0, 1, 2500, 4999]) assert.equal((await app.inject(`/a${n}/x`)).text, `${n} x`);
  });
});
