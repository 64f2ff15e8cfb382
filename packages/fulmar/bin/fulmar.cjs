#!/usr/bin/env node
/**
 * The command `fulmar`. Kept tiny and CommonJS: it is on the path to the first reply of every application.
 * An old Node must be able to read this file, to be told of by it: no `node:` and no syntax after ES2018.
 */
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`fulmar: needs Node 20.19 or later, and this is Node ${process.versions.node}. Install a newer one.\n`);
  process.exitCode = 1;
} else {
  // Compiled code of this file's bundle and of the application is kept between starts (Node 22.1 and later).
  const { enableCompileCache } = require('module');
  if (enableCompileCache) enableCompileCache();
  require('../dist/cli.cjs').main(process.argv.slice(2), __filename);
}
