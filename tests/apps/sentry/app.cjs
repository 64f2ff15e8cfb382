// A shop whose failures are told: thrown, rejected, handed to `next`, captured by hand; with users, tags and
// spans of its own.
'use strict';

const { setTimeout: pause } = require('node:timers/promises');

exports.createApp = (express, http, Sentry) => {
  const app = express();
  app.get('/debug/flush', async (_req, res) => {
    await Sentry.flush(10_000);
    res.send(Sentry.getClient().getDsn().projectId);
  });
  app.use(express.json());
  app.use(function whoAsks(req, _res, next) {
    if (req.get('x-user')) Sentry.setUser({ id: req.get('x-user'), username: 'Ægir' });
    Sentry.setTag('tenant', req.get('x-tenant') ?? 'none');
    Sentry.addBreadcrumb({ category: 'shop', message: `asked for ${req.path}` });
    next();
  });
  app.get('/', (_req, res) => res.send('Välkommen'));
  const items = express.Router();
  items.get('/:id', async (req, res) => {
    const item = await Sentry.startSpan({ name: 'load item', op: 'db.query', attributes: { 'item.id': req.params.id } }, async () => {
      await pause(1);
      if (req.params.id === 'lost') throw new RangeError('the item is lost');
      return { id: req.params.id };
    });
    res.json(item);
  });
  items.post('/', (req, res, next) => next(Object.assign(new Error(`cannot keep ${JSON.stringify(req.body)}`), { status: 503 })));
  app.use('/items', items);
  app.get('/throws', () => {
    throw new TypeError('thrown ☔');
  });
  app.get('/refused', () => {
    throw Object.assign(new Error('told to nobody: a client error'), { status: 404 });
  });
  app.get('/filtered', () => {
    throw new Error('never told');
  });
  app.get('/caught', (_req, res) => {
    Sentry.withScope((scope) => {
      scope.setExtra('cause', 'curiosity').setLevel('warning');
      Sentry.captureException(new Error('caught by hand'));
    });
    Sentry.captureMessage('only a message', 'info');
    res.status(202).end();
  });
  app.get('/calls', (req, res, next) => {
    const { port } = req.socket.address();
    http
      .get({ port, path: '/items/7', agent: false }, (reply) => {
        reply.resume().once('end', () => res.json({ status: reply.statusCode, traced: Sentry.getActiveSpan() !== undefined }));
      })
      .once('error', next);
  });
  Sentry.setupExpressErrorHandler(app);
  app.use(function answer(error, _req, res, _next) {
    res.status(error.status ?? 500).json({ error: error.message, told: /^[0-9a-f]{32}$/.test(res.sentry ?? '') });
  });
  return app;
};
