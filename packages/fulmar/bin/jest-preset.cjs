/**
 * The preset `fulmar/jest`: test files and what they import get what they get under `fulmar run`.
 *
 * `http` is a module of Node's, which jest loads outside of the test's own world (its `vm` context): so is
 * ours, once for all test files of a process, since a thread has one engine. Express and Koa are loaded
 * within, anew for each test file, as jest does with packages. Were all of ours loaded within, each test file
 * would want an engine, and jest 30, which gives `process.getBuiltinModule('http')` by the same map, would
 * lead our own code from Node's `http` back to itself.
 */
'use strict';

const { join } = require('node:path');

const off = process.env.FULMAR_NO_ALIAS;
const isOff = off !== undefined && off !== '' && off !== '0';

module.exports = isOff
  ? {}
  : {
      moduleNameMapper: {
        '^(?:node:)?http$': join(__dirname, '..', 'dist', 'http.cjs'),
        // Relative to the importing file: the first is there for ours alone.
        '^\\./lib-http\\.cjs$': ['../bin/jest-lib-http.cjs', './lib-http.cjs'],
      },
      resolver: join(__dirname, '..', 'dist', 'jest-resolver.cjs'),
    };
