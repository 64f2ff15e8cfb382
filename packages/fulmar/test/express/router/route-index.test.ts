import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { match as compileMatch } from 'path-to-regexp';
import type { Handler } from '../../../src/express/message-types.ts';
import { Layer } from '../../../src/express/router/layer.ts';
import { scanRequestPath, type RequestPath } from '../../../src/express/router/request-path.ts';
import { type Walk, walkParams, walkPrefixLength } from '../../../src/express/router/pattern.ts';
import { MATCH_WALK, RouteIndex } from '../../../src/express/router/route-index.ts';
import type { ExpressRequest } from '../../../src/express/message-types.ts';

const handler = (() => undefined) as Handler;
const ROUTE = { end: true } as const;
const MOUNT = { end: false } as const;

function scan(url: string): RequestPath {
  const out: RequestPath = { path: '', isPlain: false, hasUpperCase: false, hasPercent: false };
  assert.equal(scanRequestPath({ url } as ExpressRequest, out), true);
  return out;
}

/** Positions of the candidates that really match. */
function matching(layers: readonly Layer[], path: string): number[] {
  const chain = new RouteIndex(layers).lookup(scan(path));
  return chain.positions.filter((position) => layers[position]?.match(path));
}

/** A small generator of its own, so that a failure names its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A candidate to be walked must match, with the regular expression's parameters and matched part. */
function assertWalk(layer: Layer, path: string, message: string): void {
  const found = layer.match(path);
  assert.ok(found, `${message}: ${String(layer.rawPath)} does not match ${path}`);
  const walk = layer._patterns[0]?.walk as Walk;
  assert.deepEqual(walkParams(walk, path, Object.create(null)), found.params, `${message}: ${String(layer.rawPath)} on ${path}`);
  if (layer._patterns[0]?.options.end === false) {
    assert.equal(path.slice(0, walkPrefixLength(walk, path)), found.path, message);
  }
}

describe('RouteIndex', () => {
  it('finds a static route, a parameter route and a mount in stack order', () => {
    const layers = [
      new Layer('/', MOUNT, handler),
      new Layer('/users/:id', ROUTE, handler),
      new Layer('/users/me', ROUTE, handler),
      new Layer('/users', MOUNT, handler),
      new Layer('/posts', ROUTE, handler),
    ];
    assert.deepEqual(matching(layers, '/users/me'), [0, 1, 2, 3]);
    assert.deepEqual(matching(layers, '/users/7'), [0, 1, 3]);
    assert.deepEqual(matching(layers, '/posts'), [0, 4]);
  });

  it('asks only the candidates of a path, however many routes there are', () => {
    const layers = Array.from({ length: 1000 }, (_, i) => new Layer(`/r${i}/:id`, ROUTE, handler));
    const chain = new RouteIndex(layers).lookup(scan('/r999/5'));
    assert.deepEqual(chain.positions, [999]);
  });

  it('answers the same chain for a path that is asked for again', () => {
    const index = new RouteIndex([new Layer('/a', ROUTE, handler), new Layer('/:x', ROUTE, handler)]);
    assert.equal(index.lookup(scan('/a')), index.lookup(scan('/a')));
    assert.equal(index.lookup(scan('/p1')), index.lookup(scan('/p2')));
  });

  it('offers every layer for a path it cannot place', () => {
    const layers = [new Layer('/a', ROUTE, handler), new Layer('/b', ROUTE, handler)];
    const index = new RouteIndex(layers);
    assert.deepEqual(index.lookup(scan('//a')).positions, [0, 1]);
    assert.deepEqual(index.lookup(scan('/\u00e4')).positions, [0, 1]);
  });

  it('always offers a layer whose match was replaced', () => {
    const layer = new Layer('/a', ROUTE, handler);
    layer.match = () => ({ params: {}, path: '/z', keys: [], pattern: '/z' });
    assert.deepEqual(new RouteIndex([layer]).lookup(scan('/z')).positions, [0]);
  });

  it('finds exactly what the regular expressions match, for random patterns and paths', () => {
    const words = ['a', 'b', 'A', 'users', ':id', ':x', 'a.b', 'a-b', '{:opt}', '*rest', ''];
    const segments = ['a', 'b', 'A', 'B', 'users', 'USERS', '1', 'a.b', 'a-b', '%41', ''];
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed);
      const layers: Layer[] = [];
      for (let i = 0; i < 12; i++) {
        const parts = Array.from({ length: 1 + random(3) }, () => words[random(words.length)] as string);
        const path = `/${parts.join('/')}`;
        const options = { end: random(3) > 0, sensitive: random(3) === 0, strict: random(4) === 0 };
        try {
          layers.push(new Layer(path, { ...options, strict: options.end && options.strict }, handler));
        } catch {
          // Not every combination is a pattern.
        }
      }
      const index = new RouteIndex(layers);
      for (let i = 0; i < 20; i++) {
        const path = `/${Array.from({ length: 1 + random(4) }, () => segments[random(segments.length)]).join('/')}`;
        const { positions, modes } = index.lookup(scan(path));
        const expected = layers.flatMap((layer, position) => (layer.match(path) ? [position] : []));
        const missing = expected.filter((position) => !positions.includes(position));
        assert.deepEqual(missing, [], `seed ${seed}, path ${path}`);
        for (const [at, position] of positions.entries()) {
          if (modes[at] === MATCH_WALK) assertWalk(layers[position] as Layer, path, `seed ${seed}`);
        }
        assert.deepEqual(
          [...positions].sort((a, b) => a - b),
          positions,
          `seed ${seed}, order for ${path}`,
        );
      }
    }
  });
});

describe('scanRequestPath', () => {
  it('finds the path and says what is in it', () => {
    assert.deepEqual(scan('/a/b?c=D'), { path: '/a/b', isPlain: true, hasUpperCase: false, hasPercent: false });
    assert.deepEqual(scan('/A%20b'), { path: '/A%20b', isPlain: true, hasUpperCase: true, hasPercent: true });
    assert.equal(scan('/a//b').isPlain, false);
  });

  it('leaves odd targets to the library upstream uses', () => {
    assert.equal(scan('/a b').path, '/a%20b');
    assert.equal(scan('/a?b#c').path, '/a');
    assert.equal(scan('http://h/x?y').path, '/x');
  });

  it('finds no path in a target without one', () => {
    const out = scan('/');
    assert.equal(scanRequestPath({ url: '?x' } as ExpressRequest, out), false);
    assert.equal(scanRequestPath({} as ExpressRequest, out), false);
  });
});

describe('Layer.match', () => {
  it('agrees with path-to-regexp on parameters and the matched part', () => {
    for (const [pattern, path] of [
      ['/users/:id', '/users/7'],
      ['/a/:b/c/:d', '/a/1/c/2/'],
      ['/files/*rest', '/files/x/y'],
    ] as const) {
      const upstream = compileMatch(pattern)(path);
      const found = new Layer(pattern, ROUTE, handler).match(path);
      assert.deepEqual(found && { path: found.path, params: found.params }, upstream);
    }
  });
});
