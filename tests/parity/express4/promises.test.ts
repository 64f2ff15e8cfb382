/**
 * Promises in Express 4: what a handler returns is never looked at, so a rejection leaves the request open
 * until the client goes.
 */
import type { CaseContext, ParityCase } from '../harness/case.ts';
import type { App, ExpressModule, Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { onError, serves } from '../express/kit.ts';
import { notFound } from './kit.ts';

type Build = (app: App, fail: Handler, ctx: CaseContext, express: ExpressModule) => void;

/**
 * The ways of failing without a throw. Each returns something that a version which looked at it would have to
 * notice.
 */
const FAILURES: Readonly<Record<string, Handler>> = {
  'an async function that throws': async () => {
    await Promise.resolve();
    throw new Error('later');
  },
  'a promise rejected with nothing': () => Promise.reject(),
  'a promise rejected with a string': () => Promise.reject('text'),
  'a promise that never ends': () => new Promise(() => undefined),
  'a promise that is fulfilled': () => Promise.resolve('value'),
  'a thenable that rejects': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- the case is about objects with `then`
    then: (_done: unknown, failed: (error: Error) => void) => failed(new Error('thenable')),
  }),
  'a thenable whose then throws': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- the case is about objects with `then`
    get then(): never {
      throw new Error('then was read');
    },
  }),
};

const PLACES: Readonly<Record<string, Build>> = {
  middleware: (app, fail) => app.use(fail),
  'a route': (app, fail) => app.get('/', fail),
  'a second handler of a route': (app, fail) => app.get('/', (_req, _res, next) => next(), fail),
  'an error handler': (app, fail) => {
    app.use((_req, _res, next) => next(new Error('first')));
    app.use(onError((_error, req, res, next) => fail(req, res, next)));
  },
  'a param callback': (app, fail) => {
    app.param('id', (req, res, next) => fail(req, res, next));
    app.get('/:id?', fail);
  },
  'a mounted router': (app, fail, _ctx, express) => app.use(express.Router().get('/', fail)),
};

/**
 * The client sends a request, learns from the program that the handler has run, waits for what follows, and
 * goes away.
 */
function unanswered(label: string, fail: Handler, build: Build): ParityCase {
  let arrived: () => void = () => undefined;
  let arrival = Promise.resolve();
  return {
    name: label,
    app: (express, ctx) => {
      arrival = new Promise((resolve) => (arrived = resolve));
      const left = ctx.pending();
      const app = express();
      app.use((_req, res, next) => {
        res.once('close', () => {
          ctx.record('left', res.headersSent, res.writableEnded, res.statusCode);
          left();
        });
        next();
      });
      const noted: Handler = (req, res, next) => {
        ctx.record('called');
        arrived();
        return fail(req, res, next);
      };
      build(app, noted, ctx, express);
      app.use(notFound).use(onError((error) => ctx.record('never an error handler', error)));
      return app;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await arrival;
      // Long enough for microtasks and everything deferred with setImmediate, on however slow a machine.
      for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
      record('bytes read', connection.socket.bytesRead);
      connection.socket.destroy();
    },
  };
}

const table = Object.entries(FAILURES).flatMap(([what, fail]) =>
  Object.entries(PLACES).map(([where, build]) => unanswered(`${what}, returned by ${where}, leaves the request unanswered`, fail, build)),
);

defineSuite(
  [
    ...table,
    serves(
      'errors caught by the program and handed to next go to the error handler',
      (app, _express, ctx) => {
        const wrap =
          (fn: (...args: Parameters<Handler>) => Promise<unknown>): Handler =>
          async (req, res, next) => {
            try {
              await fn(req, res, next);
            } catch (error) {
              next(error);
            }
          };
        app.get(
          '/fail',
          wrap(() => Promise.reject(Object.assign(new Error('caught'), { status: 418 }))),
        );
        app.get(
          '/fine',
          wrap(async (_req, res) => res.send(await Promise.resolve('fine'))),
        );
        app.get(
          '/twice',
          wrap(async (_req, res, next) => {
            await Promise.resolve();
            next();
            throw new Error(`after next, sent ${String(res.headersSent)}`);
          }),
        );
        app.get('/twice', (_req, res) => void res.send('answered'));
        app.use(
          onError((error, _req, res, _next) => {
            ctx.record(error, res.headersSent);
            if (!res.headersSent) res.status(error.status ?? 500).end(error.message);
          }),
        );
      },
      ['GET /fail', 'GET /fine', 'GET /twice'],
    ),
    serves(
      'what a handler returns is not used',
      (app) => {
        const values: Record<string, unknown> = {
          string: 'text',
          number: 404,
          object: { status: 500 },
          error: new Error('returned'),
          false: false,
        };
        for (const [name, value] of Object.entries(values)) {
          app.get(`/${name}`, (_req, res) => {
            res.send('answered');
            return value;
          });
        }
      },
      ['/string', '/number', '/object', '/error', '/false'].map((path) => `GET ${path}`),
    ),
  ],
  'express4',
);
