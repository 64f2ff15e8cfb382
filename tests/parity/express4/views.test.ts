/**
 * Views in Express 4: how a name is looked up, engines, options and locals, the cache, callbacks, failures,
 * view classes.
 */
import { join } from 'node:path';
import type { ParityCase } from '../harness/case.ts';
import type { App, Callback } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { secondViews, views } from '../express/fixture.ts';
import { builds, serves, showError, wrong } from '../express/kit.ts';

type Engine = (path: string, options: Record<string, unknown>, done: Callback) => void;

/** Shows the file it was given and the plain options. */
const showing: Engine = (path, options, done) => {
  const plain = Object.entries(options).filter(([name, value]) => name !== 'settings' && typeof value !== 'object');
  done(undefined, `${path.replace(views, '[views]').replace(secondViews, '[second]')} ${JSON.stringify(plain)}`);
};

const prepared = (app: App): App => app.set('views', views).engine('tpl', showing).engine('.ejs', showing);
const table: ParityCase[] = [];

const NAMES: readonly unknown[] = [
  'plain',
  'plain.tpl',
  'plain.ejs',
  'page.ejs',
  'folder',
  'folder/index',
  'folder/index.tpl',
  'folder.tpl',
  './plain',
  '../views/plain',
  'more/../plain',
  '/plain',
  join(views, 'plain.tpl'),
  'second',
  'missing',
  'missing.tpl',
  'missing.nope',
  '',
  '.',
  '.tpl',
  'a.b.tpl',
  'PLAIN',
  7,
  null,
  undefined,
  {},
  ['plain'],
];
for (const name of NAMES) {
  for (const [label, engine] of [
    ['no default engine', undefined],
    ['the engine tpl', 'tpl'],
    ['the engine .tpl', '.tpl'],
  ] as const) {
    table.push(
      serves(
        `the view ${typeof name} ${JSON.stringify(name)?.replace(views, '[views]') ?? 'undefined'} with ${label} is found or refused as upstream`,
        (app) => {
          prepared(app);
          if (engine !== undefined) app.set('view engine', engine);
          app.get('/one', (_req, res) => wrong(res)['render']?.(name, { a: 1 }));
          app.get('/two', (_req, res) => {
            app.set('views', [views, secondViews]);
            wrong(res)['render']?.(name, (error: unknown, text: unknown) => res.json([error === null, String(error), text]));
          });
          app.get('/app', (_req, res) => {
            wrong(app)['render']?.(name, {}, (error: unknown, text: unknown) => res.json([String(error), text]));
          });
          app.use(showError);
        },
        ['GET /one', 'GET /two', 'GET /app'],
      ),
    );
  }
}

for (const options of [
  undefined,
  null,
  {},
  { a: 'own' },
  { cache: true },
  { cache: false },
  { cache: null },
  { cache: 'yes' },
  { _locals: { a: 'under' } },
  { settings: 1 },
  'text',
  7,
  [1],
  Object.assign(Object.create({ inherited: 1 }) as object, { b: 2 }),
]) {
  table.push(
    serves(
      `the options ${JSON.stringify(options) ?? 'undefined'} meet app.locals and res.locals as upstream`,
      (app, _express, ctx) => {
        prepared(app).set('view engine', 'tpl');
        Object.assign(app.locals, { a: 'app', b: 'app', c: 'app' });
        app.get('/res', (_req, res) => {
          Object.assign(res.locals, { a: 'res', b: 'res' });
          ctx.attempt('render', () => wrong(res)['render']?.('plain', options));
          ctx.record(Object.keys(app.cache));
          if (!res.headersSent) res.end();
        });
        app.get('/app', (_req, res) => {
          ctx.attempt('render', () => wrong(app)['render']?.('plain', options, (error: unknown, text: unknown) => ctx.record(error, text)));
          res.end();
        });
        // The message names a variable of the source, so only its kind is compared.
        app.get('/bare', (_req, res) => {
          try {
            wrong(app)['render']?.('plain', options);
          } catch (error) {
            ctx.record((error as Error).name);
          }
          res.end();
        });
      },
      ['GET /res', 'GET /res', 'GET /app', 'GET /bare'],
    ),
  );
}

for (const cached of [true, false, undefined]) {
  table.push(
    serves(
      `with the view cache ${String(cached)} a view class is made once or each time`,
      (app, _express, ctx) => {
        class View {
          readonly path: string;
          constructor(name: string, given: { defaultEngine: unknown; root: unknown; engines: object }) {
            ctx.record('made', name, given.defaultEngine, given.root, Object.keys(given));
            this.path = name;
          }
          render(options: Record<string, unknown>, done: Callback): void {
            ctx.record(options['cache'], Object.keys(options));
            done(undefined, this.path);
          }
        }
        app.set('view', View).set('views', '/root').set('view engine', 'e');
        if (cached !== undefined) app.set('view cache', cached);
        app.get('/:name', (req, res) => res.render(String(req.params['name'])));
        app.get('/own/on', (_req, res) => res.render('x', { cache: true }));
        app.get('/own/off', (_req, res) => res.render('x', { cache: false }));
      },
      ['GET /x', 'GET /x', 'GET /y', 'GET /own/on', 'GET /own/on', 'GET /own/off', 'GET /x'],
    ),
  );
}

