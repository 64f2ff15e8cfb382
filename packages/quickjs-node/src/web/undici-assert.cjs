/**
 * `node:assert` for undici's internal checks: what they need and no more, so that `fetch` does not load the
 * whole module.
 */
'use strict';

function assert(value, message) {
  if (!value) throw message instanceof Error ? message : new Error(message ?? 'The expression evaluated to a falsy value');
}
assert.ok = assert;
assert.equal = (a, b, message) => assert(a === b, message);
assert.strictEqual = assert.equal;
assert.notEqual = (a, b, message) => assert(a !== b, message);
assert.notStrictEqual = assert.notEqual;
assert.fail = (message) => assert(false, message);

module.exports = assert;
