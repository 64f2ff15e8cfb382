/**
 * ejs as a view engine on both sides: by name, by `app.engine` with its own options, from the cache, and
 * failing.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { same } from '../support/compare.ts';
import type { Foreign } from '../support/express-types.ts';
import { load } from '../support/load.ts';
import { declareViewCases } from '../support/views.ts';

const ejs = load<{ renderFile: Foreign }>('ejs');

declareViewCases('ejs');

same('renders another extension through app.engine, from several folders', {
  build: ({ express }) => {
    const app = express();
    app.engine('html.ejs', ejs.renderFile);
    app.engine('.ejs', ejs.renderFile);
    app.set('views', [fileURLToPath(new URL('./nowhere', import.meta.url)), fileURLToPath(new URL('./views', import.meta.url))]);
    app.get('/', (req, res) => res.render('part.ejs', { word: 'engine' }));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
  check: ([reply]) => assert.match(reply?.content ?? '', /<h1>engine<\/h1>/),
});
