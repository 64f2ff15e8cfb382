/**
 * Routing of version 4: what the index answers is what path-to-regexp 0.1 says, and what tools replace is
 * called.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Application } from '../../../src/express/express4/application.ts';
import { isUntouched, type RouterEntry } from '../../../src/express/express4/entry.ts';
import express from '../../../src/express/express4/index.ts';
import { Layer } from '../../../src/express/express4/layer.ts';
import { toWalk } from '../../../src/express/express4/pattern.ts';
import { Router, type RouterInstance } from '../../../src/express/express4/router.ts';
import type { ExpressRequest, Handler } from '../../../src/express/message-types.ts';
import { type Walk, walkParams, walkPrefixLength } from '../../../src/express/router/pattern.ts';
import { type RequestPath, scanRequestPath } from '../../../src/express/router/request-path.ts';
import { MATCH_WALK, RouteIndex } from '../../../src/express/router/route-index.ts';

const handler = (() => undefined) as Handler;

function scan(url: string): RequestPath {
  const out: RequestPath = { path: '', isPlain: false, hasUpperCase: false, hasPercent: false };
  assert.equal(scanRequestPath({ url } as ExpressRequest, out), true);
  return out;
}

/** A small generator of its own, so that a failure names its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = [
  'a',
  'b',
  'A',
  'users',
  ':id',
  ':x',
  'a.b',
  'a-b',
  ':id?',
  ':id(\\d+)',
  '*',
  'a*',
  'ab?c',
  '(a|b)',
  'a+',
  '.',
  '%41',
  '~a@b',
  '',
];
const segments = ['a', 'b', 'A', 'B', 'users', 'USERS', '1', 'a.b', 'axb', 'a-b', '%41', 'abc', 'ac', 'aa', '~a@b', '.', ''];

function randomLayers(random: (below: number) => number): Layer[] {
  const layers: Layer[] = [];
  while (layers.length < 12) {
    const paths = Array.from({ length: random(6) === 0 ? 2 : 1 }, () => {
      const parts = Array.from({ length: 1 + random(3) }, () => words[random(words.length)] as string);
      return (random(8) === 0 ? '' : '/') + parts.join('/');
    });
    const end = random(3) > 0;
    const options = { end, sensitive: random(3) === 0, strict: end && random(4) === 0 };
    layers.push(new Layer(paths.length === 1 ? paths[0] : paths, options, handler));
  }
  return layers;
}

/** A candidate to be walked must match, with the expression's parameters and matched part. */
function assertWalk(layer: Layer, path: string, message: string): void {
  const walk = layer._patterns[0]?.walk as Walk;
  assert.equal(layer.match(path), true, `${message}: ${layer.regexp} does not match ${path}`);
  assert.deepEqual(walkParams(walk, path, {}), layer.params, `${message}: ${layer.regexp} on ${path}`);
  if (layer._patterns[0]?.options.end === false) {
    assert.equal(path.slice(0, walkPrefixLength(walk, path)), layer.path, `${message}: ${layer.regexp} on ${path}`);
  } else {
    assert.equal(layer.path, path, message);
  }
}

describe('the index over version 4 layers', () => {
  it('finds exactly what the expressions match, for random patterns and paths', () => {
    let walked = 0;
    for (let seed = 1; seed <= 500; seed++) {
      const random = createRandom(seed);
      const layers = randomLayers(random);
      const index = new RouteIndex(layers);
      for (let i = 0; i < 20; i++) {
        const path = `/${Array.from({ length: 1 + random(4) }, () => segments[random(segments.length)]).join('/')}`;
        const { positions, modes } = index.lookup(scan(path));
        const expected = layers.flatMap((layer, position) => (layer.match(path) ? [position] : []));
        assert.deepEqual(
          expected.filter((position) => !positions.includes(position)),
          [],
          `seed ${seed}, path ${path}`,
        );
        for (const [at, position] of positions.entries()) {
          if (modes[at] !== MATCH_WALK) continue;
          walked++;
          assertWalk(layers[position] as Layer, path, `seed ${seed}`);
        }
      }
    }
    assert.ok(walked > 1000, `only ${walked} matches were walked`);
  });

  it('leaves every pattern with a character that means something to the expression', () => {
    for (const path of [
      '/a*',
      '/a?',
      '/a+',
      '/(a)',
      '/:a?',
      '/:a*',
      '/:a(\\d)',
      '/:a-:b',
      '/:a.json',
      '/a:b',
      '/a\\b',
      '/[a]',
      '/a|b',
      '/^a',
      '/a$',
      '/{a}',
      '*',
      '',
      'a',
      '//',
      '/a//b',
      '/\u00e4',
    ]) {
      assert.equal(toWalk(path, { end: true }), null, path);
    }
    for (const path of ['/', '/a', '/a/', '/:a', '/a.b/:c_1/', "/~a@b,c;d=e&f%20g'!-"])
      assert.notEqual(toWalk(path, { end: true }), null, path);
  });

  it('asks a layer whose expression or match was replaced', () => {
    const expression = new Layer('/a', { end: true }, handler);
    expression.regexp = /^\/z$/;
    const match = new Layer('/a', { end: true }, handler);
    match.match = () => true;
    assert.deepEqual(new RouteIndex([expression, match]).lookup(scan('/z')).positions, [0, 1]);
  });
});

