/**
 * passport with passport-local on both sides: sign-in, sessions, refusal, redirects, a custom callback,
 * failures.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface User {
  readonly id: number;
  readonly name: string;
}
type Done = (error: unknown, user?: User | false, info?: object) => void;
interface Authenticator {
  use(strategy: object): void;
  initialize(): Handler;
  session(): Handler;
  serializeUser(write: (user: User, done: (error: unknown, id?: number) => void) => void): void;
  deserializeUser(read: (id: number, done: Done) => void): void;
  authenticate(
    strategy: string,
    options?: object | ((error: unknown, user: User | false, info?: object, status?: number) => void),
  ): Handler;
}
const passport = load<{ Passport: new () => Authenticator }>('passport');
const Local = load<new (verify: (name: string, password: string, done: Done) => void) => object>('passport-local');
const session = load<(options: object) => Handler>('express-session');

const ADA: User = { id: 1, name: 'ada' };

function signedIn({ express }: Bench): Application {
  const app = express();
  const auth = new passport.Passport();
  auth.use(
    new Local((name, password, done) => {
      if (name === 'crash') return done(new Error('directory is down'));
      return password === 'right' ? done(null, ADA) : done(null, false, { message: 'Wrong password' });
    }),
  );
  auth.serializeUser((user, done) => done(null, user.id));
  auth.deserializeUser((id, done) => done(null, id === ADA.id ? ADA : false));
  let id = 0;
  app.use(express.urlencoded({ extended: false }));
  app.use(session({ secret: 'x', resave: false, saveUninitialized: false, genid: () => `id-${(id += 1)}` }));
  app.use(auth.initialize(), auth.session());
  app.post('/login', auth.authenticate('local', { successRedirect: '/me', failureRedirect: '/login?failed', failureMessage: true }));
  app.post('/plain', auth.authenticate('local'), (req, res) => res.json(req.user));
  app.post('/stateless', auth.authenticate('local', { session: false }), (req, res) =>
    res.json({ user: req.user, is: req.isAuthenticated() }),
  );
  app.post('/custom', (req, res, next) => {
    const handle = auth.authenticate('local', (error: unknown, user: User | false, info?: object) => {
      if (error) return next(error);
      res.json({ user, info });
    });
    handle(req, res, next);
  });
  app.get('/me', (req, res) => res.json({ user: req.user ?? null, is: req.isAuthenticated(), messages: req.session['messages'] ?? null }));
  app.post('/logout', (req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/me'))));
  app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(error.status ?? 500).send(`caught: ${error.message}`));
  return app;
}

same('signs in, remembers, and signs out', {
  build: signedIn,
  talk: async ({ client }) => {
    await client.get('/me');
    await client.form('/login', { username: 'ada', password: 'right' });
    await client.get('/me');
    await client.form('/logout', {});
    await client.get('/me');
  },
  check: (replies) => assert.match(replies[2]?.content ?? '', /"name":"ada"/),
});

same('refuses with a redirect, a message, a bare 401 or a callback', {
  build: signedIn,
  talk: async ({ client }) => {
    await client.form('/login', { username: 'ada', password: 'wrong' });
    await client.get('/me');
    await client.form('/plain', { username: 'ada', password: 'wrong' });
    await client.form('/plain', { username: 'ada' });
    await client.form('/custom', { username: 'ada', password: 'wrong' });
    await client.form('/custom', { username: 'ada', password: 'right' });
    await client.form('/stateless', { username: 'ada', password: 'right' });
  },
  check: (replies) => assert.equal(replies[2]?.line, '401 Unauthorized'),
});

same('passes the failure of a strategy on as an error', {
  build: signedIn,
  talk: async ({ client }) => {
    await client.form('/plain', { username: 'crash', password: 'x' });
    await client.form('/custom', { username: 'crash', password: 'x' });
  },
  check: ([reply]) => assert.equal(reply?.content, 'caught: directory is down'),
});
