/** Tables and short cuts of ours against the libraries and globals they stand for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import mime3 from 'mime-types';
import mime2 from 'mime-types2';
import { isWebBody } from '../../src/web/web-bodies.ts';
import { createContentTypes, knownTypes } from '../../src/koa/content-types.ts';
import { parseSearch } from '../../src/web/search-params.ts';

test('content types known by heart are those of both databases', () => {
  for (const [name, type] of knownTypes) {
    assert.equal(mime3.contentType(name), type, name);
    assert.equal(mime2.contentType(name), type, name);
  }
});

test('the memory of content types is bounded and answers beyond its bound', () => {
  let asked = 0;
  const typeOf = createContentTypes((name) => ((asked += 1), `x/${name}`));
  for (let i = 0; i < 1000; i++) assert.equal(typeOf(`t${i}`), `x/t${i}`);
  assert.equal(asked, 1000);
  assert.equal(typeOf('t0'), 'x/t0');
  assert.equal(asked, 1000, 'an early one is remembered');
  assert.equal(typeOf('t999'), 'x/t999');
  assert.equal(asked, 1001, 'a late one is not');
});

/** Upstream's way, by the letter of the standard. */
function parseNaively(text: string): object {
  const params = new URLSearchParams(text);
  const values = {};
  for (const key of params.keys()) {
    const all = params.getAll(key);
    Object.defineProperty(values, key, {
      value: all.length <= 1 ? all[0] : all,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return values;
}

test('query strings are read as URLSearchParams reads them', () => {
  const texts = ['', 'a', 'a=', '=b', '=', '&', '&&a=1&', 'a=1&b=2&a=3&a=4', 'a=b=c', '__proto__=1&__proto__=2', 'toString=x', 'a.b=*~-_'];
  const encoded = ['a=%20+b', '%', 'a=%zz', 'é=ü', '?a=1', 'a=1;b=2', 'a[]=1&a[]=2', 'a=%00', '%61=1&a=2'];
  for (const text of [...texts, ...encoded]) {
    const parsed = parseSearch(text);
    assert.deepEqual(parsed, parseNaively(text), text);
    assert.deepEqual(Object.entries(parsed), Object.entries(parseNaively(text)), text);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  }
});

test('bodies of the kinds of the web are told from plain values', () => {
  for (const value of [new Blob(['a']), new ReadableStream(), new Response('a')]) assert.equal(isWebBody(value), true);
  for (const value of [{}, [], null, Object.create(null), 'a', 1, new Date(), new Map(), new Uint8Array(1)]) {
    assert.equal(isWebBody(value), false);
  }
});
