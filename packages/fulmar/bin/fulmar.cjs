#!/usr/bin/env node
// The command `fulmar`. Kept tiny and CommonJS: it is on the path to the first reply of every application.
'use strict';

// Compiled code of this file's bundle and of the application is kept between starts (Node 22.1 and later).
require('node:module').enableCompileCache?.();
require('../dist/cli.cjs').main(process.argv.slice(2), __filename);
