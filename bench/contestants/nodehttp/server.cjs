// `node:http` alone, as Node's guide programs it: a listener that looks at method and URL, collects the body
// and ends the reply. It stands between the harness, which starts and asks it, and Node; it never logs and
// never loads what its scenario does not use.
'use strict';
const http = require('node:http');
const { collect, sendJson, sendText, toUrl } = require('./exchange.cjs');

const scenarios = {
  'hello-text': () => (req, res) => {
    if (req.method === 'GET' && req.url === '/') sendText(res, 200, 'Hello, World!');
    else sendText(res, 404, 'Not Found');
  },

  'hello-json': () => (req, res) => {
    if (req.method === 'GET' && req.url === '/') sendJson(res, 200, { message: 'Hello, World!' });
    else sendText(res, 404, 'Not Found');
  },

  'path-query': () => (req, res) => {
    const { pathname, searchParams } = toUrl(req);
    const found = req.method === 'GET' ? /^\/users\/([^/]+)$/.exec(pathname) : null;
    if (found === null) {
      sendText(res, 404, 'Not Found');
      return;
    }
    sendJson(res, 200, { id: decodeURIComponent(found[1]), page: searchParams.get('page'), sort: searchParams.get('sort') });
  },

  'post-json': () =>
    onPost('/users', async (req, res) => {
      const { name, email, age } = JSON.parse(await collect(req));
      sendJson(res, 201, { name, email, age });
    }),

  'chain-3': () => require('./chains.cjs').three,
  'chain-5': () => require('./chains.cjs').five,
  routes: () => require('./routes.cjs').createListener(Number(process.env.ROUTES ?? 1000)),

  urlencoded: () =>
    onPost('/form', async (req, res) => {
      const form = new URLSearchParams(await collect(req));
      sendJson(res, 200, { name: form.get('name'), email: form.get('email'), age: form.get('age') });
    }),

  'static-10k': () => require('./files.cjs').createListener(process.env.STATIC_DIR),
  'static-1m': () => require('./files.cjs').createListener(process.env.STATIC_DIR),
  'compressed-58k': () => require('./compressed.cjs').createListener(process.env.DATA_FILE),
  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),
  'update-user-month': () => updateUser('month', './months.cjs'),
  'update-user-union': () => updateUser('union', './months.cjs'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    return onGet('/users', (req, res) => {
      const list = users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt }));
      sendJson(res, 200, list);
    });
  },

  'db-read'() {
    const items = require('./items.cjs');
    return async (req, res) => {
      const { pathname, searchParams } = toUrl(req);
      if (req.method !== 'GET' || pathname !== '/items') sendText(res, 404, 'Not Found');
      else sendJson(res, 200, await items.list(Number(searchParams.get('category'))));
    };
  },

  'db-insert'() {
    const items = require('./items.cjs');
    return onPost('/items', async (req, res) => {
      sendJson(res, 201, await items.insert(JSON.parse(await collect(req))));
    });
  },
};

function updateUser(kind, bodies = './users.cjs') {
  const { check, describe } = require(bodies)[kind];
  return onPost('/updateUser', async (req, res) => {
    const user = JSON.parse(await collect(req));
    const error = check(user);
    if (error === undefined) sendJson(res, 200, describe(user));
    else sendJson(res, 400, { error });
  });
}

function onGet(path, handler) {
  return on('GET', path, handler);
}

function onPost(path, handler) {
  return on('POST', path, handler);
}

/**
 * A listener for one method and path; a body that is not JSON is the client's error, everything else the
 * server's.
 */
function on(method, path, handler) {
  return async (req, res) => {
    if (req.method !== method || req.url !== path) {
      sendText(res, 404, 'Not Found');
      return;
    }
    try {
      await handler(req, res);
    } catch (error) {
      sendJson(res, error instanceof SyntaxError ? 400 : 500, { error: error.message });
    }
  };
}

const listener = scenarios[process.env.SCENARIO ?? 'hello-text']();
http.createServer(listener).listen(Number(process.env.PORT), '127.0.0.1');
