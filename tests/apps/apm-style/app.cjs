// The monitored application: routers in routers, errors, streams, calls to itself. It knows nothing of the
// agent but its report.
'use strict';

const { setTimeout: pause } = require('timers/promises');

exports.createApp = (express, http, takeRecords) => {
  const app = express();
  app.get('/agent/records', (_req, res) => res.json(takeRecords()));
  app.use(express.json());
  app.use(function first(_req, _res, next) {
    setImmediate(() => next());
  });
  app.param('id', (req, _res, next, id) => {
    req.id = Number(id);
    next(Number.isNaN(req.id) ? new TypeError(`not a number: ${id}`) : undefined);
  });

  app.get('/', (_req, res) => res.send('Hällo'));
  app.get('/plain', (_req, res) => {
    res.writeHead(203, 'Maybe', { 'X-Plain': 'yes' });
    res.write('one,');
    res.end(Buffer.from('two'));
  });
  app.get(
    '/things/:id',
    function loadThing(req, _res, next) {
      next();
    },
    function showThing(req, res) {
      res.json({ id: req.id });
    },
  );
  const inner = express.Router();
  inner.all('/deep/:name', (req, res) => res.status(201).json({ base: req.baseUrl, name: req.params.name, body: req.body }));
  inner.get('/skip', (_req, _res, next) => next('router'));
  const outer = express.Router();
  outer.use('/inner', inner);
  app.use('/outer', outer);
  app.get('/calls', (req, res, next) => {
    const { port } = req.socket.address();
    http
      .get({ port, path: '/things/7', agent: false }, (reply) => {
        let text = '';
        reply
          .setEncoding('utf8')
          .on('data', (chunk) => (text += chunk))
          .once('end', () => res.json({ text, trace: reply.headers['x-trace'] }));
      })
      .once('error', next);
  });
  app.get('/throws', () => {
    throw new Error('thrown');
  });
  app.get('/later', async (_req, res) => {
    for (const piece of ['a', 'b', 'c']) {
      await pause(2);
      res.write(piece);
    }
    res.end();
  });
  app.use(function failed(error, _req, res, _next) {
    res.status(500).json({ error: error.message });
  });
  return app;
};
