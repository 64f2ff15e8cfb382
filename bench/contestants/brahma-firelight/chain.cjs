// The chain of five: the framework's own error handler (its `next` answers what a handler throws with 500; it
// takes no other), logger, authentication, CORS, route. `server.cjs` loads it for the scenario `chain-5`
// alone; the logger measures every exchange and never writes.
'use strict';

const users = new Map([['secret', 'ada']]);

module.exports = function chain(app) {
  app.use(measure);
  app.use(authenticate);
  app.use(allowOrigins);
  app.get('/', (req, res) => {
    res.json({ user: req.user, message: 'Hello, World!' });
  });
};

// The framework has no event for the end of a reply: handlers are synchronous here, so the reply is sent when
// `next` returns.
function measure(req, res, next) {
  const start = process.hrtime.bigint();
  next();
  req.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
}

function authenticate(req, res, next) {
  const [scheme, token] = (req.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    res.json({ error: 'Unauthorized' }, 401);
    return;
  }
  req.user = user;
  next();
}

function allowOrigins(req, res, next) {
  res.setHeader('Access-Control-Allow-Origin', '*');
  next();
}
