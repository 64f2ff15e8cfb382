/** app.render, res.render, engines, the view settings and their cache. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ParityCase } from '../harness/case.ts';
import type { App, Callback, ExpressModule } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { secondViews, views } from './fixture.ts';
import { builds, serves, showError, wrong } from './kit.ts';

const require = createRequire(import.meta.url);

type Engine = (path: string, options: Record<string, unknown>, done: Callback) => void;

/** `{{name}}` becomes the option of that name; files may ask for failures. */
const template: Engine = (path, options, done) => {
  const text = readFileSync(path, 'utf8');
  if (text === 'THROWS') throw new Error('engine threw');
  if (text === 'BROKEN') done(new Error('engine failed'));
  else
    done(
      undefined,
      text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => String(options[name])),
    );
};

function app(express: ExpressModule): App {
  return express().set('views', views).engine('tpl', template).set('view engine', 'tpl');
}

const rendered = (
  name: string,
  build: (app: App, express: ExpressModule, record: (...values: unknown[]) => void) => void,
  paths: readonly string[] = ['/'],
): ParityCase => ({
  name,
  app: (express, ctx) => {
    const program = app(express);
    build(program, express, ctx.record);
    return program.use(showError);
  },
  requests: paths.map((path) => `GET ${path}`),
});

const names: readonly unknown[] = [
  'plain',
  'plain.tpl',
  'folder',
  'folder/index',
  'missing',
  'missing.tpl',
  'missing.xyz',
  'plain.txt',
  'folder/',
  '',
  '../views/plain',
  '/plain',
  join(views, 'plain'),
  join(views, 'plain.tpl'),
  'broken',
  'throws',
  'more/only',
  'PLAIN',
  '.',
  'ü',
];
const table: ParityCase[] = names.map((name) =>
  rendered(
    `the view ${JSON.stringify(name).replace(views, '[views]')} is found or not, by res.render and app.render`,
    (program, _express, record) => {
      program.get('/res', (_req, res) => res.render(String(name), { name: 'N', place: 'P' }));
      program.get('/app', (_req, res) => {
        program.render(String(name), { name: 'N', place: 'P' }, (error, text) => {
          record(error, text);
          res.end();
        });
      });
    },
    ['/res', '/app'],
  ),
);

for (const name of [undefined, null, 7, {}, []]) {
  table.push(
    rendered(
      `rendering a name that is ${typeof name} ${String(name)} fails alike`,
      (program) => {
        program
          .get('/res', (_req, res) => wrong(res)['render']?.(name))
          .get('/app', (_req, res) => wrong(program)['render']?.(name, {}, (error: unknown) => res.send(String(error))));
      },
      ['/res', '/app'],
    ),
  );
}

for (const cache of [true, false, undefined]) {
  table.push(
    rendered(
      `with view cache ${String(cache)} the view class is asked once or every time`,
      (program, _express, record) => {
        class Counting {
          readonly path: string;
          constructor(name: string, options: { defaultEngine: string; root: string; engines: object }) {
            record('made', name, options.defaultEngine, options.root === views, Object.keys(options.engines));
            this.path = name;
          }
          render(options: Record<string, unknown>, done: Callback): void {
            record(options['cache'], Object.keys(options));
            done(undefined, this.path);
          }
        }
        program.set('view', Counting);
        if (cache !== undefined) program.set('view cache', cache);
        program
          .get('/', (_req, res) => res.render('counted'))
          .get('/own', (_req, res) => res.render('counted', { cache: true }))
          .get('/off', (_req, res) => res.render('counted', { cache: false }));
      },
      ['/', '/', '/own', '/own', '/off', '/'],
    ),
  );
}

for (const env of ['production', 'development']) {
  table.push({
    name: `NODE_ENV=${env} decides whether views are cached`,
    app: (express, ctx) => {
      const program = app(express);
      return program.get('/', (_req, res) => {
        res.render('plain', { name: 'a', place: 'b' }, (error, text) => {
          ctx.record(error, text, Object.keys(program.cache));
          res.end();
        });
      });
    },
    requests: ['GET /', 'GET /'],
    options: { env: { NODE_ENV: env } },
  });
}

