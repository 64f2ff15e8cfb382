#!/usr/bin/env node
/**
 * `npm create fulmar`: `fulmar new` with the same words. An old Node must be able to read this file: what it
 * runs says what is wrong then.
 */
'use strict';

const { dirname, join } = require('path');

process.argv.splice(2, 0, 'new');
require(join(dirname(require.resolve('fulmar/package.json')), 'bin', 'fulmar.cjs'));
