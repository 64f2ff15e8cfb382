import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { match as compileMatch } from 'path-to-regexp';
import { decodeParam } from '../../../src/express/router/path-text.ts';
import { PathPattern, type Walk, walkParams, walkPrefixLength } from '../../../src/express/router/pattern.ts';

describe('PathPattern', () => {
  const walkable = ['/', '/a', '/a/b.html', '/:id', '/a/:b/c', '/a/:b/:c', '/lit\\:x', '/trailing/'];
  const others = ['', 'a', '*', '/*rest', '/a{/:b}', '/:a-:b', '/x:a', '/a//b', '/\u00fc', '/:id.json'];

  for (const path of walkable) {
    it(`walks ${path} segment by segment`, () => {
      assert.notEqual(new PathPattern(path, { end: true }).walk, null);
    });
  }

  for (const path of others) {
    it(`leaves ${JSON.stringify(path)} to a regular expression`, () => {
      try {
        assert.equal(new PathPattern(path, { end: true }).walk, null);
      } catch (err) {
        assert.equal((err as Error).name, 'TypeError');
      }
    });
  }

  it('throws what path-to-regexp throws', () => {
    for (const path of ['/:', '/a(b)', '/:a:b', '/{a', '/*', '/a?']) {
      let expected = '';
      try {
        compileMatch(path);
      } catch (err) {
        expected = (err as Error).message;
      }
      assert.throws(() => new PathPattern(path, { end: true }), { message: expected });
    }
  });

  it('takes the parameters out of a path', () => {
    const { walk } = new PathPattern('/a/:b/c/:d', { end: true });
    assert.deepEqual({ ...walkParams(walk as Walk, '/a/1%20x/c/2', Object.create(null)) }, { b: '1 x', d: '2' });
    assert.equal(Object.getPrototypeOf(walkParams(walk as Walk, '/a/1/c/2', Object.create(null))), null);
  });

  it('measures the prefix, with the slash that ends the path', () => {
    const { walk } = new PathPattern('/a/:b', { end: false });
    assert.equal(walkPrefixLength(walk as Walk, '/a/1'), 4);
    assert.equal(walkPrefixLength(walk as Walk, '/a/1/'), 5);
    assert.equal(walkPrefixLength(walk as Walk, '/a/1/x'), 4);
  });
});

describe('decodeParam', () => {
  it('decodes, and makes a malformed value a 400', () => {
    assert.equal(decodeParam('a%20b'), 'a b');
    assert.throws(() => decodeParam('%E0'), { name: 'URIError', message: "Failed to decode param '%E0'", status: 400 });
  });
});
