// The smallest server on `node:http`'s interface; `FRAMEWORK` names the module.
'use strict';
const http = require(process.env.FRAMEWORK ?? 'node:http');

const server = http.createServer((req, res) => {
  res.end('hello world');
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(`listening ${server.address().port}`));
