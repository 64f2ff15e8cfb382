/** helmet on both sides: what it puts on replies, static, per request and with parts switched off. */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

type Directive = string | ((req: Request, res: Response) => string);
interface Helmet {
  (options?: object): Handler;
  contentSecurityPolicy(options: { directives: Record<string, readonly Directive[] | null> }): Handler;
  hidePoweredBy(): Handler;
}
const helmet = load<Helmet>('helmet');

same('sends the default security headers and drops X-Powered-By', {
  build: ({ express }) => {
    const app = express();
    app.use(helmet());
    app.get('/', (req, res) => res.send('guarded'));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.send({ method: 'HEAD', path: '/' });
    await client.get('/missing');
  },
  check: ([first]) => assert.ok(first?.fields.some((line) => line.startsWith('Content-Security-Policy: '))),
});

same('takes options for single headers', {
  build: ({ express }) => {
    const app = express();
    app.use(
      helmet({
        strictTransportSecurity: { maxAge: 123456, preload: true },
        referrerPolicy: { policy: ['origin', 'unsafe-url'] },
        xFrameOptions: { action: 'deny' },
        crossOriginEmbedderPolicy: { policy: 'credentialless' },
        contentSecurityPolicy: { directives: { 'script-src': ["'self'", 'example.com'], upgradeInsecureRequests: null }, reportOnly: true },
        xDownloadOptions: false,
        xPoweredBy: false,
      }),
    );
    app.get('/', (req, res) => res.json({ ok: true }));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
});

same('computes a nonce for each request from res.locals', {
  build: ({ express }) => {
    const app = express();
    let count = 0;
    app.use((req, res, next) => {
      res.locals['nonce'] = `n${(count += 1)}`;
      next();
    });
    const nonce: Directive = (_req, res) => `'nonce-${String(res.locals['nonce'])}'`;
    app.use(helmet.contentSecurityPolicy({ directives: { 'default-src': ["'self'"], 'script-src': [nonce] } }));
    app.get('/', (req, res) => res.send(String(res.locals['nonce'])));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.get('/');
  },
});

same('hands an invalid computed directive to the error handler', {
  build: ({ express }) => {
    const app = express();
    app.use(helmet.contentSecurityPolicy({ directives: { 'default-src': ["'self'", () => 'bad;value'] } }));
    app.get('/', (req, res) => res.send('never'));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(`caught: ${error.message}`));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
  check: ([reply]) => assert.match(reply?.content ?? '', /^caught: /),
});
