// The chain of five: error handler, logger, authentication, CORS, router. `server.cjs` loads it for the
// scenario `chain-5` alone; the logger measures every exchange and never writes.
'use strict';
const cors = require('cors');
const express = require('express');

const users = new Map([['secret', 'ada']]);

module.exports = function chain(app) {
  app.use(logger);
  app.use(authenticate);
  app.use(cors());
  app.use(createRouter());
  app.use(handleError);
};

function logger(req, res, next) {
  const start = process.hrtime.bigint();
  res.on('finish', () => {
    res.locals.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
  });
  next();
}

function authenticate(req, res, next) {
  const [scheme, token] = (req.get('authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    res.status(401).json({ error: 'Unauthorized' });
    return;
  }
  req.user = user;
  next();
}

function createRouter() {
  const router = express.Router();
  router.get('/', (req, res) => {
    res.json({ user: req.user, message: 'Hello, World!' });
  });
  return router;
}

// Express takes a function of four parameters for an error handler; it stands last, where all errors arrive.
function handleError(error, req, res, _next) {
  res.status(error.status ?? 500).json({ error: 'Internal Server Error' });
}
