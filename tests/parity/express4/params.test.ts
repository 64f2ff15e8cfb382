/**
 * router.param and app.param of Express 4: every form, the order of calls, what is remembered, deprecated
 * forms, tools.
 */
import type { ParityCase } from '../harness/case.ts';
import type { Handler, Next, ParamHandler, Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, onError, serves } from '../express/kit.ts';
import { notFound, v4, where } from './kit.ts';

const table: ParityCase[] = [];

for (const [label, name] of [
  ['a name', 'id'],
  ['a name with a colon', ':id'],
  ['a name with two colons', '::id'],
  ['an empty name', ''],
  ['only a colon', ':'],
  ['a list', ['a', 'b']],
  ['a list with a colon', [':a', 'b']],
  ['an empty list', []],
  ['a number', 0],
  ['an expression', /id/],
  ['undefined', undefined],
  ['null', null],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
] as const) {
  for (const [what, fn] of [
    ['a function', (_req: Req, _res: Res, next: Next, value: string, key: string) => next(`${key}=${value}`)],
    ['nothing', undefined],
    ['a string', 'x'],
    ['null', null],
  ] as const) {
    table.push(
      serves(
        `param with ${label} and ${what} is taken or refused`,
        (app, express, ctx) => {
          const router = express.Router();
          ctx.attempt('app', () => v4(app).param(name, fn) === app);
          ctx.attempt('router', () => v4(router).param(name, fn) === router);
          ctx.record(Object.keys((router as unknown as { params: object }).params));
          router.get('/:a/:b', where).get('/:id', where);
          app
            .get('/:id', where)
            .use('/m', router)
            .use(onError((error, _req, res, _next) => void res.end(String(error))));
        },
        ['GET /1', 'GET /m/1', 'GET /m/1/2'],
      ),
    );
  }
}

const noting =
  (record: (...values: unknown[]) => void, label: string): ParamHandler =>
  (req, _res, next, value, name) => {
    record(label, name, value, { ...req.params }, req.url, req.baseUrl);
    next();
  };

for (const [label, fail] of [
  ['an error', (_q: Req, _s: Res, next: Next) => next(new Error('param failed'))],
  [
    'a throw',
    () => {
      throw new Error('param threw');
    },
  ],
  ['route', (_q: Req, _s: Res, next: Next) => next('route')],
  ['router', (_q: Req, _s: Res, next: Next) => next('router')],
  ['a string', (_q: Req, _s: Res, next: Next) => next('text')],
  ['a falsy value', (_q: Req, _s: Res, next: Next) => next(0)],
  ['a late error', (_q: Req, _s: Res, next: Next) => void setImmediate(next, new Error('late'))],
] as const satisfies readonly (readonly [string, ParamHandler])[]) {
  table.push(
    serves(
      `a param callback that ends with ${label} is remembered for later layers of the same value`,
      (app, express, ctx) => {
        let calls = 0;
        app.param('id', (req, res, next, value, name) => {
          ctx.record('called', ++calls, value);
          (fail as ParamHandler)(req, res, next, value, name);
        });
        app.param('id', noting(ctx.record, 'second'));
        app
          .get('/:id', where)
          .get('/:id', (_req, res) => void res.end('second route'))
          .use('/:id', (_req, _res, next) => {
            ctx.record('mount');
            next();
          })
          .use('/:other', express.Router().use(noteAnd(ctx.record)))
          .use(notFound)
          .use(
            onError((error, req, res, _next) => {
              ctx.record('error', error, req.params);
              res.status(500).end();
            }),
          );
      },
      ['GET /1', 'GET /1', 'GET /2/rest'],
    ),
  );
}

function noteAnd(record: (...values: unknown[]) => void): Handler {
  return (req, _res, next) => {
    record('router', req.params, req.baseUrl);
    next();
  };
}

