// The chain of five: error handler, logger, authentication, CORS, router; hooks are Fastify's middleware.
// `server.cjs` loads it for the scenario `chain-5` alone; the logger measures every exchange and never
// writes.
'use strict';

const users = new Map([['secret', 'ada']]);

const schema = {
  response: { 200: { type: 'object', properties: { user: { type: 'string' }, message: { type: 'string' } } } },
};

module.exports = function chain(app) {
  app.setErrorHandler(handleError);
  app.decorateRequest('startedAt', 0n);
  app.decorateRequest('durationMs', 0);
  app.decorateRequest('user', '');
  app.addHook('onRequest', startLog);
  app.addHook('onResponse', endLog);
  app.addHook('onRequest', authenticate);
  app.register(require('@fastify/cors'));
  app.register(routes);
};

function startLog(request, reply, done) {
  request.startedAt = process.hrtime.bigint();
  done();
}

function endLog(request, reply, done) {
  request.durationMs = Number(process.hrtime.bigint() - request.startedAt) / 1e6;
  done();
}

function authenticate(request, reply, done) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    reply.code(401).send({ error: 'Unauthorized' });
    return;
  }
  request.user = user;
  done();
}

async function routes(router) {
  router.get('/', { schema }, (request, reply) => {
    reply.send({ user: request.user, message: 'Hello, World!' });
  });
}

function handleError(error, request, reply) {
  reply.code(error.statusCode ?? 500).send({ error: 'Internal Server Error' });
}
