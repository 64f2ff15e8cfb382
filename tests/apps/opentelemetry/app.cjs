// A shop that asks its stock keeper: routers, parameters, spans of its own, failures, streams.
'use strict';

const { once } = require('node:events');
const { setTimeout: pause } = require('node:timers/promises');
const { SpanStatusCode, context, propagation, trace } = require('@opentelemetry/api');
const { takeSpans } = require('./instrument.cjs');

const tracer = trace.getTracer('shop');

/** The stock keeper: a plain `http` server on a port of its own. */
exports.createStock = (http) =>
  http.createServer((req, res) => {
    const item = decodeURIComponent(req.url.slice(1));
    if (item === 'broken') return req.socket.destroy();
    req.resume().once('end', () => {
      res.writeHead(item === 'nothing' ? 404 : 200, { 'Content-Type': 'application/json', 'X-Stock': 'kept' });
      res.end(
        JSON.stringify({ item, count: item.length, traced: /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(req.headers.traceparent ?? '') }),
      );
    });
  });

exports.createApp = (express, http, stockUrl) => {
  const app = express();
  app.get('/debug/spans', (_req, res) => res.json(takeSpans()));
  app.use(function stamp(_req, res, next) {
    res.set('X-Handled-By', 'shop');
    next();
  });
  app.use(express.json());
  app.use(async function session(req, _res, next) {
    await pause(1);
    req.user = req.get('authorization') ?? 'nobody';
    next();
  });

  app.get('/', (_req, res) => res.send('Welcome ☕'));
  app.get('/active', (_req, res) => {
    const span = trace.getActiveSpan();
    span?.setAttribute('app.seen', true).addEvent('looked', { where: 'handler' });
    res.json({ active: span !== undefined, baggage: propagation.getActiveBaggage()?.getEntry('team')?.value ?? null });
  });

  const items = express.Router({ mergeParams: true });
  items.param('item', function findItem(req, _res, next, item) {
    req.item = { name: item, of: req.user };
    next();
  });
  items.get('/:item', (req, res) => res.json(req.item));
  items.route('/:item/stock').get(ask).post(ask);
  items.get(/^\/[a-z]+\/regex-(\d+)$/, (req, res) => res.json(req.params));
  items.get(['/:item/a', '/:item/b'], (req, res) => res.send(req.path));
  app.use(
    '/shops/:shop/items',
    function open(_req, _res, next) {
      next();
    },
    items,
  );

  async function ask(req, res) {
    const reply = await tracer.startActiveSpan('ask the stock', async (span) => {
      try {
        return await fetchJson(http, `${stockUrl}/${encodeURIComponent(req.params.item)}`, req.method, req.body);
      } catch (error) {
        span.recordException({ name: error.name, message: error.code });
        span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
        throw Object.assign(new Error('the stock does not answer'), { status: 502 });
      } finally {
        span.end();
      }
    });
    res.status(reply.status).json({ ...reply.body, by: trace.getActiveSpan() !== undefined });
  }

  app.post('/echo', (req, res) => res.status(201).json(req.body));
  app.get('/stream', async (_req, res) => {
    res.type('text/plain');
    for (let piece = 0; piece < 5; piece += 1) {
      tracer.startSpan(`piece ${piece}`).end();
      if (!res.write(`piece ${piece} ${'x'.repeat(20_000)}\n`)) await once(res, 'drain');
    }
    res.end();
  });
  app.get('/endless', (_req, res) => {
    const timer = setInterval(() => res.write('more\n'), 5);
    res.once('close', () => clearInterval(timer));
    res.write('begin\n');
  });
  app.get('/redirect', (_req, res) => res.redirect(303, '/'));
  app.get('/throws', () => {
    throw new TypeError('thrown in a handler');
  });
  app.get('/rejects', async () => {
    await pause(1);
    throw Object.assign(new Error('rejected in a handler'), { status: 418 });
  });
  app.get('/parallel', async (_req, res) => {
    const names = ['one', 'two', 'three'];
    const replies = await Promise.all(
      names.map((name) =>
        context.with(propagation.setBaggage(context.active(), propagation.createBaggage({ item: { value: name } })), () =>
          fetchJson(http, `${stockUrl}/${name}`, 'GET'),
        ),
      ),
    );
    res.json(replies.map(({ body }) => body));
  });
  app.use(function report(error, _req, res, _next) {
    trace.getActiveSpan()?.recordException({ name: error.name, message: error.message });
    res.status(error.status ?? 500).json({ error: error.message, body: error.body });
  });
  return app;
};

function fetchJson(http, url, method, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers: { 'Content-Type': 'application/json' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    request.once('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
