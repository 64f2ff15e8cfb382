/**
 * In place of `dist/lib-http.cjs` in jest's test files: the instance outside, which all of them share. See
 * `jest-preset.cjs`.
 */
'use strict';

// A test file's own `process` and `require` lead to modules of its world; only `vm` reaches out of it.
const outside = require('node:vm').runInThisContext('process');
module.exports = outside.getBuiltinModule('node:module').createRequire(__filename)('../dist/lib-http.cjs');
