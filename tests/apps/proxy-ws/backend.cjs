// What the gateway stands before: plain `http` with `ws`, on a port of its own.
'use strict';

const http = require('http');
const { createHash } = require('crypto');
const { WebSocketServer } = require('ws');

exports.createBackend = () => {
  const server = http.createServer((req, res) => {
    const url = new URL(req.url, 'http://backend');
    if (url.pathname === '/events') return sendEvents(res);
    if (url.pathname === '/moved') return void res.writeHead(302, { Location: `http://${req.headers.host}/elsewhere?x=1` }).end();
    const hash = createHash('sha1');
    let bytes = 0;
    req.on('data', (chunk) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    req.once('end', () => {
      const seen = Object.fromEntries(
        Object.entries(req.headers).filter(([name]) => !/^(host|x-forwarded-(port|for|host)|connection)$/.test(name)),
      );
      res.setHeader('Set-Cookie', ['a=1; Path=/; Domain=backend.local', 'b=ü; HttpOnly'.replace('ü', '%C3%BC')]);
      res.setHeader('X-Backend', 'yes');
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.statusCode = url.pathname === '/teapot' ? 418 : 200;
      res.end(JSON.stringify({ method: req.method, url: req.url, seen, bytes, sha1: hash.digest('hex') }));
    });
  });
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => (offered.has('birds') ? 'birds' : false) });
  sockets.on('connection', (socket, req) => {
    socket.send(`you asked for ${req.url} as ${req.headers['x-gateway'] ?? 'nobody'}`);
    socket.on('message', (data, isBinary) => {
      if (!isBinary && String(data).startsWith('close ')) socket.close(Number(String(data).slice(6)), 'as you wish ✓');
      else if (!isBinary && String(data) === 'terminate') socket.terminate();
      else socket.send(data, { binary: isBinary });
    });
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => console.log(`backend socket closed ${code} ${reason}`));
  });
  return server;
};

function sendEvents(res) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    res.write(`id: ${count}\ndata: event ${count} 🐦\n\n`);
    if (count === 5) res.end();
  }, 5);
  res.once('close', () => {
    clearInterval(timer);
    console.log(`events closed after ${count === 5 ? 'all' : 'some'}`);
  });
}
