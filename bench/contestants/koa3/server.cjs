// Koa 3 in the style of koajs.com: one application, set up for the scenario that the harness names in
// `SCENARIO`. It stands between the harness, which starts and asks it, and the framework; it never logs and
// never loads what its scenario does not use.
'use strict';
const Koa = require('koa');

const app = new Koa();

const scenarios = {
  'hello-text'() {
    app.use((ctx) => {
      ctx.body = 'Hello, World!';
    });
  },

  'hello-json'() {
    app.use((ctx) => {
      ctx.body = { message: 'Hello, World!' };
    });
  },

  'path-query'() {
    withRouter((router) => {
      router.get('/users/:id', (ctx) => {
        ctx.body = { id: ctx.params.id, page: ctx.query.page, sort: ctx.query.sort };
      });
    });
  },

  'post-json'() {
    parseBodies();
    withRouter((router) => {
      router.post('/users', (ctx) => {
        const { name, email, age } = ctx.request.body;
        ctx.status = 201;
        ctx.body = { name, email, age };
      });
    });
  },

  'chain-3'() {
    app.use((ctx, next) => {
      ctx.state.visited = 1;
      return next();
    });
    app.use((ctx, next) => {
      ctx.state.visited += 1;
      return next();
    });
    app.use((ctx, next) => {
      ctx.state.visited += 1;
      return next();
    });
    app.use((ctx) => {
      ctx.body = { visited: ctx.state.visited };
    });
  },

  'chain-5': () => require('./chain.cjs')(app),

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    withRouter((router) => {
      for (let route = 0; route < count; route += 1) {
        router.get(`/route${route}/:name`, (ctx) => {
          ctx.body = { route, name: ctx.params.name };
        });
      }
    });
  },

  urlencoded() {
    parseBodies();
    withRouter((router) => {
      router.post('/form', (ctx) => {
        const { name, email, age } = ctx.request.body;
        ctx.body = { name, email, age };
      });
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  'compressed-58k'() {
    const data = JSON.parse(require('node:fs').readFileSync(process.env.DATA_FILE, 'utf8'));
    app.use(require('koa-compress')());
    withRouter((router) => {
      router.get('/data', (ctx) => {
        ctx.body = data;
      });
    });
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    withRouter((router) => {
      router.get('/users', (ctx) => {
        ctx.body = users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt }));
      });
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    withRouter((router) => {
      router.get('/items', async (ctx) => {
        ctx.body = await items.list(Number(ctx.query.category));
      });
    });
  },

  'db-insert'() {
    const items = require('./items.cjs');
    parseBodies();
    withRouter((router) => {
      router.post('/items', async (ctx) => {
        ctx.status = 201;
        ctx.body = await items.insert(ctx.request.body);
      });
    });
  },
};

function withRouter(define) {
  const Router = require('@koa/router');
  const router = new Router();
  define(router);
  app.use(router.routes()).use(router.allowedMethods());
}

function parseBodies() {
  const { bodyParser } = require('@koa/bodyparser');
  app.use(bodyParser());
}

function serveFiles() {
  app.use(require('koa-static')(process.env.STATIC_DIR));
}

function updateUser(kind) {
  const users = require('./users.cjs');
  parseBodies();
  withRouter((router) => {
    router.post('/updateUser', (ctx) => {
      const user = users[kind].safeParse(ctx.request.body);
      if (user.success) {
        ctx.body = users.describe(user.data);
      } else {
        ctx.status = 400;
        ctx.body = { errors: user.error.issues };
      }
    });
  });
}

scenarios[process.env.SCENARIO ?? 'hello-text']();
app.listen(Number(process.env.PORT), '127.0.0.1');
