// Compressed replies of every kind: whole, streamed, flushed event by event, huge, under back-pressure, with
// options, aborted.
'use strict';

const { Readable } = require('node:stream');
const zlib = require('node:zlib');
const express = require('express');
const compression = require('compression');

const app = express();
const text = 'northern fulmar, '.repeat(400);
const list = (length) => Array.from({ length }, (_, id) => ({ id, name: `Item ${(id * 7919) % 1000}` }));
const line = (index) => `${index} ${text.slice(0, (index * 37) % 900)}\n`;
let open = 0;

app.get('/open', (_req, res) => res.json({ open, createGzip: zlib.createGzip.name, memory: process.memoryUsage.rss() }));

const replies = express.Router();
replies.get('/text', (_req, res) => res.type('text').send(text));
replies.get('/json', (_req, res) => res.json(list(2_000)));
replies.get('/short', (_req, res) => res.send('short'));
replies.get('/plain', (_req, res) => res.set('Cache-Control', 'public, no-transform').type('text').send(text));
replies.get('/image', (_req, res) => res.type('image/png').send(Buffer.alloc(5_000)));
replies.get('/coded', (_req, res) => res.set('Content-Encoding', 'x-own').type('text').send(text));
replies.get('/huge', (_req, res) => res.type('text').send(Buffer.alloc(20_000_000, text)));
replies.get('/stream', (_req, res) => {
  res.type('text');
  Readable.from(Array.from({ length: 500 }, (_, index) => line(index))).pipe(res);
});
replies.get('/then-huge', (_req, res) => {
  res.type('text').write('first ');
  res.end(Buffer.alloc(5_000_000, text));
});
replies.get('/pressure', (_req, res) => {
  res.type('text');
  let left = 300;
  let waits = 0;
  const more = () => {
    while (left > 0) {
      left -= 1;
      if (!res.write(Buffer.alloc(20_000, line(left)))) {
        waits += 1;
        return;
      }
    }
    if (left === 0) res.end(`waited: ${waits > 0}`);
    left = -1;
  };
  res.on('drain', more);
  more();
});
replies.get('/events', (_req, res) => {
  res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  let count = 0;
  const next = () => {
    count += 1;
    res.write(`data: ${count} ${text.slice(0, count * 100)}\n\n`);
    res.flush();
    if (count < 5) setTimeout(next, 20);
    else res.end();
  };
  next();
});
replies.get('/endless', (_req, res) => {
  open += 1;
  res.once('close', () => (open -= 1));
  res.type('text').write(text);
  res.flush();
});
replies.get('/fails', (_req, res) => {
  res.type('text').write(text);
  res.flush();
  setTimeout(() => res.destroy(), 20);
});
replies.get('/throws', () => {
  throw Object.assign(new Error('x'.repeat(3_000)), { expose: true, status: 500 });
});
replies.use((error, _req, res, _next) => res.status(error.status).type('text').send(error.message));

const options = {
  usual: {},
  all: { threshold: 0, filter: () => true },
  fast: { level: 1, chunkSize: 256 },
  small: { level: 9, memLevel: 1, windowBits: 9 },
  stored: { level: 0 },
  huffman: { strategy: zlib.constants.Z_HUFFMAN_ONLY, memLevel: 9 },
  forced: { enforceEncoding: 'deflate' },
};
for (const [name, value] of Object.entries(options)) app.use(`/${name}`, compression(value), replies);

const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
