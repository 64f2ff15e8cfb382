/**
 * pug as a view engine on both sides: by name with inheritance, pretty through locals, from the cache, and
 * failing.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { same } from '../support/compare.ts';
import { declareViewCases } from '../support/views.ts';

declareViewCases('pug');

same('passes pretty and basedir from app.locals to pug', {
  build: ({ express }) => {
    const app = express();
    app.set('view engine', 'pug');
    app.set('views', fileURLToPath(new URL('./views', import.meta.url)));
    app.locals['pretty'] = true;
    app.get('/', (req, res) => res.render('page', { title: 'pretty', items: [1], own: 'x' }));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
  check: ([reply]) => assert.match(reply?.content ?? '', /\n {2}<body>\n/),
});
