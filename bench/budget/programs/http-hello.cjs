/** The same for a bare node:http program: what is loaded when no framework is asked for. */
'use strict';
const { writeSync } = require('node:fs');
const http = require('node:http');

const content = '{"message":"Hello, World!"}';
const server = http.createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(content);
});
server.listen(0, '127.0.0.1', () => writeSync(1, `${server.address().port}\n`));
