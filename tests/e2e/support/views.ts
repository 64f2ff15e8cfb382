/** The cases that every view engine goes through; the templates lie beside the tests. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { same } from './compare.ts';
import type { Bench } from './compare.ts';
import type { Application, Failure, Next, Request, Response } from './express-types.ts';

const VIEWS = fileURLToPath(new URL('../middleware/views', import.meta.url));
const LOCALS = { title: 'A & B', items: ['<one>', 'two', 3], raw: '<b>raw</b>' };

/** An application with the view engine set by name, and routes for each way to render. */
function rendering({ express, note }: Bench, engine: string): Application {
  const app = express();
  app.set('env', 'test');
  app.set('views', VIEWS);
  app.set('view engine', engine);
  app.locals['app'] = 'app local';
  app.use((req, res, next) => {
    res.locals['own'] = 'reply local';
    next();
  });
  app.get('/', (req, res) => res.render('page', LOCALS));
  app.get('/named', (req, res) => res.render(`page.${engine}`, { ...LOCALS, own: 'given' }));
  app.get('/callback', (req, res, next) =>
    res.render('page', LOCALS, (error, html) => (error ? next(error) : res.type('text').send(html.toUpperCase()))),
  );
  app.get('/app', (req, res, next) =>
    app.render('page', { ...LOCALS, own: 'by app' }, (error, html) => (error ? next(error) : res.send(html))),
  );
  app.get('/broken', (req, res) => res.render('broken'));
  app.get('/failing', (req, res) => res.render('failing'));
  app.get('/missing', (req, res) => res.render('nowhere', {}));
  app.get('/engine', (req, res) => res.render('page.unknown-engine'));
  app.use((error: Failure, req: Request, res: Response, _next: Next) => {
    // Below its first line, "Cannot find module" lists the files of whichever express required it.
    note({ name: error.name, message: error.message.split('\nRequire stack:')[0] });
    res.status(500).send('no view');
  });
  return app;
}

export function declareViewCases(engine: string): void {
  same(`renders ${engine} with locals of the application, the reply and the call`, {
    build: (bench) => rendering(bench, engine),
    talk: async ({ client }) => {
      for (const path of ['/', '/named', '/callback', '/app']) await client.get(path);
    },
    check: ([first]) => assert.match(first?.content ?? '', /<h1>A &amp; B<\/h1>/),
  });

  same(`renders ${engine} from the cache`, {
    build: (bench) => {
      const app = rendering(bench, engine);
      app.enable('view cache');
      return app;
    },
    talk: async ({ client }) => {
      for (const path of ['/', '/', '/named', '/broken', '/']) await client.get(path);
    },
  });

  same(`hands errors of ${engine} templates, and of views that are not there, to the error handler`, {
    build: (bench) => rendering(bench, engine),
    talk: async ({ client }) => {
      for (const path of ['/broken', '/failing', '/missing', '/engine']) await client.get(path);
    },
    check: (replies, notes) => {
      assert.ok(replies.every(({ line }) => line === '500 Internal Server Error'));
      assert.match(JSON.stringify(notes[2]), /Failed to lookup view/);
    },
  });
}
