// brahma-firelight in the style of its README: one application, set up for the scenario that the harness
// names in `SCENARIO`. It stands between the harness, which starts and asks it, and the framework; it never
// logs and never loads what its scenario does not use.
'use strict';
const { createApp } = require('brahma-firelight');

const app = createApp();

const scenarios = {
  'hello-text'() {
    app.get('/', (req, res) => {
      res.text('Hello, World!');
    });
  },

  'hello-json'() {
    app.get('/', (req, res) => {
      res.json({ message: 'Hello, World!' });
    });
  },

  'path-query'() {
    app.get('/users/:id', (req, res) => {
      res.json({ id: req.params.id, page: req.query.page, sort: req.query.sort });
    });
  },

  'post-json'() {
    app.post('/users', (req, res) => {
      const { name, email, age } = JSON.parse(req.body);
      res.json({ name, email, age }, 201);
    });
  },

  'chain-3'() {
    app.use((req, res, next) => {
      req.visited = 1;
      next();
    });
    app.use((req, res, next) => {
      req.visited += 1;
      next();
    });
    app.use((req, res, next) => {
      req.visited += 1;
      next();
    });
    app.get('/', (req, res) => {
      res.json({ visited: req.visited });
    });
  },

  'chain-5': () => require('./chain.cjs')(app),

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, (req, res) => {
        res.json({ route, name: req.params.name });
      });
    }
  },

  urlencoded() {
    const querystring = require('node:querystring');
    app.post('/form', (req, res) => {
      const { name, email, age } = querystring.parse(req.body.toString());
      res.json({ name, email, age });
    });
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    app.get('/users', (req, res) => {
      res.json(users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    app.get('/items', async (req, res) => {
      res.json(await items.list(Number(req.query.category)));
    });
  },

  'db-insert'() {
    const items = require('./items.cjs');
    app.post('/items', async (req, res) => {
      res.json(await items.insert(JSON.parse(req.body)), 201);
    });
  },
};

function updateUser(kind) {
  const users = require('./users.cjs');
  app.post('/updateUser', (req, res) => {
    const user = users[kind].safeParse(JSON.parse(req.body));
    if (user.success) res.json(users.describe(user.data));
    else res.json({ errors: user.error.issues }, 400);
  });
}

scenarios[process.env.SCENARIO ?? 'hello-text']();
app.listen('127.0.0.1', Number(process.env.PORT));
