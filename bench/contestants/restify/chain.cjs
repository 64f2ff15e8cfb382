// The chain of five: error handler, logger, authentication, CORS, router. `server.cjs` loads it for the
// scenario `chain-5` alone; the logger measures every exchange and never writes.
'use strict';
const { UnauthorizedError } = require('restify-errors');

const users = new Map([['secret', 'ada']]);

module.exports = function chain(server) {
  server.on('restifyError', handleError);
  server.pre(startLog);
  server.on('after', endLog);
  server.use(authenticate);
  server.use(allowOrigins);
  server.get('/', (req, res, next) => {
    res.send({ user: req.user, message: 'Hello, World!' });
    next();
  });
};

function startLog(req, res, next) {
  req.startedAt = process.hrtime.bigint();
  next();
}

function endLog(req) {
  req.durationMs = Number(process.hrtime.bigint() - req.startedAt) / 1e6;
}

function authenticate(req, res, next) {
  const [scheme, token] = (req.header('authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    next(new UnauthorizedError('Unauthorized'));
    return;
  }
  req.user = user;
  next();
}

// restify has no CORS plugin of its own.
function allowOrigins(req, res, next) {
  res.header('Access-Control-Allow-Origin', '*');
  next();
}

// What the error formatters then write in place of the error itself.
function handleError(req, res, error, callback) {
  error.toJSON = () => ({ error: error.statusCode === 401 ? 'Unauthorized' : 'Internal Server Error' });
  callback();
}
