import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstValue, subdomainsOf, withoutPort } from '../../src/web/hosts.ts';

test('takes the first value of what several proxies have written', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['a', 'a'],
    ['a, b', 'a'],
    [' a ,b', ' a '],
    [',b', ''],
    ['', ''],
  ];
  for (const [list, first] of rows) assert.equal(firstValue(list), first, JSON.stringify(list));
});

test('takes the port off a host, and no part of an address', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['example.com', 'example.com'],
    ['example.com:80', 'example.com'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[::1]:80', '[::1]'],
    [':80', ''],
  ];
  for (const [host, name] of rows) assert.equal(withoutPort(host), name, JSON.stringify(host));
});

test('names subdomains from the innermost, without as many labels as it is told', () => {
  assert.deepEqual(subdomainsOf('a.b.example.com', 2), ['b', 'a']);
  assert.deepEqual(subdomainsOf('example.com', 2), []);
  assert.deepEqual(subdomainsOf('a.b', 0), ['b', 'a']);
});