describe('the first two layers', () => {
  const create = (): { app: Application; router: RouterInstance; entry: RouterEntry } => {
    const app = express() as unknown as Application;
    app.lazyrouter();
    const router = app._router as RouterInstance;
    return { app, router, entry: router._entry as RouterEntry };
  };
  const changes: Record<string, (router: RouterInstance) => void> = {
    'the first one is wrapped': ({ stack }) => void ((stack[0] as unknown as Layer).handle = handler),
    'the second one is wrapped': ({ stack }) => void ((stack[1] as unknown as Layer).handle = handler),
    'a layer comes before them': ({ stack }) => void stack.unshift(new Layer('/', { end: false }, handler) as never),
    'one is removed': ({ stack }) => void stack.splice(1, 1),
    'one gets a handle_request of its own': ({ stack }) => void ((stack[0] as unknown as Layer).handle_request = () => undefined),
  };

  it('are left out while nothing about them has changed', () => {
    const { app, router, entry } = create();
    app.use(handler).get('/x', handler);
    assert.equal(isUntouched(entry, router._stack), true);
    assert.equal(router.stack.length, 4);
    assert.equal(isUntouched(entry, router._stack), true, 'also after somebody has looked');
  });

  for (const [change, apply] of Object.entries(changes)) {
    it(`are run like any other when ${change}`, () => {
      const { router, entry } = create();
      apply(router);
      assert.equal(isUntouched(entry, router._stack), false);
    });
  }

  it('are run like any other when the prototype of layers is patched', () => {
    const { router, entry } = create();
    const original = Layer.prototype.handle_request;
    Layer.prototype.handle_request = function patched(...args) {
      original.apply(this, args);
    };
    try {
      assert.equal(isUntouched(entry, router._stack), false);
    } finally {
      Layer.prototype.handle_request = original;
    }
    assert.equal(isUntouched(entry, router._stack), true);
  });
});

describe('members that tools replace', () => {
  const call = (router: RouterInstance, url: string): void =>
    router.handle({ url, method: 'GET' }, {}, (err) => {
      if (err) throw err as Error;
    });

  it('calls process_params for each layer, replaced on the router or on express.Router', () => {
    const seen: string[] = [];
    const original = Router.process_params;
    const router = new Router();
    router.use(function first(_req: unknown, _res: unknown, next: () => void) {
      next();
    } as never);
    (router as unknown as Record<string, (path: string, fn: unknown) => void>)['get']?.('/:id', () => seen.push('handler'));
    Router.process_params = function patched(this: RouterInstance, ...args) {
      seen.push(args[0].name);
      original.apply(this, args);
    };
    try {
      call(router, '/1');
    } finally {
      Router.process_params = original;
    }
    call(router, '/2');
    assert.deepEqual(seen, ['first', 'bound dispatch', 'handler', 'handler']);
  });

  it('calls handle_request and handle_error of layers, handle of wrapped layers and dispatch of routes', () => {
    const seen: string[] = [];
    const router = new Router();
    const methods = router as unknown as Record<string, (path: string, fn: unknown) => void>;
    methods['get']?.('/a', () => seen.push('a'));
    const route = router.route('/b');
    (route as unknown as Record<string, (fn: unknown) => void>)['get']?.(() => seen.push('b'));
    route.dispatch = () => void seen.push('dispatch');
    const [first] = router.stack as unknown as Layer[];
    const { handle } = first as Layer;
    (first as Layer).handle = function wrapped(...args: never[]) {
      seen.push('wrapped');
      Reflect.apply(handle, undefined, args);
    } as Handler;
    call(router, '/a');
    call(router, '/b');
    const inner = (first as Layer).route?.stack[0] as Layer;
    inner.handle_request = () => void seen.push('inner');
    call(router, '/a');
    // A route's layer is bound to `dispatch` when it is registered, as upstream's.
    assert.deepEqual(seen, ['wrapped', 'a', 'b', 'wrapped', 'inner']);
  });

  it('routes through a handle that was replaced on express.Router', () => {
    const seen: unknown[] = [];
    const original = Router.handle;
    const router = new Router();
    Router.handle = function patched(this: RouterInstance, ...args) {
      seen.push((args[0] as { url: string }).url);
      original.apply(this, args);
    };
    try {
      router({ url: '/x', method: 'GET' }, {}, () => seen.push('end'));
    } finally {
      Router.handle = original;
    }
    assert.equal(seen[0], '/x');
  });
});
