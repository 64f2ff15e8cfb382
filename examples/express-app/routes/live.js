/** /live: a page that shows the process at work, fed by a stream of server-sent events. */
import { Router } from 'express';
import { describeRuntime } from '../lib/runtime.js';

const INTERVAL_DEFAULT_MS = 1000;
const INTERVAL_MIN_MS = 20;
const INTERVAL_MAX_MS = 60_000;
const RETRY_MS = 2000;

export function createLiveRouter() {
  const live = Router();
  const open = new Set();

  live.get('/', (req, res) => res.render('live', { page: 'Live' }));

  live.get('/events', (req, res) => {
    const interval = clamp(Number(req.query.interval), INTERVAL_MIN_MS, INTERVAL_MAX_MS, INTERVAL_DEFAULT_MS);
    // Without `count` the stream lasts as long as the browser listens.
    let left = clamp(Number(req.query.count), 1, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY);
    let id = Number(req.get('Last-Event-ID')) || 0;
    res.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache, no-transform' });
    res.flushHeaders();
    res.write(`retry: ${RETRY_MS}\n\n`);
    open.add(res);

    const timer = setInterval(() => {
      const { memoryMb, uptimeS } = describeRuntime();
      id += 1;
      left -= 1;
      res.write(`id: ${id}\nevent: pulse\ndata: ${JSON.stringify({ memoryMb, uptimeS, listeners: open.size })}\n\n`);
      if (left === 0) res.end();
    }, interval);
    res.on('close', () => {
      clearInterval(timer);
      open.delete(res);
    });
  });
  return live;
}

function clamp(value, min, max, fallback) {
  return Number.isFinite(value) ? Math.min(Math.max(Math.floor(value), min), max) : fallback;
}
