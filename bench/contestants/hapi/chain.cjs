// The chain of five: error handler, logger, authentication, CORS, router, each by hapi's own means (extension
// points, an authentication scheme, the route option `cors`). `server.cjs` loads it for the scenario
// `chain-5` alone; the logger measures and never writes.
'use strict';
const Boom = require('@hapi/boom');

const users = new Map([['secret', 'ada']]);

module.exports = function chain(server) {
  server.ext('onPreResponse', handleError);
  server.ext('onRequest', startLog);
  server.events.on('response', endLog);
  server.auth.scheme('bearer', () => ({ authenticate }));
  server.auth.strategy('users', 'bearer');
  server.auth.default('users');
  server.route({
    method: 'GET',
    path: '/',
    // `ignore`: the field is sent to requests without `Origin` too, as the scenario wants it.
    options: { cors: { origin: 'ignore' } },
    handler: (request) => ({ user: request.auth.credentials.user, message: 'Hello, World!' }),
  });
};

function startLog(request, h) {
  request.app.startedAt = process.hrtime.bigint();
  return h.continue;
}

function endLog(request) {
  request.app.durationMs = Number(process.hrtime.bigint() - request.app.startedAt) / 1e6;
}

function authenticate(request, h) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) throw Boom.unauthorized();
  return h.authenticated({ credentials: { user } });
}

function handleError({ response }, h) {
  if (!response.isBoom) return h.continue;
  const { statusCode } = response.output;
  return h.response({ error: statusCode === 401 ? 'Unauthorized' : 'Internal Server Error' }).code(statusCode);
}
