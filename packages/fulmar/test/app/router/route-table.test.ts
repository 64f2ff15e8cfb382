import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MalformedPath } from '../../../src/app/router/malformed-path.ts';
import { RouteError } from '../../../src/app/router/route-error.ts';
import { RouteTable } from '../../../src/app/router/route-table.ts';
import { tables } from './cases.ts';

const ROUTES = 5_000;

function tableOf(...routes: readonly (readonly [method: string, path: string])[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const [method, path] of routes) table.add(method, path, `${method} ${path}`);
  return table;
}

function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  return assert.fail('nothing was thrown');
}

/** An object without a prototype. */
const bare = (params: Readonly<Record<string, string>>): object =>
  Object.defineProperties(Object.create(null) as object, Object.getOwnPropertyDescriptors(params));

describe('RouteTable.find', () => {
  for (const { name, routes, cases, strict = true } of tables) {
    const orders: readonly (readonly [string, readonly string[]])[] = [
      ['in order', routes],
      ['in reverse order', routes.toReversed()],
    ];
    for (const [order, paths] of orders) {
      describe(`${name}, added ${order}`, () => {
        const table = new RouteTable<string>({ strict });
        for (const path of paths) table.add('GET', path, path);
        for (const [path, pattern, params] of cases) {
          it(`${JSON.stringify(path)} finds ${pattern}`, () => {
            const found = table.find('GET', path);
            assert.deepEqual(found, pattern === null ? null : { value: pattern, params: bare(params ?? {}) });
            assert.deepEqual(table.methods(path), pattern === null ? [] : ['GET']);
          });
        }
      });
    }
  }

  it('answers one frozen object for a path without parameters, however it is spelled', () => {
    const table = tableOf(['GET', '/café']);
    const found = table.find('GET', '/café');
    assert.ok(found !== null && Object.isFrozen(found) && Object.isFrozen(found.params));
    assert.equal(table.find('GET', '/caf%C3%A9'), found);
  });

  it('answers objects of their own for paths with parameters', () => {
    const table = tableOf(['GET', '/:x']);
    const [one, other] = [table.find('GET', '/1'), table.find('GET', '/2')];
    assert.deepEqual([one?.params['x'], other?.params['x']], ['1', '2']);
  });

  it("takes a method's own route before one of all methods, also when that is more particular", () => {
    const table = tableOf(['*', '/a/b'], ['GET', '/a/:x'], ['*', '/c/:x'], ['GET', '/*rest']);
    assert.equal(table.find('GET', '/a/b')?.value, 'GET /a/:x');
    assert.equal(table.find('POST', '/a/b')?.value, '* /a/b');
    assert.equal(table.find('GET', '/c/1')?.value, 'GET /*rest');
    assert.equal(table.find('POST', '/c/1')?.value, '* /c/:x');
    assert.equal(table.find('PUT', '/d'), null);
    assert.equal(table.find('*', '/c/1')?.value, '* /c/:x');
  });

  it('does not know methods in lower case', () => {
    assert.equal(tableOf(['GET', '/a']).find('get', '/a'), null);
  });

  it('finds each of thousands of routes', () => {
    const table = new RouteTable<number>();
    const characters = (i: number): string => String.fromCodePoint(0x4e00 + i);
    for (let i = 0; i < ROUTES; i++) {
      table.add('GET', `/r${i}/:id`, i);
      table.add('GET', `/${characters(i)}/:id`, i);
    }
    for (let i = 0; i < ROUTES; i++) {
      assert.deepEqual(table.find('GET', `/r${i}/x`), { value: i, params: bare({ id: 'x' }) });
      assert.equal(table.find('GET', `/${encodeURIComponent(characters(i))}/x`)?.value, i);
    }
    assert.equal(table.find('GET', `/r${ROUTES}/x`), null);
  });

  it('answers in a time that the routes bound, however long the path is', () => {
    const table = new RouteTable<number>();
    for (let i = 0; i < 2 ** 10; i++) {
      const segments = Array.from({ length: 10 }, (_, bit) => (i & (1 << bit) ? 'a' : `:p${bit}`));
      table.add('GET', `/${segments.join('/')}/end`, i);
    }
    const path = `/${'a/'.repeat(10)}`;
    assert.equal(table.find('GET', `${path}end`)?.value, 2 ** 10 - 1);
    assert.equal(table.find('GET', `${path}nothing`), null);
    assert.equal(table.find('GET', `/${'a/'.repeat(100_000)}`), null);
  });
});

