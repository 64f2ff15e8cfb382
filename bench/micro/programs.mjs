/** Names of the programs of `measure.cjs`. */

export const programs = [
  'http-text',
  'http-fields',
  'express-text',
  'express-json',
  'express-params',
  'express-chain',
  'koa-json',
  'app-json',
  'app-reply',
  'app-params',
  'app-chain',
  'app-post',
  'app-post-schema',
  'app-list',
  'app-list-schema',
  'controllers-json',
  'controllers-params',
  'controllers-post',
  'controllers-guarded',
];