defineSuite(
  [
    ...table,
    serves(
      'a view without a path is a failed lookup with the places that were searched',
      (app) => {
        prepared(app).set('view engine', 'tpl');
        for (const [index, roots] of ['/one', ['/one'], ['/one', '/two'], ['/one', '/two', '/three'], []].entries())
          app.get(`/${index}`, (_req, res) => {
            app.set('views', roots);
            res.render('none', (error) => res.send([error?.message, Object.keys(error ?? {}), typeof Reflect.get(error ?? {}, 'view')]));
          });
      },
      ['GET /0', 'GET /1', 'GET /2', 'GET /3', 'GET /4'],
    ),
    serves(
      'engines that throw, fail, answer late and answer twice',
      (app) => {
        app.set('views', views).set('view engine', 'tpl');
        app.get('/throw', (_req, res) => {
          app.engine('tpl', () => {
            throw new Error('engine threw');
          });
          res.render('plain');
        });
        app.get('/fail', (_req, res) => {
          app.engine('tpl', (_path: string, _options: object, done: Callback) => done(new Error('engine failed')));
          res.render('plain');
        });
        app.get('/late', (_req, res) => {
          app.engine('tpl', (_path: string, _options: object, done: Callback) => setImmediate(done, undefined, 'late'));
          res.render('plain');
        });
        app.get('/empty', (_req, res) => {
          app.engine('tpl', (_path: string, _options: object, done: Callback) => done());
          res.render('plain');
        });
        app.use(showError);
      },
      ['GET /throw', 'GET /fail', 'GET /late', 'GET /empty'],
    ),
    serves(
      'an engine is kept with the view, and a new one is found for new views',
      (app) => {
        const fixed =
          (text: string): Engine =>
          (_path, _options, done) =>
            done(undefined, text);
        app.set('views', views).engine('tpl', fixed('first')).set('view cache', true);
        app.get('/use', (_req, res) => res.render('plain.tpl'));
        app.get('/other', (_req, res) => res.render('locals.tpl'));
        app.get('/change', (_req, res) => {
          app.engine('tpl', fixed('second'));
          res.end();
        });
      },
      ['GET /use', 'GET /change', 'GET /use', 'GET /other'],
    ),
    serves(
      'a mounted app renders with its own views, and its locals are its own',
      (app, express) => {
        const sub = express();
        prepared(app).set('view engine', 'tpl');
        app.locals['from'] = 'app';
        sub.set('views', secondViews).locals['from'] = 'sub';
        sub.get('/own', (_req, res) => res.render('second'));
        sub.get('/inherited', (_req, res) => res.render('plain'));
        app
          .use('/sub', sub)
          .get('/app', (_req, res) => res.render('plain'))
          .use(showError);
      },
      ['GET /sub/own', 'GET /sub/inherited', 'GET /app'],
    ),
    serves(
      'res.render keeps the status, type and fields that are set, and leaves _locals on the options',
      (app, _express, ctx) => {
        prepared(app);
        app.get('/', (_req, res) => {
          const options: Record<string, unknown> = { a: 1 };
          res.locals['l'] = 1;
          res.status(203).type('txt').set('X-A', '1').render('plain.tpl', options);
          ctx.record(Object.keys(options), options['_locals'] === res.locals);
        });
      },
      ['GET /', 'HEAD /'],
    ),
    builds('the view class and its members', (express, ctx) => {
      const app = express();
      const View = app.get('view') as {
        new (name: string, options: object): Record<string, unknown>;
        prototype: Record<string, unknown>;
        name: string;
      };
      ctx.record(
        View.name,
        ['lookup', 'render', 'resolve'].map((name) => typeof View.prototype[name]),
      );
      for (const [name, options] of [
        ['plain', { defaultEngine: 'tpl', root: views, engines: { '.tpl': showing } }],
        ['plain.tpl', { root: [secondViews, views], engines: { '.tpl': showing } }],
        ['none.tpl', { root: views, engines: { '.tpl': showing } }],
        ['plain', { root: views, engines: {} }],
        ['plain.tpl', { engines: { '.tpl': showing } }],
        ['plain.tpl', { root: views }],
      ] as const)
        ctx.attempt(`${name} ${Object.keys(options).join()}`, () => {
          const view = new View(name, options);
          return [
            Object.keys(view).sort(),
            view['name'],
            view['ext'],
            String(view['path']).replace(views, '[views]').replace(secondViews, '[second]'),
          ];
        });
    }),
  ],
  'express4',
);