defineSuite([
  ...table,
  rendered(
    'app.locals, res.locals and options are merged in this order',
    (program) => {
      Object.assign(program.locals, { a: 'app', b: 'app', c: 'app' });
      program
        .get('/', (_req, res) => {
          Object.assign(res.locals, { b: 'res', c: 'res' });
          res.render('locals', { c: 'options' });
        })
        .get('/none', (_req, res) => res.render('locals'));
    },
    ['/', '/none'],
  ),
  rendered('engines see settings, locals and cache among their options', (program, _express, record) => {
    program.engine('tpl', (_path: string, options: Record<string, unknown>, done: Callback) => {
      record(Object.keys(options).sort(), options['cache'], Object.keys(options['_locals'] ?? {}));
      done(undefined, 'x');
    });
    program.get('/', (_req, res) => {
      res.locals['mine'] = 1;
      res.render('plain', { own: 2 });
    });
  }),
  rendered(
    'res.render calls back instead of answering',
    (program, _express, record) => {
      program
        .get('/fn', (_req, res) =>
          res.render('plain', (error, text) => {
            record(error, text);
            res.send('from callback');
          }),
        )
        .get('/options', (_req, res) =>
          res.render('plain', { name: 'x' }, (error, text) => {
            record(error, text);
            res.send('from callback');
          }),
        )
        .get('/missing', (_req, res) =>
          res.render('missing', (error) => {
            record(error);
            res.send('missing');
          }),
        );
    },
    ['/fn', '/options', '/missing'],
  ),
  rendered('res.render keeps status, type and fields set before', (program) => {
    program.get('/', (_req, res) => res.status(203).type('text/x').set('X-A', '1').render('plain', { name: 1, place: 2 }));
  }),
  rendered(
    'several view folders are searched in order',
    (program) => {
      program.set('views', [views, secondViews]);
      program.get('/:name', (req, res) => res.render(String(req.params['name']), { name: 'N', place: 'P' }));
    },
    ['/plain', '/second', '/missing', '/folder'],
  ),
  rendered('the second folder first', (program) => {
    program.set('views', [secondViews, views]).get('/', (_req, res) => res.render('plain', { name: 'N' }));
  }),
  rendered(
    'an empty list of folders and a missing folder',
    (program) => {
      program
        .get('/empty', (_req, res) => program.set('views', []) && res.render('plain'))
        .get('/gone', (_req, res) => program.set('views', '/nowhere') && res.render('plain'))
        .get('/one', (_req, res) => program.set('views', ['/nowhere']) && res.render('plain'))
        .get('/three', (_req, res) => program.set('views', ['/a', '/b', '/c']) && res.render('plain'));
    },
    ['/empty', '/gone', '/one', '/three'],
  ),
  serves(
    'without an engine setting a name needs an extension',
    (program) => {
      program
        .set('views', views)
        .engine('.tpl', template)
        .get('/bare', (_req, res) => res.render('plain'))
        .get('/ext', (_req, res) => res.render('plain.tpl', { name: 1 }))
        .use(showError);
    },
    ['GET /bare', 'GET /ext'],
  ),
  serves(
    'an engine that cannot be loaded, and a module that is no engine',
    (program) => {
      program.set('views', views).get('/:ext', (req, res) => res.render(`plain.${String(req.params['ext'])}`));
      program.use((error: Error, _req: unknown, res: { status(code: number): { json(body: unknown): void } }, _next: unknown) =>
        res.status(500).json(error.message.split('\n')[0]),
      );
    },
    ['GET /nosuchmodule', 'GET /http'],
  ),
  rendered('the engine setting may start with a dot', (program) => {
    program.set('view engine', '.tpl').get('/', (_req, res) => res.render('plain', { name: 'dot' }));
  }),
  rendered(
    'a synchronous engine still calls back later, an asynchronous one as it does',
    (program, _express, record) => {
      program.engine('tpl', (path: string, _options: object, done: Callback) =>
        path.endsWith('plain.tpl') ? done(undefined, 'sync') : setImmediate(done, undefined, 'async'),
      );
      program.get('/:name', (req, res) => {
        res.render(String(req.params['name']), (_error, text) => {
          record('called back', text);
          res.end(text);
        });
        record('render returned');
      });
    },
    ['/plain', '/locals'],
  ),
  rendered(
    'ejs by its own module, by renderFile and with includes',
    (program) => {
      program
        .set('view engine', 'ejs')
        .get('/page', (_req, res) => res.render('page', { title: '<T>', items: ['a', '<b>'] }))
        .get('/partial', (_req, res) => res.render('partial'))
        .get('/html', (_req, res) => {
          program
            .engine('html', (require('ejs') as { renderFile: unknown }).renderFile)
            .render('page.html', {}, (error) => res.send(String(error?.message).includes('Failed to lookup')));
        });
    },
    ['/page', '/partial', '/html'],
  ),
  rendered('an error inside an ejs view reaches the error handler', (program) => {
    program.get('/', (_req, res) =>
      res.render('bad.ejs', {}, (error) => res.status(500).send(error?.message.replaceAll(views, '').split('\n').at(-1))),
    );
  }),
  rendered('pug by its own module', (program) => {
    program.set('view engine', 'pug').get('/', (_req, res) => res.render('page', { title: '<T>', items: ['a', '<b>'] }));
  }),
  rendered(
    'a mounted app renders with its own views and inherits engines and settings',
    (program, express) => {
      const sub = express();
      program.use('/sub', sub);
      sub
        .get('/', (_req, res) => res.render('plain', { name: 'sub', place: 'x' }))
        .get('/own', (_req, res) => sub.set('views', secondViews) && res.render('plain'));
    },
    ['/sub', '/sub/own'],
  ),
  builds('app.render without a callback, with undefined options and with null', (express, ctx) => {
    const program = app(express);
    ctx.attempt('no callback', () => program.render('missing', {}));
    ctx.attempt('undefined options', () => program.render('missing', undefined, (error) => ctx.record(error)));
    ctx.attempt('null options', () =>
      wrong(program)['render']?.('missing', null, (error: Error) => ctx.record(error.message.replace(views, ''))),
    );
  }),
  rendered(
    'res.render(name, null) and odd options',
    (program) => {
      program
        .get('/null', (_req, res) => wrong(res)['render']?.('locals', null))
        .get('/locals', (_req, res) => res.render('locals', { _locals: { a: 'underscore' } }))
        .get('/array', (_req, res) => wrong(res)['render']?.('locals', ['x']));
    },
    ['/null', '/locals', '/array'],
  ),
]);
