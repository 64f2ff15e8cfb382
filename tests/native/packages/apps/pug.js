import { fileURLToPath } from 'node:url';
import pug from 'pug';
import { serve } from './serve.js';
serve((app) => {
  app.set('view engine', 'pug').set('views', fileURLToPath(new URL('views', import.meta.url)));
  app.get(
    '/view',
    (_req, res) =>
      void res.render('list', {
        title: '<T>',
        items: ['a', '<b>'],
      }),
  );
  app.get(
    '/text',
    (_req, res) =>
      void res.send(
        pug.render('p.a #{x}\n  b= y\n  != z', {
          x: '<',
          y: '>',
          z: '<i>',
        }),
      ),
  );
});
