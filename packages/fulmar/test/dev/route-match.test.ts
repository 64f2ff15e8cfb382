/** Parameters of a path by the routes there are. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { paramsByRoutes } from '../../src/dev/route-match.ts';

const routes = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/birds/new' },
  { method: 'GET', path: '/birds/:id' },
  { method: 'POST', path: '/birds/:name' },
  { method: '*', path: '/any/:thing' },
  { method: 'GET', path: '/files/*' },
  { method: 'GET', path: '/odd/:id(\\d+)' },
];

const cases: [method: string, target: string, expected: (readonly [string, string])[] | null][] = [
  ['GET', '/', []],
  ['GET', '/birds/new', []],
  ['GET', '/birds/7?x=/', [['id', '7']]],
  ['POST', '/birds/a%2Fb', [['name', 'a/b']]],
  ['GET', '/birds/%', [['id', '%']]],
  ['PATCH', '/any/x/', [['thing', 'x']]],
  ['DELETE', '/birds/7', null],
  ['GET', '/birds/', null],
  ['GET', '/files/a', null],
  ['GET', '/odd/7', null],
  ['GET', '/a'.repeat(100_000), null],
];
for (const [method, target, expected] of cases) {
  it(`${method} ${target.slice(0, 40)}`, () => {
    assert.deepEqual(paramsByRoutes(routes, method, target), expected);
  });
}
