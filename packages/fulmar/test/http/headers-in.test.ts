/** Request fields: what Node does with duplicates, and names an attacker may choose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDistinct, toHeaders } from '../../src/http/headers-in.ts';

test('a field named __proto__ is plain data and changes no prototype', () => {
  const headers = toHeaders(['__proto__', 'x', 'a', 'b', '__proto__', 'y'], false);
  assert.equal(Object.getPrototypeOf(headers), Object.prototype);
  assert.deepEqual(Object.entries(headers), [
    ['__proto__', 'x, y'],
    ['a', 'b'],
  ]);
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
});

test('names of Object.prototype are plain fields', () => {
  const headers = toHeaders(['constructor', 'a', 'toString', 'b', 'Constructor', 'c'], false);
  assert.deepEqual(headers, { constructor: 'a, c', tostring: 'b' });
  assert.deepEqual(toDistinct(['constructor', 'a'])['constructor'], ['a']);
});

test('duplicates are joined, dropped or listed by name', () => {
  const raw = [
    'Accept',
    'a',
    'accept',
    'b',
    'User-Agent',
    'a',
    'user-agent',
    'b',
    'Cookie',
    'a',
    'cookie',
    'b',
    'Set-Cookie',
    'a',
    'set-cookie',
    'b',
  ];
  assert.deepEqual(toHeaders(raw, false), { accept: 'a, b', 'user-agent': 'a', cookie: 'a; b', 'set-cookie': ['a', 'b'] });
  assert.equal(toHeaders(raw, true)['user-agent'], 'a, b');
});