defineSuite(
  [
    ...table,
    serves(
      'param with a function lets it make the callbacks',
      (app, express, ctx) => {
        const router = express.Router();
        const given = v4(router).param((name: unknown, fn: unknown) => {
          ctx.record('first maker', name, typeof fn);
          if (!(fn instanceof RegExp)) return undefined;
          return (req: Req, _res: Res, next: Next, value: string): void => {
            const found = fn.exec(value);
            if (found === null) return next('route');
            Reflect.set(req.params, String(name), found.slice());
            next();
          };
        });
        ctx.record(given === undefined);
        v4(router).param((name: unknown, fn: unknown) => {
          ctx.record('second maker', name, typeof fn);
        });
        ctx.attempt('expression', () => v4(router).param('id', /^(\d)(\d)$/) === router);
        ctx.attempt('function', () => v4(router).param(':name', noting(ctx.record, 'plain')) === router);
        ctx.attempt('refused', () => v4(router).param('x', 7));
        router
          .get('/:id/:name', where)
          .get('/:id', where)
          .get('/:other', (_req, res) => void res.end('other'));
        app.use(router);
      },
      ['GET /12', 'GET /1', 'GET /12/n', 'GET /x/n'],
    ),
    builds('app.param with a function is refused or taken as upstream does', (express, ctx) => {
      const app = express();
      ctx.attempt('app.param(fn)', () => v4(app).param((name: unknown, fn: unknown) => ctx.record(name, fn)) === app);
      ctx.attempt('then a value', () => v4(app).param('id', 7) === app);
      ctx.attempt('nothing', () => v4(app).param());
    }),
    serves(
      'callbacks run once per request and value, in the order of the names in the path',
      (app, _express, ctx) => {
        for (const name of ['b', 'a', 'c']) app.param(name, noting(ctx.record, `on ${name}`));
        app
          .use('/:a', noteAnd(ctx.record))
          .get('/:a/:b', (_req, _res, next) => next())
          .get('/:b/:a', (_req, _res, next) => next())
          .get('/:c/:a', where);
      },
      ['GET /1/2', 'GET /1/1'],
    ),
    serves(
      'a value that a callback changed is seen by later layers with the same value',
      (app, _express, ctx) => {
        app.param('id', (req, _res, next, value) => {
          ctx.record('called', value);
          req.params['id'] = `changed ${value}`;
          setImmediate(next);
        });
        app.param('id', noting(ctx.record, 'second'));
        app.get('/:id', (req, _res, next) => {
          ctx.record(req.params);
          req.params['id'] = 'by the handler';
          next();
        });
        app.get('/:id', where);
      },
      ['GET /a'],
    ),
    serves(
      'callbacks of a parent are not called in a mounted router, those of the router are',
      (app, express, ctx) => {
        const router = express.Router({ mergeParams: true });
        router.param('id', noting(ctx.record, 'router'));
        router.param('outer', noting(ctx.record, 'outer in the router'));
        router.get('/:id', where);
        app.param('id', noting(ctx.record, 'app')).param('outer', noting(ctx.record, 'outer in the app'));
        app.use('/:outer', router).get('/:id/x/y', where);
      },
      ['GET /o/1', 'GET /o/x/y'],
    ),
    serves(
      'an optional parameter without a value calls nothing, an empty one does',
      (app, _express, ctx) => {
        app.param('x', noting(ctx.record, 'x')).param('0', noting(ctx.record, 'star'));
        app.get('/opt/:x?', where).get('/empty/:x(a*)', where).get('/star/*', where);
      },
      ['GET /opt', 'GET /opt/1', 'GET /empty/', 'GET /empty/aa', 'GET /star/', 'GET /star/a/b'],
    ),
    serves(
      'a callback that never calls next may answer itself',
      (app) => {
        app.param('id', (_req, res, _next, value) => void res.send(`from param ${value}`));
        app.get('/:id', where);
      },
      ['GET /1', 'HEAD /1'],
    ),
    serves(
      'process_params of a router may be replaced by a tool, and is then called for every layer',
      (app, express, ctx) => {
        const router = express.Router();
        router.param('id', noting(ctx.record, 'id'));
        router.use(noteAnd(ctx.record)).get('/:id', where);
        const original = v4(router).process_params;
        v4(router).process_params = function patched(this: unknown, ...args: readonly unknown[]): unknown {
          const [layer, called, , , done] = args;
          ctx.record('patched', (layer as { keys: unknown[] }).keys.length, Object.keys(called as object), typeof done, args.length);
          return Reflect.apply(original, this, args);
        };
        app.use('/m', router);
      },
      ['GET /m/1'],
    ),
    serves(
      'process_params of the prototype may be replaced while programs run',
      (app, express, ctx) => {
        const proto = Object.getPrototypeOf(express.Router()) as { process_params: (...args: unknown[]) => unknown };
        const original = proto.process_params;
        ctx.record(Object.hasOwn(proto, 'process_params'), proto === (express.Router as unknown));
        app.param('id', noting(ctx.record, 'id')).get('/:id', where);
        app.use('/patch', (_req, res) => {
          proto.process_params = function patched(...args: unknown[]): unknown {
            ctx.record('patched', (args[0] as { name: string }).name);
            return Reflect.apply(original, this, args);
          };
          res.end();
        });
        app.use('/restore', (_req, res) => {
          proto.process_params = original;
          res.end();
        });
      },
      ['GET /1', 'GET /patch/now', 'GET /2', 'GET /restore/now', 'GET /3'],
    ),
  ],
  'express4',
);
