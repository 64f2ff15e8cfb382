/** express(): the module's own members and what a fresh application looks like. */
import { EventEmitter } from 'node:events';
import { defineSuite } from '../harness/suite.ts';
import { builds, echo, serves, wrong } from './kit.ts';

const MEMBERS = ['application', 'request', 'response', 'Route', 'Router', 'json', 'raw', 'static', 'text', 'urlencoded'];

defineSuite([
  builds('the module is a function with the documented members and no others', (express, ctx) => {
    ctx.record(typeof express, Object.keys(express).sort());
    for (const member of MEMBERS) ctx.record(member, typeof Reflect.get(express, member));
  }),
  builds('the removed middleware of Express 3 is absent', (express, ctx) => {
    for (const name of ['bodyParser', 'cookieParser', 'session', 'logger', 'query', 'compress', 'csrf', 'errorHandler']) {
      ctx.attempt(name, () => Reflect.get(express, name));
    }
  }),
  builds('an app is a function of three parameters that emits events', (express, ctx) => {
    const app = express();
    ctx.record(typeof app, app.length, app.name);
    for (const name of Object.getOwnPropertyNames(EventEmitter.prototype)) {
      if (typeof Reflect.get(EventEmitter.prototype, name) === 'function' && !name.startsWith('_'))
        ctx.record(name, typeof Reflect.get(app, name));
    }
  }),
  builds('a fresh app has the documented settings', (express, ctx) => {
    const app = express();
    const { view: _view, ...rest } = app.settings;
    ctx.record(Object.keys(app.settings));
    for (const [name, value] of Object.entries(rest)) ctx.record(name, typeof value === 'function' ? 'function' : value);
    ctx.record(Object.getPrototypeOf(app.settings), typeof app.get('view'));
  }),
  builds('a fresh app has empty locals, engines and cache without prototypes', (express, ctx) => {
    const app = express();
    ctx.record(Object.keys(app.locals), app.locals['settings'] === app.settings, Object.getPrototypeOf(app.locals));
    ctx.record(app.engines, app.cache, app.mountpath, app.parent, app.path());
  }),
  builds('an app has one method per HTTP method, and all', (express, ctx) => {
    const app = express();
    const methods = [
      'get',
      'post',
      'put',
      'head',
      'delete',
      'options',
      'trace',
      'copy',
      'lock',
      'mkcol',
      'move',
      'purge',
      'propfind',
      'proppatch',
      'unlock',
      'report',
      'mkactivity',
      'checkout',
      'merge',
      'm-search',
      'notify',
      'subscribe',
      'unsubscribe',
      'patch',
      'search',
      'connect',
      'all',
      'del',
      'link',
      'unlink',
      'bind',
      'acl',
      'source',
      'rebind',
      'unbind',
      'mkcalendar',
      'query',
    ];
    for (const method of methods) ctx.record(method, typeof Reflect.get(app, method), typeof Reflect.get(express.Router(), method));
  }),
  builds('the app prototype has the documented methods', (express, ctx) => {
    const names = Object.keys(express.application).filter(
      (name) => !/^[a-z-]+$/.test(name) || typeof Reflect.get(express.application, name) === 'function',
    );
    ctx.record(names.sort());
    for (const name of ['init', 'handle', 'use', 'engine', 'set', 'render', 'listen', 'param', 'enable']) {
      ctx.record(name, wrong(express.application)[name]?.length);
    }
  }),
  builds('the request prototype has the documented members', (express, ctx) => {
    ctx.record(Object.keys(express.request).sort());
  }),
  builds('the response prototype has the documented members', (express, ctx) => {
    ctx.record(Object.keys(express.response).sort());
  }),
  builds('two apps share no settings, locals or engines', (express, ctx) => {
    const [one, two] = [express(), express()];
    one.set('title', 'one').engine('x', () => undefined);
    one.locals['a'] = 1;
    ctx.record(two.get('title'), two.engines, Object.keys(two.locals), one.request === two.request);
  }),
  builds('app.request and app.response inherit from the module prototypes and know their app', (express, ctx) => {
    const app = express();
    ctx.record(Object.getPrototypeOf(app.request) === express.request, Object.getPrototypeOf(app.response) === express.response);
    ctx.record(app.request.app === app, app.response.app === app, Object.keys(app.request), Object.keys(app.response));
  }),
  serves(
    'a method added to express.request and express.response is on every request',
    (app, express) => {
      Reflect.set(express.request, 'xShout', function shout(this: { url: string }) {
        return this.url.toUpperCase();
      });
      app.get('/a', (req, res) => res.send(wrong(req)['xShout']?.()));
    },
    ['GET /a'],
  ),
  serves(
    'a method added to app.response stays with that app',
    (app, express) => {
      Reflect.set(app.response, 'xHello', function hello(this: { end(text: string): void }) {
        this.end('hello');
      });
      const other = express();
      app.get('/a', (_req, res) => wrong(res)['xHello']?.());
      app.get('/b', (_req, res) => res.json(Reflect.has(other.response, 'xHello')));
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    'a getter redefined on app.request wins over the built-in one',
    (app) => {
      Object.defineProperty(app.request, 'ip', { configurable: true, enumerable: true, get: () => '203.0.113.9' });
      app.get('/', (req, res) => res.send(req.ip));
    },
    ['GET /'],
  ),
  serves(
    'a method redefined on express.response is called by the others',
    (app) => {
      const original = app.response.json;
      app.response.json = function json(body: unknown) {
        return original.call(this, { wrapped: body }) as typeof this;
      };
      app.get('/', (_req, res) => res.send({ a: 1 }));
    },
    ['GET /'],
  ),
  serves(
    'a send redefined on app.response is called by json, jsonp and sendStatus',
    (app) => {
      const original = app.response.send;
      app.response.send = function send(body: unknown) {
        this.set('X-Via', 'send');
        return original.call(this, body) as typeof this;
      };
      app
        .get('/json', (_req, res) => res.json(1))
        .get('/jsonp', (_req, res) => res.jsonp(1))
        .get('/status', (_req, res) => res.sendStatus(202));
    },
    ['GET /json', 'GET /jsonp', 'GET /status'],
  ),
  serves(
    'req and res know each other, their app and the next function',
    (app, _express, ctx) => {
      app.get('/', (req, res, next) => {
        ctx.record(req.res === res, res.req === req, req.app === app, res.app === app, typeof req.next, typeof next);
        ctx.record(
          Object.getPrototypeOf(req) === app.request,
          Object.getPrototypeOf(res) === app.response,
          Object.getPrototypeOf(res.locals),
        );
        res.end();
      });
    },
    ['GET /'],
  ),
  {
    name: 'an app can be called as a plain listener with a fallback that gets the unhandled request',
    app: (express, ctx) => {
      const app = express();
      app.get('/known', echo);
      return (req, res) =>
        app(req, res, (error) => {
          ctx.record('fallback', error, req.url);
          res.end('fallback');
        });
    },
    requests: ['GET /known', 'GET /unknown'],
  },
  {
    name: 'app.handle with a callback receives the error of the chain',
    app: (express, ctx) => {
      const app = express().use(() => {
        throw new Error('boom');
      });
      return (req, res) =>
        app.handle(req, res, (error) => {
          ctx.record(error);
          res.end('caught');
        });
    },
    requests: ['GET /'],
  },
]);
