// hapi in the style of hapi.dev: one server, set up for the scenario that the harness names in `SCENARIO`. It
// stands between the harness, which starts and asks it, and the framework; it never logs and never loads what
// its scenario does not use.
'use strict';
const Hapi = require('@hapi/hapi');

const server = Hapi.server({ port: Number(process.env.PORT), host: '127.0.0.1' });

const scenarios = {
  'hello-text'() {
    server.route({ method: 'GET', path: '/', handler: (request, h) => h.response('Hello, World!').type('text/plain') });
  },

  'hello-json'() {
    server.route({ method: 'GET', path: '/', handler: () => ({ message: 'Hello, World!' }) });
  },

  'path-query'() {
    server.route({
      method: 'GET',
      path: '/users/{id}',
      handler: ({ params, query }) => ({ id: params.id, page: query.page, sort: query.sort }),
    });
  },

  'post-json'() {
    server.route({
      method: 'POST',
      path: '/users',
      handler: (request, h) => {
        const { name, email, age } = request.payload;
        return h.response({ name, email, age }).code(201);
      },
    });
  },

  'chain-3'() {
    server.ext('onRequest', (request, h) => {
      request.app.visited = 1;
      return h.continue;
    });
    server.ext('onRequest', (request, h) => {
      request.app.visited += 1;
      return h.continue;
    });
    server.ext('onRequest', (request, h) => {
      request.app.visited += 1;
      return h.continue;
    });
    server.route({ method: 'GET', path: '/', handler: (request) => ({ visited: request.app.visited }) });
  },

  'chain-5': () => require('./chain.cjs')(server),

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      server.route({ method: 'GET', path: `/route${route}/{name}`, handler: (request) => ({ route, name: request.params.name }) });
    }
  },

  urlencoded() {
    server.route({
      method: 'POST',
      path: '/form',
      handler: (request) => {
        const { name, email, age } = request.payload;
        return { name, email, age };
      },
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  // hapi compresses of itself what is large enough and asked for.
  'compressed-58k'() {
    const data = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8'));
    server.route({ method: 'GET', path: '/data', handler: () => data });
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    server.route({
      method: 'GET',
      path: '/users',
      handler: () => users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })),
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    server.route({ method: 'GET', path: '/items', handler: (request) => items.list(Number(request.query.category)) });
  },

  'db-insert'() {
    const items = require('./items.cjs');
    server.route({
      method: 'POST',
      path: '/items',
      handler: async (request, h) => h.response(await items.insert(request.payload)).code(201),
    });
  },
};

async function serveFiles() {
  await server.register(require('@hapi/inert'));
  server.route({ method: 'GET', path: '/{param*}', handler: { directory: { path: process.env.STATIC_DIR } } });
}

function updateUser(kind) {
  const { describe, [kind]: payload } = require('./users.cjs');
  server.route({
    method: 'POST',
    path: '/updateUser',
    options: { validate: { payload } },
    handler: (request) => describe(request.payload),
  });
}

async function start() {
  await scenarios[process.env.SCENARIO ?? 'hello-text']();
  await server.start();
}

void start();
