// A small shop whose handlers are async and may fail anywhere: express-async-errors hands what they reject
// with to the error middleware.
'use strict';

const express = require('express');
require('express-async-errors');
const listEndpoints = require('express-list-endpoints');
const listRoutes = require('express-list-routes');
const createPromiseRouter = require('express-promise-router');
const Layer = require('express/lib/router/layer');
const { setCharset } = require('express/lib/utils');

const later = (value) => new Promise((resolve) => setImmediate(resolve, value));
const fail = async (message, status = 500) => {
  await later();
  throw Object.assign(new Error(message), { status });
};

const app = express();
const log = [];

app.use(async (req, res, next) => {
  await later();
  if (req.query.block) throw Object.assign(new Error('blocked'), { status: 403 });
  next();
});
app.use(express.json());

app.get('/', async (req, res) => {
  await later();
  res.send('hello');
});
app.get('/rejects', () => fail('rejected'));
app.get('/throws', () => {
  throw new Error('thrown');
});
app.get('/rejects/nothing', () => Promise.reject());
app.get('/rejects/text', () => Promise.reject('only text'));
app.get('/after/reply', async (req, res) => {
  res.send('sent');
  await later();
});
app.get(
  '/chain',
  async (req, res, next) => {
    req.steps = ['one'];
    await later();
    next();
  },
  async (req, res, next) => {
    req.steps.push('two');
    next('route');
  },
  () => fail('never'),
);
app.get('/chain', async (req, res) => {
  res.json(await later([...req.steps, 'three']));
});
app.post('/echo', async (req, res) => {
  if (!req.body.name) await fail('a name is needed', 422);
  res.status(201).json({ hello: req.body.name });
});

const things = express.Router({ mergeParams: true });
things.param('id', async (req, res, next, id, name) => {
  await later();
  if (id === 'none') throw Object.assign(new Error(`no ${name} ${id} of ${req.params.owner}`), { status: 404 });
  req.thing = { id, owner: req.params.owner };
  next();
});
things
  .route('/:id')
  .all(async (req, res, next) => {
    log.push(`${req.method} ${req.thing.id}`);
    next();
  })
  .get(async (req, res) => res.json(await later(req.thing)))
  .delete(async () => fail('cannot be deleted', 409));
app.use('/owners/:owner/things', things);

const admin = express();
admin.get('/report', () => fail('no report yet', 503));
admin.use(async (err, req, res, next) => {
  await later();
  if (req.query.again) throw Object.assign(new Error(`${err.message}, again`), { status: 500 });
  next(err);
});
app.use('/admin', admin);

const promised = createPromiseRouter();
promised.use('/open', async () => 'next');
promised.get('/open', async (req, res) => void res.send('open'));
promised.get('/closed', () => fail('closed', 423));
promised
  .route('/both')
  .get(async () => 'next')
  .post(() => Promise.reject());
promised.get('/both', async (req, res) => void res.send('second'));
app.use('/promised', promised);

// Registered when requests have come already.
app.post('/routes/:name', async (req, res) => {
  const { name } = req.params;
  app.get(`/late/${name}`, () => fail(`late ${name}`, 418));
  // The last two layers answer for the rest: they stay the last.
  const { stack } = app._router;
  stack.splice(-3, 3, stack.at(-1), ...stack.slice(-3, -1));
  res.sendStatus(204);
});

app.get('/log', async (req, res) => res.json(log));
app.get('/inspect', async (req, res) => {
  res.json({
    endpoints: listEndpoints(app),
    routes: listRoutes(app, { logger: false }),
    layers: app._router.stack.map((layer) => [layer instanceof Layer, layer.name, Object.keys(layer), layer.handle.length]),
    same: [
      require('express/lib/express') === express,
      require('express/lib/router/layer.js') === Layer,
      require('express/lib/router') === express.Router,
    ],
    setCharset: setCharset('text/html', 'latin1'),
  });
});

app.use(async (req, res) => {
  await later();
  res.status(404).json({ nothing: req.originalUrl });
});
// eslint-disable-next-line no-unused-vars
app.use(async (err, req, res, next) => {
  await later();
  if (req.query.worse) throw new Error('the error handler failed');
  res.status(err?.status ?? 500).json({ error: err?.message ?? String(err) });
});

const server = app.listen(process.env.PORT, '127.0.0.1', () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
