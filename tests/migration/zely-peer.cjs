/**
 * Zely with a project folder of its own, in a process of its own: it compiles pages when they are asked for, which it does
 * in development alone, and keeps no promise of errors. Tells its port.
 */
'use strict';
process.env.NODE_ENV = 'development';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { zely } = require('@zely-js/zely');

async function main() {
  const cwd = process.argv[2];
  const allowAutoMiddlewares = existsSync(join(cwd, 'middlewares'));
  const { server } = await zely({ cwd, allowAutoMiddlewares, globalImport: true, enableReporter: false });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

void main();
