/**
 * `fulmar/register`, for `node --import` and `--require`: maps express, koa and http in whatever runs in this
 * process, as `fulmar run` does.
 */
'use strict';

// What the bundle begins with is not in older ones, and what they would say of it is no help.
if (process.getBuiltinModule === undefined) {
  console.error(
    `fulmar: fulmar/register needs Node 20.19 or later, and this is Node ${process.versions.node}. Install a newer one, or leave it out of the command.`,
  );
  process.exit(1);
}

require('../dist/register.cjs').register(__filename);
