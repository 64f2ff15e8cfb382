/**
 * Loaded with `--require` by processes that an application forks itself, so that aliases and TypeScript hold
 * there too.
 */
'use strict';

require('node:module').enableCompileCache?.();
require('../dist/register.cjs').preload(__filename);
