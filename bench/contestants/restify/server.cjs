// restify in the style of restify.com: one server, set up for the scenario that the harness names in
// `SCENARIO`. It stands between the harness, which starts and asks it, and the framework; it never logs and
// never loads what its scenario does not use.
'use strict';
const restify = require('restify');

const { plugins } = restify;
const server = restify.createServer();

const scenarios = {
  'hello-text'() {
    server.get('/', (req, res, next) => {
      res.contentType = 'text/plain';
      res.send('Hello, World!');
      next();
    });
  },

  'hello-json'() {
    server.get('/', (req, res, next) => {
      res.send({ message: 'Hello, World!' });
      next();
    });
  },

  'path-query'() {
    server.use(plugins.queryParser());
    server.get('/users/:id', (req, res, next) => {
      res.send({ id: req.params.id, page: req.query.page, sort: req.query.sort });
      next();
    });
  },

  'post-json'() {
    server.use(plugins.bodyParser());
    server.post('/users', (req, res, next) => {
      const { name, email, age } = req.body;
      res.send(201, { name, email, age });
      next();
    });
  },

  'chain-3'() {
    server.use((req, res, next) => {
      req.visited = 1;
      next();
    });
    server.use((req, res, next) => {
      req.visited += 1;
      next();
    });
    server.use((req, res, next) => {
      req.visited += 1;
      next();
    });
    server.get('/', (req, res, next) => {
      res.send({ visited: req.visited });
      next();
    });
  },

  'chain-5': () => require('./chain.cjs')(server),

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      server.get(`/route${route}/:name`, (req, res, next) => {
        res.send({ route, name: req.params.name });
        next();
      });
    }
  },

  urlencoded() {
    server.use(plugins.bodyParser());
    server.post('/form', (req, res, next) => {
      const { name, email, age } = req.body;
      res.send({ name, email, age });
      next();
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  'compressed-58k'() {
    const data = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8'));
    server.use(plugins.gzipResponse());
    server.get('/data', (req, res, next) => {
      res.send(data);
      next();
    });
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    server.get('/users', (req, res, next) => {
      res.send(users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
      next();
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    server.use(plugins.queryParser());
    server.get('/items', async (req, res) => {
      res.send(await items.list(Number(req.query.category)));
    });
  },

  'db-insert'() {
    const items = require('./items.cjs');
    server.use(plugins.bodyParser());
    server.post('/items', async (req, res) => {
      res.send(201, await items.insert(req.body));
    });
  },
};

function serveFiles() {
  server.get('/*', plugins.serveStaticFiles(process.env.STATIC_DIR));
}

function updateUser(kind) {
  const { BadRequestError } = require('restify-errors');
  const users = require('./users.cjs');
  server.use(plugins.bodyParser());
  server.post('/updateUser', (req, res, next) => {
    const user = users[kind].safeParse(req.body);
    if (!user.success) {
      next(new BadRequestError('the body is not a user'));
      return;
    }
    res.send(users.describe(user.data));
    next();
  });
}

scenarios[process.env.SCENARIO ?? 'hello-text']();
server.listen(Number(process.env.PORT), '127.0.0.1');
