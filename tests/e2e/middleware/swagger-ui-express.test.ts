/**
 * swagger-ui-express on both sides: the page, its assets, options, a document per request, several documents.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface SwaggerUi {
  readonly serve: Handler[];
  serveFiles(document?: object, options?: object): Handler[];
  setup(document?: object | null, options?: object): Handler;
}
const swaggerUi = load<SwaggerUi>('swagger-ui-express');

const DOCUMENT = {
  openapi: '3.0.0',
  info: { title: 'Birds', version: '1' },
  paths: { '/birds': { get: { responses: { 200: { description: 'ok' } } } } },
};

same('serves the page and its assets', {
  build: ({ express }) => {
    const app = express();
    app.use('/docs', swaggerUi.serve, swaggerUi.setup(DOCUMENT));
    return app;
  },
  talk: async ({ client }) => {
    for (const path of [
      '/docs',
      '/docs/',
      '/docs/swagger-ui-init.js',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/favicon-32x32.png',
      '/docs/package.json',
      '/docs/nothing.js',
    ]) {
      await client.get(path);
    }
    await client.send({ method: 'HEAD', path: '/docs/swagger-ui-bundle.js' });
    await client.get('/docs/swagger-ui-bundle.js', { Range: 'bytes=0-99' });
  },
  check: (replies) => {
    assert.match(replies[1]?.content ?? '', /swagger-ui/);
    assert.match(replies[2]?.content ?? '', /Birds/);
  },
});

same('takes options, and a document that a middleware puts on the request', {
  build: ({ express }) => {
    const app = express();
    const options = {
      explorer: true,
      customSiteTitle: 'Own title',
      customCss: '.topbar { display: none }',
      swaggerOptions: { urls: [{ url: '/one.json', name: 'One' }] },
    };
    app.use('/options', swaggerUi.serve, swaggerUi.setup(null, options));
    app.use(
      '/each',
      (req: Request, _res: Response, next: Next) => {
        Reflect.set(req, 'swaggerDoc', { ...DOCUMENT, host: req.get('X-Tenant') });
        next();
      },
      swaggerUi.serveFiles(),
      swaggerUi.setup(),
    );
    app.use(
      '/two',
      swaggerUi.serveFiles({ ...DOCUMENT, info: { title: 'Two' } }, {}),
      swaggerUi.setup({ ...DOCUMENT, info: { title: 'Two' } }),
    );
    return app;
  },
  talk: async ({ client }) => {
    for (const path of [
      '/options/',
      '/options/swagger-ui-init.js',
      '/each/',
      '/each/swagger-ui-init.js',
      '/two/',
      '/two/swagger-ui-init.js',
    ])
      await client.get(path, { 'X-Tenant': 'tenant.example' });
  },
});

same('leaves the errors of a middleware before it to the error handler', {
  build: ({ express }) => {
    const app = express();
    app.use(
      '/docs',
      (_req: Request, _res: Response, next: Next) => next(Object.assign(new Error('sign in'), { status: 401 })),
      swaggerUi.serve,
      swaggerUi.setup(DOCUMENT),
    );
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(error.status ?? 500).send(error.message));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/docs/')),
  check: ([reply]) => assert.equal(reply?.content, 'sign in'),
});
