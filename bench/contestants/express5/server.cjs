// Express 5 in the style of expressjs.com: one application, set up for the scenario that the harness names in
// `SCENARIO`. It stands between the harness, which starts and asks it, and the framework; it never logs and
// never loads what its scenario does not use.
'use strict';
const express = require('express');

const app = express();

const scenarios = {
  'hello-text'() {
    app.get('/', (req, res) => {
      res.type('text/plain').send('Hello, World!');
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
    app.use(express.json());
    app.post('/users', (req, res) => {
      const { name, email, age } = req.body;
      res.status(201).json({ name, email, age });
    });
  },

  'chain-3'() {
    app.use((req, res, next) => {
      res.locals.visited = 1;
      next();
    });
    app.use((req, res, next) => {
      res.locals.visited += 1;
      next();
    });
    app.use((req, res, next) => {
      res.locals.visited += 1;
      next();
    });
    app.get('/', (req, res) => {
      res.json({ visited: res.locals.visited });
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
    app.use(express.urlencoded({ extended: false }));
    app.post('/form', (req, res) => {
      const { name, email, age } = req.body;
      res.json({ name, email, age });
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  'compressed-58k'() {
    const data = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8'));
    app.use(require('compression')());
    app.get('/data', (req, res) => {
      res.json(data);
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
    app.get('/users', (req, res) => {
      res.json(users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
    });
  },

  'json-transform'() {
    const text = require('node:fs').readFileSync(process.env.ORDERS_FILE, 'utf8');
    const { summarise } = require('./orders.cjs');
    app.get('/summary', (req, res) => {
      res.json(summarise(JSON.parse(text)));
    });
  },

  template() {
    const items = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8')).slice(0, 300);
    const { page } = require('./page.cjs');
    app.get('/page', (req, res) => {
      res.send(page({ title: 'Stock', items }));
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
    app.use(express.json());
    app.post('/items', async (req, res) => {
      res.status(201).json(await items.insert(req.body));
    });
  },
};

function serveFiles() {
  app.use(express.static(process.env.STATIC_DIR));
}

function updateUser(kind) {
  const users = require('./users.cjs');
  app.use(express.json());
  app.post('/updateUser', (req, res) => {
    const user = users[kind].safeParse(req.body);
    if (user.success) res.json(users.describe(user.data));
    else res.status(400).json({ errors: user.error.issues });
  });
}

function addMonth(kind) {
  const months = require('./months.cjs');
  app.use(express.json());
  app.post('/updateUser', (req, res) => {
    const user = months[kind].safeParse(req.body);
    if (user.success) res.json(months.addMonth(user.data));
    else res.status(400).json({ errors: user.error.issues });
  });
}

scenarios[process.env.SCENARIO ?? 'hello-text']();
app.listen(Number(process.env.PORT), '127.0.0.1');
