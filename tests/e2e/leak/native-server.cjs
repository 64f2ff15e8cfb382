/**
 * The server of the native leak test: what `server.ts` answers, as an application that is built into an
 * executable. It prints its port.
 */
'use strict';
const http = require('node:http');

const piece = Buffer.alloc(16 * 1024, 'f');

const server = http.createServer((req, res) => {
  if (req.url === '/upload') {
    let bytes = 0;
    req.on('data', (data) => (bytes += data.length));
    req.on('end', () => res.end(String(bytes)));
    req.on('error', () => undefined);
  } else if (req.url === '/endless') {
    const more = () => {
      while (!res.destroyed && res.write(piece));
    };
    res.on('drain', more);
    more();
  } else if (req.url !== '/never') {
    res.setHeader('Content-Type', 'application/json');
    res.end('{"message":"hello"}');
  }
});
server.on('upgrade', (req, socket) => {
  socket.on('error', () => undefined);
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  socket.on('data', (data) => socket.write(data));
  socket.on('end', () => socket.end());
});
server.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`));
