/** The Koa application whose start is counted: its hello, unmodified, run by `fulmar run`. */
'use strict';
const { writeSync } = require('node:fs');
const Koa = require('koa');

const app = new Koa();
app.use((ctx) => {
  ctx.body = { message: 'Hello, World!' };
});
const server = app.listen(0, '127.0.0.1', () => writeSync(1, `${server.address().port}\n`));
