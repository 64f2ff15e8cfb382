/**
 * `fulmar/register`, for `node --import` and `--require`: maps express, koa and http in whatever runs in this process, as `fulmar run` does.
 */
'use strict';

require('../dist/register.cjs').register(__filename);
