// A gateway on Express 4: forwards paths and WebSockets to a backend, rewrites, filters, and answers when the
// backend does not.
'use strict';

const express = require('express');
const { createProxyMiddleware, fixRequestBody, responseInterceptor } = require('http-proxy-middleware');
const { createBackend } = require('./backend.cjs');

const backend = createBackend().listen(0, '127.0.0.1', () => start(`http://127.0.0.1:${backend.address().port}`));

function start(target) {
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_req, res) => res.json({ ok: true }));

  const sockets = createProxyMiddleware({
    target,
    ws: true,
    pathRewrite: { '^/live': '' },
    pathFilter: '/live',
    headers: { 'X-Gateway': 'gate' },
    on: {
      open: () => console.log('upgraded'),
      close: () => console.log('upstream socket closed'),
    },
  });
  app.use(sockets);
  app.use(
    '/api',
    createProxyMiddleware({
      target,
      xfwd: true,
      cookieDomainRewrite: { 'backend.local': 'gate.example' },
      autoRewrite: true,
      on: {
        proxyReq: (proxyReq, req) => proxyReq.setHeader('X-Original', encodeURI(req.originalUrl)),
        proxyRes: (proxyRes) => void delete proxyRes.headers['x-backend'],
        error: (error, _req, res) => {
          if (res.headersSent) return void res.destroy();
          res.writeHead(502, { 'Content-Type': 'text/plain' }).end(`backend: ${error.code}`);
        },
      },
    }),
  );
  app.use('/json', express.json(), createProxyMiddleware({ target, on: { proxyReq: fixRequestBody } }));
  app.use(
    '/loud',
    createProxyMiddleware({
      target,
      selfHandleResponse: true,
      on: {
        proxyRes: responseInterceptor(async (buffer, _proxyRes, _req, res) => {
          res.setHeader('X-Loud', 'very');
          return buffer.toString('utf8').toUpperCase();
        }),
      },
    }),
  );
  app.use('/dead', createProxyMiddleware({ target: 'http://127.0.0.1:1' }));
  app.use('/choose', createProxyMiddleware({ target, router: (req) => (req.query.dead === undefined ? target : 'http://127.0.0.1:1') }));

  const server = app.listen(Number(process.env.PORT ?? 3000), () => {
    console.log(`listening on http://localhost:${server.address().port}`);
  });
  server.on('upgrade', (req, socket, head) => {
    if (req.url === '/refused') socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    else if (req.url.startsWith('/live')) sockets.upgrade(req, socket, head);
    else socket.destroy();
  });
}
