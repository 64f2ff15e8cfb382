import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import { attempt, serve } from './serve.js';
serve((app) => {
  app.set('view engine', 'ejs').set('views', fileURLToPath(new URL('views', import.meta.url)));
  app.get(
    '/view',
    (_req, res) =>
      void res.render('list', {
        title: '<T>',
        items: ['a', '<b>'],
      }),
  );
  app.get(
    '/missing',
    (_req, res) => void res.render('nowhere', {}, (error) => res.status(500).send(String(error?.message).split(' in ')[0])),
  );
  app.get('/text', (_req, res) => {
    const broken = attempt(() => ejs.render('<% if (x) { %>', {}));
    res.json([
      ejs.render('<%= a %> <%- b %> <%# no %>', {
        a: '&',
        b: '<b>',
      }),
      broken.name,
      join('a', 'b'),
    ]);
  });
});
