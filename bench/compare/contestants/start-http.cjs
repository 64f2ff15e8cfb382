// The application whose start is timed: plain `node:http`, as a user writes it.
'use strict';
const http = require('node:http');

http
  .createServer((req, res) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.end(JSON.stringify({ hello: 'world' }));
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
