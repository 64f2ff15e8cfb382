/** /live/events: server-sent events from this process, as a stream that is the body. */
import { PassThrough } from 'node:stream';
import Router from '@koa/router';

const INTERVAL_DEFAULT_MS = 1000;
const INTERVAL_MIN_MS = 20;
const INTERVAL_MAX_MS = 60_000;

export function createLiveRouter() {
  const live = new Router({ prefix: '/live' });
  live.get('/events', (ctx) => {
    const interval = clamp(Number(ctx.query.interval), INTERVAL_MIN_MS, INTERVAL_MAX_MS, INTERVAL_DEFAULT_MS);
    // Without `count` the stream lasts as long as the browser listens.
    let left = clamp(Number(ctx.query.count), 1, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY);
    let id = Number(ctx.get('Last-Event-ID')) || 0;
    const stream = new PassThrough();
    // An event must reach the browser when it happens: no compression, which would hold it back.
    ctx.compress = false;
    ctx.type = 'text/event-stream';
    ctx.set('Cache-Control', 'no-cache, no-transform');
    ctx.body = stream;
    const timer = setInterval(() => {
      id += 1;
      left -= 1;
      stream.write(`id: ${id}\nevent: pulse\ndata: ${JSON.stringify({ uptimeS: ctx.runtime().uptimeS })}\n\n`);
      if (left === 0) stream.end();
    }, interval);
    stream.on('close', () => clearInterval(timer));
  });
  return live;
}

function clamp(value, min, max, fallback) {
  return Number.isFinite(value) ? Math.min(Math.max(Math.floor(value), min), max) : fallback;
}
