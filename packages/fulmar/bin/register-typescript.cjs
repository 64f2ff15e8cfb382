/**
 * `fulmar/register/typescript`, for `node --import` and `--require`: `fulmar/register` that compiles TypeScript as well, as
 * `fulmar run` does. For what is started by others, as by `node --test`.
 */
'use strict';

// As in `register.cjs`: an older Node could not read the bundle.
if (process.getBuiltinModule === undefined) {
  console.error(
    `fulmar: fulmar/register/typescript needs Node 20.19 or later, and this is Node ${process.versions.node}. Install a newer one.`,
  );
  process.exit(1);
}

require('../dist/register.cjs').register(__filename, { compiles: true });
