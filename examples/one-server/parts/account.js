/**
 * Express: signing in and out, with `express-session`, a form and EJS views. Nothing here knows of Fulmar: it imports plain
 * `express`, and would run behind `listen()` of its own.
 */
import express from 'express';
import { verify } from '../lib/accounts.js';
import { expressSide } from '../lib/sessions.ts';
import { here, IS_HTTPS } from '../lib/settings.ts';

export function createAccount() {
  const account = express();
  account.set('view engine', 'ejs');
  account.set('views', here('./views/account'));
  if (IS_HTTPS) account.set('trust proxy', 'loopback');
  account.use(expressSide);

  account.get('/', (req, res) => {
    const { user, pages = 0 } = req.session;
    res.render('profile', { user, pages });
  });
  account.get('/login', (req, res) => res.render('login', { name: '', failed: false }));
  account.post('/login', express.urlencoded({ extended: false, limit: '4kb' }), signIn);
  account.post('/logout', (req, res, next) => {
    req.session.destroy((error) => (error ? next(error) : res.clearCookie('station.sid').redirect(303, '/')));
  });
  return account;
}

async function signIn(req, res, next) {
  const { name, password } = req.body ?? {};
  const user = await verify(name, password);
  if (user === undefined) return res.status(401).render('login', { name: String(name ?? ''), failed: true });
  // A fresh id, so that one planted before signing in is worth nothing.
  req.session.regenerate((error) => {
    if (error) return next(error);
    req.session.user = user;
    res.redirect(303, '/');
  });
}
