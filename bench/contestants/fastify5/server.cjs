// Fastify 5 in the style of fastify.dev: one application, set up for the scenario that the harness names in
// `SCENARIO`, a JSON schema for each body and each JSON reply. It stands between the harness and the
// framework; it never logs and never loads what its scenario does not use.
'use strict';
const app = require('fastify')();

const object = (properties) => ({ type: 'object', properties });
const replyOf = (properties, status = 200) => ({ schema: { response: { [status]: object(properties) } } });
const text = { type: 'string' };
const integer = { type: 'integer' };

const scenarios = {
  'hello-text'() {
    app.get('/', (request, reply) => {
      reply.send('Hello, World!');
    });
  },

  'hello-json'() {
    app.get('/', replyOf({ message: text }), (request, reply) => {
      reply.send({ message: 'Hello, World!' });
    });
  },

  'path-query'() {
    app.get('/users/:id', replyOf({ id: text, page: text, sort: text }), (request, reply) => {
      const { page, sort } = request.query;
      reply.send({ id: request.params.id, page, sort });
    });
  },

  'post-json'() {
    app.post('/users', replyOf({ name: text, email: text, age: integer }, 201), (request, reply) => {
      const { name, email, age } = request.body;
      reply.code(201).send({ name, email, age });
    });
  },

  'chain-3'() {
    app.decorateRequest('visited', 0);
    app.addHook('onRequest', (request, reply, done) => {
      request.visited += 1;
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      request.visited += 1;
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      request.visited += 1;
      done();
    });
    app.get('/', replyOf({ visited: integer }), (request, reply) => {
      reply.send({ visited: request.visited });
    });
  },

  'chain-5': () => require('./chain.cjs')(app),

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    const options = replyOf({ route: integer, name: text });
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, options, (request, reply) => {
        reply.send({ route, name: request.params.name });
      });
    }
  },

  urlencoded() {
    app.register(require('@fastify/formbody'));
    app.post('/form', replyOf({ name: text, email: text, age: text }), (request, reply) => {
      const { name, email, age } = request.body;
      reply.send({ name, email, age });
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  async 'compressed-58k'() {
    const data = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8'));
    await app.register(require('@fastify/compress'));
    app.get('/data', (request, reply) => {
      reply.send(data);
    });
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),
  'update-user-month': () => addMonth('month'),
  'update-user-union': () => addMonth('union'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    const user = object({ id: integer, name: text, createdAt: { type: 'string', format: 'date-time' } });
    app.get('/users', { schema: { response: { 200: { type: 'array', items: user } } } }, (request, reply) => {
      reply.send(users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    const { item } = require('./schemas.cjs');
    app.get('/items', { schema: { response: { 200: { type: 'array', items: item } } } }, (request) =>
      items.list(Number(request.query.category)),
    );
  },

  'db-insert'() {
    const items = require('./items.cjs');
    app.post('/items', replyOf({ name: text, category: integer, price: { type: 'number' } }, 201), async (request, reply) => {
      reply.code(201);
      return items.insert(request.body);
    });
  },
};

function serveFiles() {
  app.register(require('@fastify/static'), { root: process.env.STATIC_DIR });
}

function updateUser(kind) {
  const { revive, describe, [kind]: schema } = require('./users.cjs');
  app.post('/updateUser', { schema }, (request, reply) => {
    reply.send(describe(revive(request.body)));
  });
}

function addMonth(kind) {
  const { addMonth: add, [kind]: schema } = require('./months.cjs');
  app.post('/updateUser', { schema }, (request, reply) => {
    reply.send(add(request.body));
  });
}

async function start() {
  await scenarios[process.env.SCENARIO ?? 'hello-text']();
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}

void start();
