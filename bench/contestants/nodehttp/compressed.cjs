// Compression as in Node's documentation of zlib ("Compressing HTTP requests and responses"): a gzip stream
// between the text and the reply. `server.cjs` loads it for the scenario `compressed-58k`; without gzip in
// Accept-Encoding the text leaves as it is.
'use strict';
const fs = require('node:fs');
const { pipeline, Readable } = require('node:stream');
const zlib = require('node:zlib');
const { sendText, toUrl } = require('./exchange.cjs');

function createListener(dataFile) {
  const data = JSON.parse(fs.readFileSync(dataFile, 'utf8'));
  return (req, res) => {
    if (req.method !== 'GET' || toUrl(req).pathname !== '/data') {
      sendText(res, 404, 'Not Found');
      return;
    }
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Vary', 'Accept-Encoding');
    const text = JSON.stringify(data);
    if (!/\bgzip\b/.test(req.headers['accept-encoding'] ?? '')) {
      res.end(text);
      return;
    }
    res.writeHead(200, { 'Content-Encoding': 'gzip' });
    // An error can only be the peer's: it has gone, nobody reads a reply.
    pipeline(Readable.from([text]), zlib.createGzip(), res, () => {});
  };
}

module.exports = { createListener };
