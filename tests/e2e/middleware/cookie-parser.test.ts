/**
 * cookie-parser on both sides: plain, signed, JSON and hostile cookies, and res.cookie's signing with its
 * secret.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface CookieParser {
  (secret?: string | readonly string[], options?: object): Handler;
  JSONCookie(text: string): unknown;
}
const cookieParser = load<CookieParser>('cookie-parser');

same('parses cookies, percent-encoding, quotes and JSON cookies', {
  build: ({ express }) => {
    const app = express();
    app.use(cookieParser());
    app.get('/', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies, secret: req.secret ?? null }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.get('/', { Cookie: 'a=1; b="two words"; c=%E2%98%83; d=j:{"x":[1]}; e=j:broken; a=second' });
    await client.get('/', { Cookie: '__proto__=x; constructor=y; =z; f; g=%' });
    await client.get('/', { Cookie: ['h=1', 'i=2'] });
  },
});

same('checks signatures, with several secrets, and refuses forged ones', {
  build: ({ express }) => {
    const app = express();
    app.use(cookieParser(['new secret', 'old secret']));
    app.get('/set', (req, res) =>
      res.cookie('who', 'ada', { signed: true, httpOnly: true }).cookie('list', { a: 1 }, { signed: true }).send('set'),
    );
    app.get('/', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/set');
    await client.get('/');
    await client.get('/', { Cookie: 'who=s%3Aada.forged; plain=1' });
  },
  check: ([, read]) => assert.match(read?.content ?? '', /"who":"ada"/),
});

same('fails as upstream does when a signed cookie is sent without a secret', {
  build: ({ express }) => {
    const app = express();
    app.use(cookieParser());
    app.get('/', (req, res) => res.cookie('a', 'b', { signed: true }).send('never'));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(error.message));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
  check: ([reply]) => assert.match(reply?.content ?? '', /cookieParser\("secret"\) required/),
});

same('sets, overwrites and clears cookies with every attribute', {
  build: ({ express }) => {
    const app = express();
    app.use(cookieParser());
    app.get('/', (req, res) => {
      res.cookie('a', 'x y;z', { domain: 'd.example', path: '/p', secure: true, sameSite: 'none', priority: 'high', partitioned: true });
      res.cookie('b', '1', { maxAge: 1000, encode: (value: string) => `<${value}>` });
      res.cookie('c', '1', { expires: new Date(0), sameSite: true });
      res.clearCookie('d', { path: '/p' }).end();
    });
    app.get('/bad', (req, res) => res.cookie('bad name', '1').end());
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(`${error.name}: ${error.message}`));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.get('/bad', { Cookie: 'x=1' });
  },
});