describe('malformed percent-escapes', () => {
  const table = tableOf(
    ['GET', '/u/:id'],
    ['GET', '/u/:id/x'],
    ['GET', '/f/*path'],
    ['GET', '/m/a-:b.c'],
    ['GET', '/50%/:n'],
    ['GET', '/t/%zz'],
  );
  const malformed: readonly (readonly [path: string, segment: string])[] = [
    ['/u/%', '%'],
    ['/u/%z', '%z'],
    ['/u/%zz', '%zz'],
    ['/u/a%2Fb%', 'a%2Fb%'],
    ['/u/%C3', '%C3'],
    ['/u/%C3%28', '%C3%28'],
    ['/u/%FF%20', '%FF%20'],
    ['/u/%C0%AF', '%C0%AF'],
    ['/u/%E0%80%AF', '%E0%80%AF'],
    ['/u/%ED%A0%80', '%ED%A0%80'],
    ['/u/%F4%90%80%80', '%F4%90%80%80'],
    ['/u/%zz/x', '%zz'],
    ['/f/a/%20/%zz/c', '%zz'],
    ['/m/a-%zz.c', 'a-%zz.c'],
    ['/50%/%zz', '%zz'],
  ];
  for (const [path, segment] of malformed) {
    it(`${path} throws, and names the segment`, () => {
      const error = errorOf(() => table.find('GET', path));
      assert.ok(error instanceof MalformedPath, String(error));
      assert.equal(error.name, 'MalformedPath');
      assert.equal(error.segment, segment);
    });
  }

  it('is no error in text, in paths that have no route, and for methods()', () => {
    assert.equal(table.find('GET', '/u/%zz/y'), null);
    assert.equal(table.find('POST', '/u/%zz'), null);
    assert.equal(table.find('GET', '/%zz'), null);
    assert.equal(table.find('GET', '/t/%zz')?.value, 'GET /t/%zz');
    assert.deepEqual({ ...table.find('GET', '/50%/7')?.params }, { n: '7' });
    assert.deepEqual(table.methods('/u/%zz'), ['GET']);
  });

  it('agrees with decodeURIComponent on every pair and triple of bytes', () => {
    const bytes = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf3, 0xf4,
      0xf5, 0xff,
    ];
    const escapes = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
    const tails = ['%80', '%BF', '%80%80', ''];
    for (const one of escapes) {
      for (const two of escapes) {
        for (const tail of tails) {
          const value = one + two + tail;
          let expected: string | undefined;
          try {
            expected = decodeURIComponent(value);
          } catch {
            assert.throws(() => table.find('GET', `/u/${value}`), MalformedPath, value);
            continue;
          }
          assert.equal(table.find('GET', `/u/${value}`)?.params['id'], expected, value);
        }
      }
    }
  });
});

describe('RouteTable.methods', () => {
  it('answers what a path has, sorted', () => {
    const table = tableOf(['PUT', '/a/:x'], ['GET', '/a/b'], ['DELETE', '/*'], ['*', '/a/b'], ['POST', '/c']);
    assert.deepEqual(table.methods('/a/b'), ['*', 'DELETE', 'GET', 'PUT']);
    assert.deepEqual(table.methods('/a/%62'), ['*', 'DELETE', 'GET', 'PUT']);
    assert.deepEqual(table.methods('/c'), ['DELETE', 'POST']);
    assert.deepEqual(tableOf(['GET', '/a']).methods('/b'), []);
  });
});

describe('RouteTable.entries', () => {
  it('answers the routes in the order in which they were added', () => {
    const table = new RouteTable<number>();
    table.add('GET', '/b/:x?', 1, 'app.ts:1');
    table.add('*', '/a', 2);
    assert.equal(table.size, 2);
    assert.deepEqual(
      [...table.entries()],
      [
        { method: 'GET', path: '/b/:x?', value: 1, place: 'app.ts:1' },
        { method: '*', path: '/a', value: 2, place: undefined },
      ],
    );
  });
});

describe('routes that are alike', () => {
  const alike: readonly (readonly [one: string, other: string])[] = [
    ['/a', '/a'],
    ['/a/:x', '/a/:y'],
    ['/café', '/caf%C3%A9'],
    ['/a/:x?', '/a/:y'],
    ['/a/:x?/:y?', '/a/:x/:y'],
    ['/a/*', '/a/*rest'],
    ['/:x.json', '/:y.json'],
    ['/v:x-:y', '/v:a-:b'],
    ['/v:x', '/v:y'],
    ['/a/:x?/*r', '/a/:x/*r'],
    ['/100%', '/100%25'],
    ['/a\\:b', '/a%3Ab'],
  ];
  for (const [one, other] of alike) {
    it(`${one} and ${other}: the error names both and their places, and nothing is added`, () => {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        const table = new RouteTable<number>();
        table.add('GET', first, 1, 'one.ts:1');
        const error = errorOf(() => table.add('GET', second, 2, 'two.ts:2'));
        assert.ok(error instanceof RouteError, String(error));
        assert.equal(error.path, second);
        assert.equal(error.place, 'two.ts:2');
        for (const part of [`GET ${first} (one.ts:1)`, `GET ${second} (two.ts:2)`]) assert.ok(error.message.includes(part), error.message);
        assert.equal(table.size, 1);
        table.add('POST', second, 3);
        table.add('*', second, 4);
      }
    });
  }

  it('an error for one variant of a route leaves the others out, too', () => {
    const table = tableOf(['GET', '/a/:x/:y']);
    assert.throws(() => table.add('GET', '/a/:x?/:y?', 'second'), RouteError);
    assert.equal(table.find('GET', '/a'), null);
    assert.equal(table.find('GET', '/a/1'), null);
  });

  it('a trailing slash tells routes apart only where it matters', () => {
    const strict = new RouteTable<number>();
    strict.add('GET', '/a', 1);
    strict.add('GET', '/a/', 2);
    const loose = new RouteTable<number>({ strict: false });
    loose.add('GET', '/a', 1);
    assert.throws(() => loose.add('GET', '/a/', 2), RouteError);
  });

  it('what can be told apart is no error', () => {
    const paths = ['/a', '/a/:x?', '/:x', '/:x.json', '/:x.:y', '/v:x', '/*', '/a/*', '/a/:x/:y?/*', '/a\\:x', '/a/\\:x', '/a/\\*'];
    const table = new RouteTable<string>();
    for (const path of paths) table.add('GET', path, path);
    assert.equal(table.size, paths.length);
  });
});

it('a method in lower case is an error', () => {
  for (const method of ['get', '', 'Get']) assert.throws(() => new RouteTable<number>().add(method, '/', 1), RouteError);
});
