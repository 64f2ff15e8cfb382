// Static files by hand: `fs.stat` for the head, `fs.createReadStream` for the content. `server.cjs` loads it
// for the static scenarios; it never serves what lies outside its folder.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { pipeline } = require('node:stream');
const { sendText, toUrl } = require('./exchange.cjs');

const TYPES = { '.txt': 'text/plain; charset=utf-8', '.html': 'text/html; charset=utf-8', '.json': 'application/json; charset=utf-8' };

function createListener(folder) {
  const root = path.resolve(folder) + path.sep;
  return (req, res) => {
    const file = path.join(root, decodeURIComponent(toUrl(req).pathname));
    if (req.method !== 'GET' || !file.startsWith(root)) {
      sendText(res, 404, 'Not Found');
      return;
    }
    fs.stat(file, (error, stats) => {
      if (error !== null || !stats.isFile()) sendText(res, 404, 'Not Found');
      else stream(res, file, stats);
    });
  };
}

function stream(res, file, stats) {
  res.writeHead(200, {
    'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    'Content-Length': stats.size,
    'Last-Modified': stats.mtime.toUTCString(),
  });
  // `pipeline` destroys both ends when either fails; there is no reply left to give then.
  pipeline(fs.createReadStream(file), res, () => {});
}

module.exports = { createListener };
