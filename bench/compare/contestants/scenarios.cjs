// What the Express applications serve. Written as the Express guide writes it; nothing here knows which implementation runs it.
'use strict';

const routeCount = 1000;

function hello(app) {
  app.get('/', (req, res) => {
    res.json({ hello: 'world' });
  });
}

function middleware(app) {
  for (let index = 0; index < 5; index += 1) {
    app.use((req, res, next) => {
      req.visited = index;
      next();
    });
  }
  hello(app);
}

function routes(app) {
  for (let index = 0; index < routeCount; index += 1) {
    app.get(`/route${index}/:name`, (req, res) => {
      res.json({ hello: req.params.name });
    });
  }
}

function post(app, express) {
  app.use(express.json());
  app.post('/users', (req, res) => {
    const { name, email, age } = req.body;
    res.status(201).json({ name, email, age });
  });
}

function files(app, express) {
  app.use(express.static(process.env.STATIC_DIR));
}

module.exports = { hello, middleware, routes, post, static: files };
