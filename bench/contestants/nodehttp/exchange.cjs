// The steps that every listener of this contestant takes: the URL, the body, the reply. `server.cjs` and its
// parts call them; they know no scenario.
'use strict';

/** The request target as a URL, as Node's documentation of `message.url` makes it. */
function toUrl(req) {
  return new URL(req.url, 'http://127.0.0.1');
}

/** The whole body as text, collected from its events, as Node's guide to an HTTP transaction does it. */
function collect(req) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => resolve(Buffer.concat(chunks).toString()));
    req.on('error', reject);
  });
}

function sendJson(res, status, value) {
  send(res, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

function sendText(res, status, text) {
  send(res, status, 'text/plain; charset=utf-8', text);
}

function send(res, status, type, body) {
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

module.exports = { toUrl, collect, sendJson, sendText };
