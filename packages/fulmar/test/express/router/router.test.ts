import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect, types } from 'node:util';
import type { Next } from '../../../src/express/message-types.ts';
import { Router } from '../../../src/express/router/router.ts';
import type { RouterInstance } from '../../../src/express/router/router-types.ts';

interface Answer {
  readonly seen: string[];
  readonly err: unknown;
}

type Handle = (req: { seen: string[]; params: object }, res: object, next: Next) => void;

const mark =
  (name: string): Handle =>
  (req, _res, next) => {
    req.seen.push(name);
    next();
  };

function ask(router: RouterInstance, url: string, method = 'GET'): Promise<Answer> {
  const seen: string[] = [];
  return new Promise((resolve) => router.handle({ method, url, seen }, {}, (err) => resolve({ seen, err })));
}

type Registrar = Record<string, (path: string, ...handlers: Handle[]) => RouterInstance>;
const on = (router: RouterInstance): Registrar => router as unknown as Registrar;

describe('Router', () => {
  it('honours layers added after the first request', async () => {
    const router = new Router();
    on(router).get?.('/a', mark('a'));
    assert.deepEqual((await ask(router, '/a')).seen, ['a']);
    on(router).get?.('/:x', mark('x'));
    assert.deepEqual((await ask(router, '/a')).seen, ['a', 'x']);
  });

  it('honours a splice of router.stack', async () => {
    const router = new Router();
    on(router).get?.('/a', mark('1'));
    on(router).get?.('/a', mark('2'));
    assert.deepEqual((await ask(router, '/a')).seen, ['1', '2']);
    router.stack.splice(0, 1);
    assert.deepEqual((await ask(router, '/a')).seen, ['2']);
    router.stack.length = 0;
    assert.deepEqual((await ask(router, '/a')).seen, []);
  });

  it('honours an array assigned to router.stack, and later changes of it', async () => {
    const router = new Router();
    on(router).get?.('/a', mark('1'));
    on(router).get?.('/a', mark('2'));
    const own = router.stack.filter((_, i) => i === 1);
    router.stack = own;
    assert.deepEqual((await ask(router, '/a')).seen, ['2']);
    own.pop();
    assert.deepEqual((await ask(router, '/a')).seen, []);
  });

  it('honours a layer put in the place of another, and the exchange of two', async () => {
    const router = new Router();
    const other = new Router();
    on(router).get?.('/a', mark('1'));
    on(router).get?.('/:x', mark('2'));
    on(other).get?.('/a', mark('3'));
    assert.deepEqual((await ask(router, '/a')).seen, ['1', '2']);
    router.stack.reverse();
    assert.deepEqual((await ask(router, '/a')).seen, ['2', '1']);
    router.stack[0] = other.stack[0] as (typeof router.stack)[0];
    assert.deepEqual((await ask(router, '/a')).seen, ['3', '1']);
  });

  it('lets a layer under way see that a layer behind it was removed', async () => {
    const router = new Router();
    router.use((_req: object, _res: object, next: Next) => {
      router.stack.splice(1, 1);
      next();
    });
    on(router).get?.('/a', mark('1'));
    on(router).get?.('/a', mark('2'));
    assert.deepEqual((await ask(router, '/a')).seen, ['2']);
  });

  it('has a stack that is an array like any other', () => {
    const router = new Router();
    assert.equal(inspect(router.stack, { showProxy: true }), '[]');
    assert.equal(types.isProxy(router.stack), false);
    router.use(mark('1'));
    assert.deepEqual(Reflect.ownKeys(router.stack), ['0', 'length']);
  });

  it('lets a layer under way see layers added behind it', async () => {
    const router = new Router();
    router.use((_req: object, _res: object, next: Next) => {
      on(router).get?.('/late', mark('late'));
      next();
    });
    assert.deepEqual((await ask(router, '/late')).seen, ['late']);
  });

  it('follows a handler that changes the target', async () => {
    const router = new Router();
    router.use((req: { url: string }, _res: object, next: Next) => {
      req.url = '/b';
      next();
    });
    on(router).get?.('/a', mark('a'));
    on(router).get?.('/b', mark('b'));
    assert.deepEqual((await ask(router, '/a')).seen, ['b']);
  });

  it('runs handlers that were wrapped after registration', async () => {
    const router = new Router();
    on(router).get?.('/a', mark('a'));
    const layer = router.stack[0] as unknown as { handle: Handle };
    const inner = layer.handle;
    layer.handle = (req, res, next) => {
      req.seen.push('wrapped');
      inner(req, res, next);
    };
    assert.deepEqual((await ask(router, '/a')).seen, ['wrapped', 'a']);
  });

  it('passes hundreds of synchronous layers without exhausting the stack', async () => {
    const router = new Router();
    for (let i = 0; i < 5000; i++) router.use(mark('m'));
    assert.equal((await ask(router, '/')).seen.length, 5000);
  });
});
