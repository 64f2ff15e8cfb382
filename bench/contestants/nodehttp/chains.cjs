// The two middleware chains without a framework: functions that are called one after the other, each with the
// next as a callback. `server.cjs` loads them for the scenarios `chain-3` and `chain-5`; the logger measures
// every exchange and never writes.
'use strict';
const { sendJson, sendText } = require('./exchange.cjs');

const users = new Map([['secret', 'ada']]);

/** One listener of many steps `(req, res, next)`; it runs the step after when the one before calls `next`. */
function chain(steps) {
  return (req, res) => {
    let index = 0;
    const next = () => {
      const step = steps[index];
      index += 1;
      step(req, res, next);
    };
    next();
  };
}

function count(req, res, next) {
  req.visited = (req.visited ?? 0) + 1;
  next();
}

function handleErrors(req, res, next) {
  try {
    next();
  } catch (error) {
    sendJson(res, 500, { error: error.message });
  }
}

function logger(req, res, next) {
  const start = process.hrtime.bigint();
  res.on('finish', () => {
    res.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
  });
  next();
}

function authenticate(req, res, next) {
  const [scheme, token] = (req.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    sendJson(res, 401, { error: 'Unauthorized' });
    return;
  }
  req.user = user;
  next();
}

function cors(req, res, next) {
  res.setHeader('Access-Control-Allow-Origin', '*');
  next();
}

/** The last step: `answer` for GET /, 404 for everything else. */
function route(answer) {
  return (req, res) => {
    if (req.method === 'GET' && req.url === '/') sendJson(res, 200, answer(req));
    else sendText(res, 404, 'Not Found');
  };
}

const three = chain([count, count, count, route((req) => ({ visited: req.visited }))]);
const five = chain([handleErrors, logger, authenticate, cors, route((req) => ({ user: req.user, message: 'Hello, World!' }))]);

module.exports = { three, five };
