/**
 * cors on both sides: simple and preflight requests, origin lists and functions, options per request,
 * refusal.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

type OriginCheck = (origin: string | undefined, done: (error: Error | null, isAllowed?: boolean) => void) => void;
interface CorsOptions {
  readonly origin?: boolean | string | readonly (string | RegExp)[] | OriginCheck;
  readonly [option: string]: unknown;
}
const cors =
  load<(options?: CorsOptions | ((req: Request, done: (error: Error | null, options?: CorsOptions) => void) => void)) => Handler>('cors');

const PREFLIGHT = {
  Origin: 'http://a.example',
  'Access-Control-Request-Method': 'DELETE',
  'Access-Control-Request-Headers': 'x-one, x-two',
};

same('opens everything by default and answers preflights with 204', {
  build: ({ express }) => {
    const app = express();
    app.use(cors());
    app.get('/', (req, res) => res.json({ open: true }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/', { Origin: 'http://a.example' });
    await client.send({ method: 'OPTIONS', path: '/', headers: PREFLIGHT });
    await client.send({ method: 'OPTIONS', path: '/anything' });
  },
  check: ([, preflight]) => assert.equal(preflight?.line, '204 No Content'),
});

same('reflects allowed origins with credentials, exposed headers and a max age', {
  build: ({ express }) => {
    const app = express();
    app.use(
      cors({
        origin: ['http://a.example', /\.b\.example$/],
        credentials: true,
        exposedHeaders: ['X-Total', 'Link'],
        maxAge: 600,
        methods: ['GET', 'PUT'],
        allowedHeaders: 'X-One',
        optionsSuccessStatus: 200,
      }),
    );
    app.get('/', (req, res) => res.vary('Accept').send('ok'));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/', { Origin: 'http://a.example' });
    await client.get('/', { Origin: 'http://x.b.example' });
    await client.get('/', { Origin: 'http://evil.example' });
    await client.get('/');
    await client.send({ method: 'OPTIONS', path: '/', headers: PREFLIGHT });
  },
});

same('lets a preflight go on to its route when told so', {
  build: ({ express }) => {
    const app = express();
    app.use(cors({ preflightContinue: true }));
    app.use((req, res) => res.send(`${req.method} reached`));
    return app;
  },
  talk: async ({ client }) => void (await client.send({ method: 'OPTIONS', path: '/', headers: PREFLIGHT })),
});

same('reads options for each request', {
  build: ({ express }) => {
    const app = express();
    const perRequest = cors((req, done) => done(null, req.path === '/open' ? { origin: true } : { origin: false }));
    app.get('/open', perRequest, (req, res) => res.send('open'));
    app.get('/closed', perRequest, (req, res) => res.send('closed'));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/open', { Origin: 'http://a.example' });
    await client.get('/closed', { Origin: 'http://a.example' });
  },
});

same('passes the error of an origin check to the error handler', {
  build: ({ express }) => {
    const app = express();
    app.set('env', 'test');
    app.use(
      cors({ origin: (origin, done) => (origin === 'http://good.example' ? done(null, true) : done(new Error('Not allowed by CORS'))) }),
    );
    app.get('/', (req, res) => res.send('ok'));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(403).json({ message: error.message }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/', { Origin: 'http://good.example' });
    await client.get('/', { Origin: 'http://bad.example' });
  },
  check: ([, refused]) => assert.equal(refused?.line, '403 Forbidden'),
});
