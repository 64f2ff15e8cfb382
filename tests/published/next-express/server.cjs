// Next.js behind Express, as its guide for a custom server has it.
'use strict';

const express = require('express');
const http = require('node:http');
const next = require('next');

const port = Number(process.env.PORT);
const app = next({ dev: false, dir: `${__dirname}/site`, hostname: '127.0.0.1', port });
const handle = app.getRequestHandler();

void app.prepare().then(() => {
  const server = express();
  server.get('/own', (_req, res) => res.json({ own: true }));
  server.get('/http', (_req, res) => {
    console.log(`http is Fulmar's: ${Symbol.for('fulmar.version') in http}`);
    res.end();
  });
  server.post('/parsed', express.json(), (req, res) => res.json(req.body));
  server.use((req, res) => handle(req, res));
  server.listen(port, '127.0.0.1');
});
